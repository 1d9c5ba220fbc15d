import { HOUR_MS } from './durations.ts'
import type { Millimes } from './money.ts'
import { MILLIMES_PER_DINAR } from './money.ts'
import { canPayDirectly, canPayFromWallet } from './purchase-options.ts'

/** Bank transfer is offered for totals above this. */
export const BANK_TRANSFER_ABOVE = 10 * MILLIMES_PER_DINAR

/** The names of a direct payment's method in the API. */
export const DIRECT_METHODS = ['direct', 'card'] as const
export type DirectMethod = (typeof DIRECT_METHODS)[number]

/** The method of a direct payment, by the page that it starts on. */
export const DIRECT_PAYMENT_METHODS = {
  home: 'direct',
  shop: 'direct',
  details: 'card',
} as const satisfies Record<string, DirectMethod>

/** How long an order stays pending before it expires. */
export const ORDER_LIFETIME_MS = 72 * HOUR_MS

/** The methods by which the payer sends the money to the shop, which confirms its arrival. */
export const TRANSFER_METHODS = ['bank_transfer', 'd17'] as const
export type TransferMethod = (typeof TRANSFER_METHODS)[number]

/** The methods with which a payment can be started; `card` is through the gateway. */
export const ORDER_METHODS = ['card', ...TRANSFER_METHODS] as const
export type OrderMethod = (typeof ORDER_METHODS)[number]

/** All payment methods, in the order of the checkout. */
export const PAYMENT_METHODS = ['wallet', ...ORDER_METHODS] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** What a payment is for. */
export const PAYMENT_PURPOSES = ['order', 'top_up'] as const
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number]

/**
 * How many bank transfers and D17 payments of one account may wait at once, for orders and top-ups
 * together.
 */
export const MOST_OPEN_TRANSFERS = 3

/** Whether a method is offered for a total: bank transfer and card depend on it. */
export function isOffered(method: PaymentMethod, total: Millimes): boolean {
  if (method === 'bank_transfer') return total > BANK_TRANSFER_ABOVE
  return method !== 'card' || canPayDirectly(total)
}

/**
 * The values that the pay button depends on; `method` is null while none is chosen, amounts are in
 * millimes.
 */
export type PayState = {
  method: PaymentMethod | null
  balance: Millimes
  total: Millimes
  loading: boolean
}

/**
 * Whether the pay button is enabled: the method is offered, nothing is loading, the wallet
 * suffices.
 */
export function canPay({ method, balance, total, loading }: PayState): boolean {
  if (method === null || loading || !isOffered(method, total)) return false
  return method !== 'wallet' || canPayFromWallet({ price: total, balance })
}
