import type { Tx } from '../../database/transaction.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { enqueueMail } from '../../mail/mail.ts'
import type { Credit } from '../credit.ts'
import type { Payment } from '../payments.ts'

/** Queues the mail about the arrival of a payment's money. */
export async function mailCredit(
  tx: Tx,
  jobs: Jobs,
  { payment, into, returned, walletReason }: Credit,
): Promise<void> {
  const { orderId, reference } = payment
  if (orderId === null) return enqueueMail(tx, jobs, 'top_up_credited', { reference })
  if (into === 'order') await enqueueMail(tx, jobs, 'receipt', { orderId })
  if (walletReason === null) return
  const documentIds = returned.map(({ documentId: id }) => id)
  await enqueueMail(tx, jobs, 'money_in_wallet', { reference, why: walletReason, documentIds })
}

/** Queues the mail with the destination of a transfer's money. */
export async function mailWaiting(tx: Tx, jobs: Jobs, payment: Payment): Promise<void> {
  const { provider, userId, reference } = payment
  if (provider === 'manual') await enqueueMail(tx, jobs, 'payment_waiting', { userId, reference })
}

/** Queues the mail that says that a transfer was refused; for an expired one, the mail about its order suffices. */
export async function mailRefusal(tx: Tx, jobs: Jobs, payment: Payment): Promise<void> {
  const { provider, status, userId, reference } = payment
  if (provider !== 'manual' || status !== 'refused') return
  await enqueueMail(tx, jobs, 'payment_refused', { userId, reference })
}
