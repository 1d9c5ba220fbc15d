import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { GatewayPayment } from '../gateways/gateway.ts'
import type { Payment } from '../payments.ts'

export type DifferenceKind = 'amount' | 'reference' | 'state' | 'unknown'

/** What a gateway says of a payment; null: it does not know it. */
type Reported = Pick<GatewayPayment, 'gatewayReference' | 'state' | 'amount'> | null

const SENTENCES: Readonly<Record<DifferenceKind, string>> = {
  amount: 'the gateway has another sum',
  reference: 'the gateway says it is for another order',
  state: 'it is paid here, and not at the gateway',
  unknown: 'it is paid here, and the gateway does not know it',
}

/** Notes that a gateway says something else than the shop has, once however often it says so. */
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
  const sums = `${reported?.amount ?? 0} millimes were paid in place of ${payment.amount}`
  report(`Payment ${payment.reference}: ${SENTENCES[kind]}; ${sums}.`)
}

/** Closes what was noted of a payment that the gateway has confirmed since. */
export async function settleDifferences(tx: Tx, paymentId: number, at: Date): Promise<void> {
  await sql`
    UPDATE payment_differences SET outcome = 'settled', decided_at = ${at}
    WHERE payment_id = ${paymentId} AND outcome IS NULL`.execute(tx)
}
