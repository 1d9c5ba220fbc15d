import type { Payment as WirePayment } from '../../contract/orders.ts'
import { inDinars } from '../../rules/money.ts'
import type { Payment } from './payments.ts'

/** A payment as its payer sees it; only one that can still be made has an address to make it at. */
export function presentPayment(payment: Payment): WirePayment {
  return {
    paymentRef: payment.reference,
    purpose: payment.purpose,
    method: payment.method,
    state: payment.status,
    amount: inDinars(payment.amount),
    orderId: payment.order_id,
    paymentUrl: payment.status === 'pending' ? payment.pay_url : null,
    returnTo: payment.return_to,
    createdAt: payment.created_at.toISOString(),
    expiresAt: payment.expires_at.toISOString(),
  }
}
