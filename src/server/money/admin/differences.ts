import type { Kysely, Selectable } from 'kysely'
import type { Difference } from '../../../contract/office-transfers.ts'
import * as calls from '../../../contract/office-transfers.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { StaffActionName } from '../../../rules/office-actions.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import type { DifferenceOutcome, ReportedState } from '../../../rules/payment-states.ts'
import { countRows } from '../../database/count-rows.ts'
import type { PaymentDifferencesTable } from '../../database/money-tables.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { GatewayError, type GatewayPayment, requireGateway } from '../../gateways/gateways.ts'
import { type ApiFault, fault } from '../../http/errors.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { actorNames, doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import { type Acting, act, actingOf } from '../acting.ts'
import { credit } from '../credit.ts'
import { PERSON_COLUMNS, presentPerson } from '../find-people.ts'
import { lockWallet } from '../ledger.ts'
import { findPayment, type Payment } from '../payments.ts'
import { noteDifference, settle } from '../settle.ts'
import { paymentSubject } from '../transfers.ts'
import { endOrder } from '../waiting-orders.ts'

export const differenceRoutes: Route[] = [
  route(calls.listDifferences, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, state = 'open' } = query
    const filter = { isOpen: state === 'open', page, size }
    const { differences, total } = await listDifferences(deps.database.kysely, filter)
    return pageOf(differences, { total, page, size })
  }),

  route(calls.askAboutPayment, ({ input: { params }, deps }) =>
    askAboutPayment(deps, params.paymentRef),
  ),

  route(calls.bookDifference, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.bookDifference, { user, key, input })
    const id = await bookDifference(deps, input.params.id, acting)
    return readDifference(deps.database.kysely, id)
  }),

  route(calls.closeDifference, async ({ input: { params, body }, user, deps }) => {
    const acting = { actor: user.actor }
    const id = await closeDifference(deps, { ...params, ...body }, acting)
    return readDifference(deps.database.kysely, id)
  }),
]

type DifferenceRow = Selectable<PaymentDifferencesTable>

const BOOK = 'book difference'
const CLOSE = 'close difference'

interface CheckedPayment {
  readonly state: Payment['status']
  readonly gateway: { state: ReportedState; amount: Millimes }
}

/**
 * Checks a payment at the gateway: books what it confirms and notes what differs. Throws
 * `payment_not_found`, `payment_not_at_gateway`, `no_gateway`, `gateway_silent`.
 */
async function askAboutPayment(deps: Deps, reference: string): Promise<CheckedPayment> {
  const payment = await findPayment(deps.database.kysely, reference)
  if (!payment) throw fault('payment_not_found', { message: `There is no payment ${reference}.` })
  const { gatewayReference } = payment
  if (payment.provider === 'manual' || gatewayReference === null) {
    throw fault('payment_not_at_gateway')
  }
  const reported = await readGateway(deps, gatewayReference)
  const gateway = { state: reported?.state ?? ('unknown' as const), amount: reported?.amount ?? 0 }
  if (payment.status !== 'paid') {
    const settled = await orSilent(settle(deps, reference))
    return { state: settled?.status ?? payment.status, gateway }
  }
  if (!reported) await noteDifference(deps, payment, 'unknown', null)
  else if (reported.state === 'unclear') await noteDifference(deps, payment, 'report', reported)
  else if (reported.state !== 'paid') await noteDifference(deps, payment, 'state', reported)
  else if (reported.amount !== payment.amount) {
    await noteDifference(deps, payment, 'amount', reported)
  }
  return { state: payment.status, gateway }
}

/**
 * Books the sum that actually arrived into the payer's wallet and cancels the order that waits for it, since
 * its price was not paid. The gateway has to confirm the sum once more. Returns the difference's id; throws
 * `difference_not_found`, `gateway_says_otherwise`, and `done_before` or `difference_decided` for a difference
 * that is settled.
 */
async function bookDifference(deps: Deps, id: number, acting: Acting): Promise<number> {
  const { difference, payment } = await requireDifference(deps, id)
  const { gatewayReference, reportedAmount: amount } = difference
  const reported = await readGateway(deps, gatewayReference)
  const isConfirmed =
    reported?.state === 'paid' &&
    reported.reference === payment.reference &&
    reported.amount === amount &&
    payment.provider === deps.gateway?.provider
  // The shop's amounts are multiples of 10 millimes.
  if (!isConfirmed || amount <= 0 || amount % 10 !== 0) throw fault('gateway_says_otherwise')
  return act(deps, acting, async (tx) => {
    await lockWallet(tx, payment.userId)
    await lockOpen(tx, id)
    const locked = await tx
      .selectFrom('payments')
      .select(['status', 'orderId'])
      .where('id', '=', payment.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (locked.status === 'paid') throw fault('difference_decided')
    if (locked.orderId !== null) await endOrder(tx, locked.orderId, 'cancelled')
    await tx.updateTable('payments').set({ amount }).where('id', '=', payment.id).execute()
    const at = new Date(deps.now())
    const credited = await credit(tx, deps, payment.id, gatewayReference)
    if (!credited) throw fault('difference_decided')
    await decide(tx, { id, outcome: 'booked', at, acting, action: BOOK })
    return id
  })
}

/** Closes a difference that was settled outside the shop, with a reason; no money moves. */
function closeDifference(
  deps: Deps,
  { id, reason }: { id: number; reason: string },
  acting: Acting,
): Promise<number> {
  return act(deps, acting, async (tx) => {
    await lockOpen(tx, id)
    const at = new Date(deps.now())
    await decide(tx, { id, outcome: 'closed', at, acting, action: CLOSE, reason })
    return id
  })
}

async function readGateway(deps: Deps, reference: string): Promise<GatewayPayment | null> {
  return orSilent(requireGateway(deps).read(reference))
}

async function orSilent<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof GatewayError) throw fault('gateway_silent')
    throw error
  }
}

async function requireDifference({ database }: Deps, id: number) {
  const difference = await database.kysely
    .selectFrom('paymentDifferences')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!difference) throw notFound(id)
  const payment = await database.kysely
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', difference.paymentId)
    .executeTakeFirstOrThrow()
  return { difference, payment }
}

const notFound = (id: number) =>
  fault('difference_not_found', { message: `There is no difference ${id}.` })

const subjectOf = (id: number) => ({ kind: 'difference', id })

async function lockOpen(tx: Tx, id: number): Promise<DifferenceRow> {
  const difference = await tx
    .selectFrom('paymentDifferences')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!difference) throw notFound(id)
  if (difference.outcome !== null) throw await decidedBefore(tx, id)
  return difference
}

async function decidedBefore(tx: Tx, id: number): Promise<ApiFault> {
  const first = await doneBefore(tx, { subject: subjectOf(id), actions: [BOOK, CLOSE] })
  const message = `Difference ${id} is settled already.`
  return fault(first?.code ?? 'difference_decided', { ...first?.extra, message })
}

interface Decision {
  readonly id: number
  readonly outcome: Exclude<DifferenceOutcome, 'settled'>
  readonly at: Date
  readonly acting: Acting
  readonly action: StaffActionName
  readonly reason?: string
}

async function decide(tx: Tx, decision: Decision): Promise<void> {
  const { id, outcome, at, acting, action } = decision
  const { actor } = acting
  const reason = decision.reason ?? null
  const { paymentId } = await tx
    .updateTable('paymentDifferences')
    .set({ outcome, decider: actor, decidedAt: at, reason })
    .where('id', '=', id)
    .returning('paymentId')
    .executeTakeFirstOrThrow()
  await logStaff(tx, { actor, action, subject: subjectOf(id), reason })
  const { reference } = await tx
    .selectFrom('payments')
    .select('reference')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  await logStaff(tx, { actor, action, subject: paymentSubject(reference), reason })
}

/** A page of the open differences, oldest first, or the settled ones, newest first; with their total. */
async function listDifferences(
  db: Kysely<Schema>,
  { isOpen, page, size }: { isOpen: boolean; page: number; size: number },
): Promise<{ differences: Difference[]; total: number }> {
  const found = selectDifferences(db).where('outcome', isOpen ? 'is' : 'is not', null)
  const rows = await found
    .orderBy('difference.id', isOpen ? 'asc' : 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  return { differences: await presentAll(db, rows), total: await countRows(found) }
}

/** One difference, which the caller knows to exist. */
async function readDifference(db: Kysely<Schema>, id: number): Promise<Difference> {
  const rows = await selectDifferences(db).where('difference.id', '=', id).execute()
  const [found] = await presentAll(db, rows)
  if (!found) throw new Error(`difference ${id} is gone`)
  return found
}

type ListedDifference = Awaited<ReturnType<ReturnType<typeof selectDifferences>['execute']>>[number]

function selectDifferences(db: Kysely<Schema>) {
  return db
    .selectFrom('paymentDifferences as difference')
    .innerJoin('payments', 'payments.id', 'difference.paymentId')
    .innerJoin('users', 'users.id', 'payments.userId')
    .select(['difference.id', 'payments.reference as paymentRef', 'payments.orderId'])
    .select(['difference.kind', 'expectedAmount as expected', 'payments.status as state'])
    .select(['reportedAmount as reported', 'reportedState', 'difference.gatewayReference'])
    .select(['notedAt', 'outcome', 'decider', 'decidedAt', 'difference.reason'])
    .select(PERSON_COLUMNS)
}

async function presentAll(
  db: Kysely<Schema>,
  rows: readonly ListedDifference[],
): Promise<Difference[]> {
  const deciders = rows.flatMap(({ decider }) => (decider === null ? [] : [decider]))
  const names = await actorNames(db, deciders)
  return rows.map(({ userId, firstName, lastName, email, phone, ...row }) => ({
    ...row,
    payer: presentPerson({ userId, firstName, lastName, email, phone }),
    notedAt: row.notedAt.toISOString(),
    decider: row.decider === null ? null : (names.get(row.decider) ?? row.decider),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  }))
}
