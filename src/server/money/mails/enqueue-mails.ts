import type { Tx } from '../../database/transaction.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { enqueueMail } from '../../mail/mail.ts'
import type { Credit } from '../credit.ts'
import type { Payment } from '../payments.ts'

/** What is mailed when a payment's money has come. */
export async function mailCredit(
  tx: Tx,
  jobs: Jobs,
  { payment, into, returned, strayed }: Credit,
): Promise<void> {
  const { orderId, reference } = payment
  if (orderId === null) return enqueueMail(tx, jobs, 'top_up_credited', { reference })
  if (into === 'order') await enqueueMail(tx, jobs, 'receipt', { orderId })
  if (strayed === null) return
  const documentIds = returned.map(({ documentId: id }) => id)
  await enqueueMail(tx, jobs, 'money_in_wallet', { reference, why: strayed, documentIds })
}

/** A transfer that somebody has yet to make: where to send the money. */
export async function mailWaiting(tx: Tx, jobs: Jobs, payment: Payment): Promise<void> {
  const { provider, userId, reference } = payment
  if (provider === 'manual') await enqueueMail(tx, jobs, 'payment_waiting', { userId, reference })
}

/** A transfer that was refused; of one that merely ran out, its order tells. */
export async function mailRefusal(tx: Tx, jobs: Jobs, payment: Payment): Promise<void> {
  const { provider, status, userId, reference } = payment
  if (provider !== 'manual' || status !== 'refused') return
  await enqueueMail(tx, jobs, 'payment_refused', { userId, reference })
}
