import type { Deps } from '../deps.ts'
import {
  postMoneyInWallet,
  postOrderExpired,
  postPaymentRefused,
  postPaymentWaiting,
  postReceipt,
  postTopUpCredited,
} from '../mail/post-payment-mails.ts'
import { numberReceiptsSoon } from '../orders/receipts.ts'
import type { Credit } from './credit.ts'
import type { Payment } from './payments.ts'

// What follows a commit that moved money, in the background; nobody waits for it, and a kill before
// it loses a mail at most: receipts are numbered again at the next start.

/** A wallet purchase or an order that was paid: its receipt, numbered and mailed. */
export function afterPaid(deps: Deps, orderId: number): void {
  numberReceiptsSoon(deps)
  postReceipt(deps, orderId)
}

/** A payment whose money came. */
export function afterCredit(deps: Deps, { payment, into, returned, strayed }: Credit): void {
  if (payment.order_id === null) {
    postTopUpCredited(deps, payment.reference)
    return
  }
  if (into === 'order') afterPaid(deps, payment.order_id)
  if (strayed === null) return
  const amount =
    strayed === 'owned' ? returned.reduce((sum, { price }) => sum + price, 0) : payment.amount
  postMoneyInWallet(deps, payment.reference, { amount, why: strayed, items: returned })
}

/** A payment that waits until somebody has sent the money. */
export function afterWaiting(deps: Deps, payment: Payment): void {
  if (payment.provider === 'manual') postPaymentWaiting(deps, payment.reference)
}

/** A payment that was refused; of one that merely ran out, its order tells. */
export function afterRefusal(deps: Deps, payment: Payment): void {
  if (payment.status === 'refused' && payment.provider === 'manual') {
    postPaymentRefused(deps, payment.reference)
  }
}

export function afterExpiry(deps: Deps, orderId: number): void {
  postOrderExpired(deps, orderId)
}
