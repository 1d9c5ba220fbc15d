import type { Kysely } from 'kysely'
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type GatewayState,
} from '../../rules/payment-states.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Gateway, GatewayPayment } from '../gateways/gateways.ts'
import { enqueueMail } from '../mail/mail.ts'
import { credit } from './credit.ts'
import { findPayment, type Payment } from './payments.ts'
import { tagsOfSale } from './sale.ts'

/**
 * Brings a payment to the state that its gateway reports. It is the only way in which a gateway's money is
 * booked, and is safe to call by anyone, repeatedly and in any order. The reference is ours or the gateway's.
 * Resolves to the payment, or to null if neither side knows it. Throws `GatewayError` when the gateway does
 * not answer; the payment then stays as it is.
 */
export async function settle(deps: Deps, reference: string): Promise<Payment | null> {
  const known = await findPayment(deps.database.kysely, reference)
  if (known && (known.status === 'paid' || known.provider === 'manual')) return known
  // A webhook may arrive before the answer that contains the gateway's reference.
  const gatewayReference = known ? known.gatewayReference : reference
  // Without a configured gateway nothing can be checked; its payments are settled once it is configured again.
  const { gateway } = deps
  if (gatewayReference === null || !gateway) return known ?? null
  // For each gateway reference one request runs at a time, however many callers there are.
  return deps.payments.settling(gatewayReference, () =>
    readAndApply(deps, gateway, gatewayReference, known),
  )
}

async function readAndApply(
  deps: Deps,
  gateway: Gateway,
  gatewayReference: string,
  known: Payment | undefined,
): Promise<Payment | null> {
  // Outside any transaction, so that no lock is held during the request.
  const reported = await gateway.read(gatewayReference)
  if (!reported || reported.gatewayReference !== gatewayReference) return known ?? null

  const payment = known ?? (await findPayment(deps.database.kysely, reported.reference))
  if (!payment || payment.provider !== gateway.provider) return null
  if (reported.state === 'unclear') {
    await noteDifference(deps, payment, 'report', reported)
    return payment
  }
  await settleDifferences(deps.database.kysely, payment.id, new Date(deps.now()), ['report'])
  if (payment.reference !== reported.reference) {
    await noteDifference(deps, payment, 'reference', reported)
    return payment
  }
  return apply(deps, payment, reported.state, reported)
}

async function apply(
  deps: Deps,
  payment: Payment,
  state: Exclude<GatewayState, 'unclear'>,
  reported: GatewayPayment,
): Promise<Payment> {
  if (state === 'paid') {
    if (reported.amount !== payment.amount) {
      await noteDifference(deps, payment, 'amount', reported)
      return payment
    }
    return (await book(deps, payment.id, reported.gatewayReference)) ?? payment
  }
  if (state === 'pending' || payment.status !== 'pending') {
    return payment
  }
  const { id } = payment
  const closed = await transaction(deps.database, (tx) => closePayment(tx, deps, id, state))
  return closed ?? payment
}

/** Credits a payment once and returns its new state. */
async function book(
  deps: Deps,
  paymentId: number,
  gatewayReference: string | null,
): Promise<Payment | undefined> {
  const done = await transaction(deps.database, async (tx) => {
    const credited = await credit(tx, deps, paymentId, gatewayReference)
    if (!credited) return null
    await settleDifferences(tx, paymentId, new Date(deps.now()))
    return credited
  })
  if (!done) return findById(deps, paymentId)
  if (done.sold.length > 0) deps.publisher.changedSoon(tagsOfSale(done.sold))
  return done.payment
}

/** Closes a pending payment that will not be made; money that comes later still counts. */
export async function closePayment(
  tx: Tx,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  paymentId: number,
  status: 'refused' | 'expired',
): Promise<Payment | undefined> {
  const closed = await tx
    .updateTable('payments')
    .set({ status, settledAt: new Date(now()) })
    .where('id', '=', paymentId)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
  // For an expired transfer, the mail about its order suffices.
  if (closed?.provider === 'manual' && status === 'refused') {
    const { userId, reference } = closed
    await enqueueMail(tx, jobs, 'payment_refused', { userId, reference })
  }
  return closed
}

function findById({ database }: Deps, id: number): Promise<Payment | undefined> {
  return database.kysely.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The gateway's report on a payment; null where it does not know the payment. */
type Reported = Pick<GatewayPayment, 'gatewayReference' | 'state' | 'amount' | 'unclear'> | null

const SENTENCES: Readonly<Record<DifferenceKind, string>> = {
  amount: 'the gateway reports another amount',
  reference: 'the gateway reports it for another order',
  state: 'it is paid here but not at the gateway',
  unknown: 'it is paid here but the gateway does not know it',
  report: 'what the gateway reports is not understood',
}

/**
 * Records that a gateway's report differs from the shop's records; a repeated report is recorded once, and
 * again where it had been settled.
 */
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
    .onConflict((conflict) =>
      conflict
        .columns(['paymentId', 'kind', 'gatewayReference', 'reportedAmount', 'reportedState'])
        .doUpdateSet({ outcome: null, decidedAt: null, notedAt: new Date(now()) })
        .where('paymentDifferences.outcome', '=', 'settled'),
    )
    .returning('id')
    .executeTakeFirst()
  if (!noted) return
  const sums = `${reported?.amount ?? 0} millimes instead of ${payment.amount}`
  report(`Payment ${payment.reference}: ${SENTENCES[kind]}; ${reported?.unclear ?? sums}.`)
}

/** Closes the differences of a payment that a later report of the gateway has resolved. */
async function settleDifferences(
  db: Kysely<Schema>,
  paymentId: number,
  at: Date,
  kinds: readonly DifferenceKind[] = DIFFERENCE_KINDS,
): Promise<void> {
  await db
    .updateTable('paymentDifferences')
    .set({ outcome: 'settled', decidedAt: at })
    .where('paymentId', '=', paymentId)
    .where('kind', 'in', kinds)
    .where('outcome', 'is', null)
    .execute()
}
