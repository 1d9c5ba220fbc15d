import { sql } from 'kysely'
import type { DifferenceKind } from '../../../rules/payment-states.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { GatewayPayment } from '../../gateways/gateways.ts'
import type { Payment } from '../payments.ts'

/** The gateway's report on a payment; null where it does not know the payment. */
type Reported = Pick<GatewayPayment, 'gatewayReference' | 'state' | 'amount'> | null

const SENTENCES: Readonly<Record<DifferenceKind, string>> = {
  amount: 'the gateway reports another amount',
  reference: 'the gateway reports it for another order',
  state: 'it is paid here but not at the gateway',
  unknown: 'it is paid here but the gateway does not know it',
}

/** Records that a gateway's report differs from the shop's records; a repeated report is recorded once. */
export async function noteDifference(
  { database, now, report }: Pick<Deps, 'database' | 'now' | 'report'>,
  payment: Payment,
  kind: DifferenceKind,
  reported: Reported,
): Promise<void> {
  const noted = await database.kysely
    .insertInto('paymentDifferences')
    .values({
      paymentId: payment.id,
      kind,
      expectedAmount: payment.amount,
      gatewayReference: reported?.gatewayReference ?? payment.gatewayReference ?? '',
      reportedAmount: reported?.amount ?? 0,
      reportedState: reported?.state ?? 'unknown',
      notedAt: new Date(now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!noted) return
  const sums = `${reported?.amount ?? 0} millimes instead of ${payment.amount}`
  report(`Payment ${payment.reference}: ${SENTENCES[kind]}; ${sums}.`)
}

/** Closes the differences of a payment that the gateway has since confirmed. */
export async function settleDifferences(tx: Tx, paymentId: number, at: Date): Promise<void> {
  await sql`
    UPDATE payment_differences SET outcome = 'settled', decided_at = ${at}
    WHERE payment_id = ${paymentId} AND outcome IS NULL`.execute(tx)
}
