import { type Kysely, type Selectable, sql } from 'kysely'
import type { Adjustment } from '../../../contract/office-wallets.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import { type AdjustmentState, leftAlone, needsSecond } from '../../../rules/ledger.ts'
import { inDinars, type Millimes } from '../../../rules/money.ts'
import type { StaffActionName } from '../../../rules/office-actions.ts'
import { countRows } from '../../database/count-rows.ts'
import type { AdjustmentsTable } from '../../database/money-tables.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type ApiFault, fault } from '../../http/errors.ts'
import { enqueueMail } from '../../mail/mail.ts'
import {
  actorNames,
  describeChanges,
  doneBefore,
  logStaff,
  userActor,
} from '../../staff-log/staff-log.ts'
import { type Acting, act } from '../acting.ts'
import { PERSON_COLUMNS, presentPerson } from '../find-people.ts'
import { lockWallet, post, singleAccount } from '../ledger.ts'

type AdjustmentRow = Selectable<AdjustmentsTable>
type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

interface AdjustmentRequest {
  readonly userId: number
  /** Below 0 if the money is taken from the wallet. */
  readonly amount: Millimes
  readonly reason: string
}

const CONFIRM = 'confirm adjustment'
const REFUSE = 'refuse adjustment'
const WITHDRAW = 'withdraw adjustment'

const subjectOf = (id: number) => ({ kind: 'adjustment', id })

/**
 * Adjusts a customer's wallet. Where this and the actor's adjustments of all wallets within the last day
 * together exceed the limit for one administrator, it waits for a second one. Returns the adjustment's id; throws
 * `user_not_found`, `wallet_too_low`.
 */
export function adjust(parts: Parts, request: AdjustmentRequest, acting: Acting): Promise<number> {
  const { userId, amount, reason } = request
  const { actor } = acting
  return act(parts, acting, async (tx) => {
    await refuseUnknown(tx, userId)
    // Of calls for several wallets at once, each has to count those before it.
    await lock(tx, `adjustments by ${actor}`)
    const { balance } = await lockWallet(tx, userId)
    refuseShort(balance, amount)
    const at = new Date(parts.now())
    const isForTwo = needsSecond(amount, await readLeftAlone(tx, actor, at))
    const made = { state: 'made', decider: actor, decidedAt: at } as const
    const waiting = { state: 'proposed', decider: null } as const
    const adjustment = await tx
      .insertInto('adjustments')
      .values({
        ...request,
        proposer: actor,
        proposedAt: at,
        needsSecond: isForTwo,
        ...(isForTwo ? waiting : made),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (!isForTwo) await book(tx, parts, adjustment)
    const action = isForTwo ? 'propose adjustment' : 'adjust wallet'
    const details = describeChanges([
      ['wallet', userActor(userId)],
      ['amount', inDinars(amount)],
      ['reason', reason],
    ])
    await logStaff(tx, { actor, action, subject: subjectOf(adjustment.id), reason: details })
    return adjustment.id
  })
}

/**
 * Makes an adjustment that somebody else proposed. Throws `adjustment_not_found`, `adjustment_is_yours`,
 * `wallet_too_low`, and `done_before` or `adjustment_decided` for an adjustment that no longer waits.
 */
export function confirmAdjustment(parts: Parts, id: number, acting: Acting): Promise<number> {
  return act(parts, acting, async (tx) => {
    const balance = await lockItsWallet(tx, id)
    const adjustment = await lockProposed(tx, id)
    refuseProposer(adjustment, acting)
    refuseShort(balance, adjustment.amount)
    await decide(tx, parts, { id, state: 'made', acting, action: CONFIRM })
    await book(tx, parts, adjustment)
    return id
  })
}

/** Refuses an adjustment that somebody else proposed; throws as `confirmAdjustment` does. */
export function refuseAdjustment(
  parts: Parts,
  { id, reason }: { id: number; reason: string },
  acting: Acting,
): Promise<number> {
  return act(parts, acting, async (tx) => {
    const adjustment = await lockProposed(tx, id)
    refuseProposer(adjustment, acting)
    await decide(tx, parts, { id, state: 'refused', acting, action: REFUSE, refusal: reason })
    return id
  })
}

/** Withdraws one's own proposal; throws `adjustment_not_yours`, else as `confirmAdjustment` does. */
export function withdrawAdjustment(parts: Parts, id: number, acting: Acting): Promise<number> {
  return act(parts, acting, async (tx) => {
    const adjustment = await lockProposed(tx, id)
    if (adjustment.proposer !== acting.actor) throw fault('adjustment_not_yours')
    await decide(tx, parts, { id, state: 'withdrawn', acting, action: WITHDRAW })
    return id
  })
}

async function refuseUnknown(tx: Tx, userId: number): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('role', '=', 'PARENT')
    .executeTakeFirst()
  if (!user) throw fault('user_not_found', { message: `There is no customer ${userId}.` })
}

function refuseShort(balance: Millimes, amount: Millimes): void {
  if (balance + amount < 0) throw fault('wallet_too_low')
}

function refuseProposer({ proposer }: AdjustmentRow, { actor }: Acting): void {
  if (proposer === actor) throw fault('adjustment_is_yours')
}

/** How much an actor of the staff log may still adjust alone at this time, over all wallets. */
export async function readLeftAlone(
  db: Kysely<Schema>,
  actor: string,
  at: Date,
): Promise<Millimes> {
  const { rows } = await sql<{ sum: Millimes }>`
    SELECT coalesce(sum(abs(amount)), 0)::bigint AS sum FROM adjustments
    WHERE proposer = ${actor} AND state = 'made' AND NOT needs_second
      AND proposed_at > ${new Date(at.getTime() - DAY_MS)}`.execute(db)
  return leftAlone(rows[0]?.sum ?? 0)
}

/** Locks an adjustment that waits; the caller has locked its wallet where that is needed. */
async function lockProposed(tx: Tx, id: number): Promise<AdjustmentRow> {
  const adjustment = await tx
    .selectFrom('adjustments')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!adjustment) throw notFound(id)
  if (adjustment.state !== 'proposed') throw await decidedBefore(tx, adjustment)
  return adjustment
}

/** Locks the wallet of an adjustment and returns its balance. */
async function lockItsWallet(tx: Tx, id: number): Promise<Millimes> {
  const known = await tx
    .selectFrom('adjustments')
    .select('userId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!known) throw notFound(id)
  return (await lockWallet(tx, known.userId)).balance
}

const notFound = (id: number) =>
  fault('adjustment_not_found', { message: `There is no adjustment ${id}.` })

async function decidedBefore(tx: Tx, { id, state }: AdjustmentRow): Promise<ApiFault> {
  const actions = [CONFIRM, REFUSE, WITHDRAW] as const
  const first = await doneBefore(tx, { subject: subjectOf(id), actions })
  const message = `Adjustment ${id} is ${state} already.`
  return fault(first?.code ?? 'adjustment_decided', { ...first?.extra, message })
}

interface Decision {
  readonly id: number
  readonly state: Exclude<AdjustmentState, 'proposed'>
  readonly acting: Acting
  readonly action: StaffActionName
  readonly refusal?: string
}

async function decide(
  tx: Tx,
  { now }: Parts,
  { id, state, acting: { actor }, action, refusal }: Decision,
): Promise<void> {
  await tx
    .updateTable('adjustments')
    .set({ state, decider: actor, decidedAt: new Date(now()), refusal: refusal ?? null })
    .where('id', '=', id)
    .execute()
  await logStaff(tx, { actor, action, subject: subjectOf(id), reason: refusal ?? null })
}

/**
 * Moves the money from or to the adjustments account, and mails the customer; the caller has locked the
 * wallet.
 */
async function book(
  tx: Tx,
  { jobs }: Parts,
  { id, userId, amount, reason }: AdjustmentRow,
): Promise<void> {
  const { accountId } = await lockWallet(tx, userId)
  await post(tx, {
    kind: 'adjustment',
    adjustmentId: id,
    note: reason,
    entries: [
      { accountId, amount },
      { accountId: await singleAccount(tx, 'adjustments'), amount: -amount },
    ],
  })
  await enqueueMail(tx, jobs, 'wallet_adjusted', { adjustmentId: id })
}

interface AdjustmentFilter {
  readonly state?: AdjustmentState | undefined
  readonly userId?: number | undefined
  readonly page: number
  readonly size: number
  /** The reader of the adjustments, as the staff log names them. */
  readonly actor: string
}

/** Adjustments, newest first: a page of them, and how many there are in all. */
export async function listAdjustments(
  db: Kysely<Schema>,
  { state, userId, page, size, actor }: AdjustmentFilter,
): Promise<{ adjustments: Adjustment[]; total: number }> {
  let found = selectAdjustments(db)
  if (state !== undefined) found = found.where('adjustments.state', '=', state)
  if (userId !== undefined) found = found.where('adjustments.userId', '=', userId)
  const rows = await found
    .orderBy('adjustments.id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  return { adjustments: await presentAll(db, rows, actor), total: await countRows(found) }
}

/** One adjustment, which the caller knows to exist. */
export async function readAdjustment(
  db: Kysely<Schema>,
  { id, actor }: { id: number; actor: string },
): Promise<Adjustment> {
  const rows = await selectAdjustments(db).where('adjustments.id', '=', id).execute()
  const [found] = await presentAll(db, rows, actor)
  if (!found) throw new Error(`adjustment ${id} is gone`)
  return found
}

type ListedAdjustment = Awaited<ReturnType<ReturnType<typeof selectAdjustments>['execute']>>[number]

function selectAdjustments(db: Kysely<Schema>) {
  return db
    .selectFrom('adjustments')
    .innerJoin('users', 'users.id', 'adjustments.userId')
    .selectAll('adjustments')
    .select(PERSON_COLUMNS)
}

async function presentAll(
  db: Kysely<Schema>,
  rows: readonly ListedAdjustment[],
  actor: string,
): Promise<Adjustment[]> {
  const names = await actorNames(
    db,
    rows.flatMap(({ proposer, decider }) => (decider === null ? [proposer] : [proposer, decider])),
  )
  const nameOf = (subject: string) => names.get(subject) ?? subject
  return rows.map((row) => ({
    id: row.id,
    customer: presentPerson(row),
    amount: row.amount,
    reason: row.reason,
    needsSecond: row.needsSecond,
    state: row.state,
    proposer: nameOf(row.proposer),
    isYours: row.proposer === actor,
    proposedAt: row.proposedAt.toISOString(),
    decider: row.decider === null ? null : nameOf(row.decider),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    refusal: row.refusal,
  }))
}
