import type { PaymentMethod } from '../../rules/payment-methods.ts'
import type { OrderStep } from '../../stores/purchase/order-payment.ts'
import type { OpenPaymentsTexts } from '../parts/OpenPayments.tsx'
import type { WaitingOrderTexts } from '../waiting-order/WaitingOrder.tsx'

/** `checkout` of locales, as far as its island uses it. */
export interface CheckoutTexts {
  back: string
  loading: string
  /** With the plural forms of `count`. */
  items: Readonly<Record<string, string>> & {
    title: string
    number: string
    remove: string
    original: string
    final: string
    free: string
    saved: string
    owned: string
    subtotal: string
  }
  waiting: WaitingOrderTexts
  open: OpenPaymentsTexts
  empty: { title: string; text: string; action: string }
  failed: { title: string; text: string; retry: string }
  login: { title: string; text: string; kept: string; login: string; register: string }
  payment: {
    title: string
    method: string
    choose: string
    wallet: string
    card: string
    bank_transfer: string
    d17: string
    notes: Readonly<Record<PaymentMethod, string>>
    topUp: string
    before: string
    after: string
    unknown: string
    refresh: string
    short: string
    missing: string
    summary: string
    count: string
    discount: string
    total: string
    pay: string
    payFree: string
    allOrdered: string
    orders: string
  }
  confirm: {
    title: string
    texts: Readonly<Record<PaymentMethod | 'free', string>>
    method: string
    total: string
    yes: string
    paying: string
    no: string
    close: string
    owned: string
  }
  result: {
    success: string
    partial: string
    going: string
    go: string
    unexpected: string
    insufficient: string
    safe: string
    leaving: string
    leave: string
    owned: string
    ordered: string
    nothing: string
    priceChanged: string
    failed: string
    steps: Readonly<Record<OrderStep, string>>
  }
}
