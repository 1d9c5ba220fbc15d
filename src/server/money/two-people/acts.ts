import { type Kysely, type Selectable, sql } from 'kysely'
import type { Act as ListedAct } from '../../../contract/office-acts.ts'
import type { NewCode } from '../../../contract/office-discount-codes.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { StaffActionName } from '../../../rules/office-actions.ts'
import type { PaymentState } from '../../../rules/payment-states.ts'
import {
  type ActKind,
  type ActState,
  ALONE_WAIT_MS,
  BOUNDS,
  type BoundedKind,
  type BoundName,
  CODE_READ_MS,
  leftAlone,
} from '../../../rules/two-people.ts'
import { countRows } from '../../database/count-rows.ts'
import type { ActsTable } from '../../database/money-tables.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type ApiFault, fault } from '../../http/errors.ts'
import { tellTeam } from '../../mail/mail.ts'
import { actorNames, doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import { type Acting, act } from '../acting.ts'
import { PERSON_COLUMNS, presentPerson } from '../find-people.ts'
import { readSetting } from '../settings.ts'
import { isSecond, secondsFor } from './seconds.ts'

/** The input of each kind of act, with which it is done once a second person has confirmed. */
export interface ActInputs {
  adjustment: { userId: number; amount: Millimes }
  return: {
    userId: number
    reference: string
    transferredOn: string
    holder: string
    rib: string
  }
  give_up: { userId: number; account: { holder: string; rib: string } | null }
  merge: { fromId: number; intoId: number; endsDeletionOf: readonly number[] }
  transfer: { reference: string; seen: PaymentState }
  payout: { payoutId: number }
  refund: { orderId: number; documentId: number | null; bundleId?: number }
  discount: NewCode
  code: { userId: number }
  administrator: { email: string; firstName: string; lastName: string; locale: Locale }
  bound: { name: BoundName; from: Millimes; to: Millimes }
}

/** An act that somebody wants to do. */
interface Intended<Kind extends ActKind = ActKind> {
  readonly kind: Kind
  /** What it is done to, of which one act of the kind may wait; null where several may. */
  readonly subject: string | null
  readonly userId?: number | null
  /** What it moves; below 0 where an adjustment takes it. */
  readonly amount: Millimes
  readonly reason: string
  readonly input: ActInputs[Kind]
  /** What the second is shown. */
  readonly detail?: string
  /** Whether it waits for a second at any amount. */
  readonly alwaysTwo?: boolean
}

type ActRow = Selectable<ActsTable>
type Parts = Pick<Deps, 'jobs' | 'now'>

/** An act that is done now. */
export interface DueAct<Kind extends ActKind = ActKind>
  extends Pick<ActRow, 'proposer' | 'proposedAt' | 'amount' | 'reason'> {
  readonly input: ActInputs[Kind]
  /** The administrator who does it, or has confirmed it. */
  readonly decider: string
}

/**
 * Does each kind of act once it is confirmed, within the transaction of the confirmation. Each reads
 * again what it is done to, and throws `act_changed` where that is not what the second was shown.
 * Returns what is to be done after the commit.
 */
export type Executors = {
  readonly [Kind in ActKind]: (tx: Tx, act: DueAct<Kind>) => Promise<(() => void) | undefined>
}

const CONFIRM = 'confirm act'
const REFUSE = 'refuse act'
const WITHDRAW = 'withdraw act'

const subjectOf = (id: number) => ({ kind: 'act', id })

/**
 * Notes an act, and says whether it is done now (null) or waits for a second (its id); one that moves
 * no money is done now, and not noted. The caller does the act in the same transaction; one that
 * locks accounts or wallets first holds `lockActs`. Throws `act_waits` where the same waits already.
 */
export async function propose<Kind extends ActKind>(
  tx: Tx,
  { jobs, now }: Parts,
  acting: Acting,
  { alwaysTwo = false, ...intended }: Intended<Kind>,
): Promise<number | null> {
  const { actor, isOperator = false } = acting
  const { kind, amount } = intended
  const isHeld = alwaysTwo || !isBounded(kind)
  if (amount === 0 && !isHeld) return null
  await lockActs(tx, actor)
  const at = new Date(now())
  const left = isHeld ? null : await readLeftAlone(tx, { kind, actor, at })
  const needsSecond = !isOperator && (left === null || Math.abs(amount) > left)
  if (!needsSecond) {
    await noteDone(tx, { now }, acting, intended)
    return null
  }
  const isLeftAlone = (await secondsFor(tx, { actor, at: now() })).length === 0
  const added = await tx
    .insertInto('acts')
    .values({
      ...rowOf(intended),
      needsSecond: true,
      state: 'waiting',
      proposer: actor,
      proposedAt: at,
      toldAt: isLeftAlone ? at : null,
      decider: null,
    })
    // As a literal: a plan without the parameters does not find the index.
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('state', '=', sql.lit('waiting' satisfies ActState))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!added) throw fault('act_waits')
  await logStaff(tx, {
    actor,
    action: 'propose act',
    subject: subjectOf(added.id),
    reason: `${kind}: ${intended.reason}`,
  })
  if (isLeftAlone) await tellOwner(tx, jobs, added.id)
  return added.id
}

function rowOf({ kind, subject, userId = null, amount, reason, input, detail = '' }: Intended) {
  return { kind, subject, userId, amount, reason, detail, input: JSON.stringify(input) }
}

/** Of acts in several sessions at once, each has to count those before it. */
export const lockActs = (tx: Tx, actor: string) => lock(tx, `acts by ${actor}`)

/** Notes an act that one administrator does alone; the caller holds the lock. Returns its id. */
export async function noteDone(
  tx: Tx,
  { now }: Pick<Deps, 'now'>,
  { actor }: Acting,
  intended: Intended,
): Promise<number> {
  const at = new Date(now())
  const { id } = await tx
    .insertInto('acts')
    .values({
      ...rowOf(intended),
      needsSecond: false,
      state: 'done',
      proposer: actor,
      proposedAt: at,
      decider: actor,
      decidedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const isBounded = (kind: ActKind): kind is BoundedKind => kind in BOUNDS

/** How much of a kind an actor may still do alone, of which at most the bound of one act. */
export async function readLeftAlone(
  db: Kysely<Schema>,
  { kind, actor, at }: { kind: BoundedKind; actor: string; at: Date },
): Promise<Millimes> {
  const { rows } = await sql<{ sum: Millimes }>`
    SELECT coalesce(sum(abs(amount)), 0)::bigint AS sum FROM acts
    WHERE kind = ${kind} AND proposer = ${actor} AND state = 'done' AND NOT needs_second
      AND decided_at > ${new Date(at.getTime() - DAY_MS)}`.execute(db)
  const bound = {
    act: await readSetting(db, `bound_${kind}`),
    day: await readSetting(db, `bound_${kind}_day`),
  }
  return leftAlone(bound, rows[0]?.sum ?? 0)
}

/** Tells the owner, and every administrator, of an act that nobody else confirms. */
export const tellOwner = (tx: Tx, jobs: Deps['jobs'], actId: number) =>
  tellTeam(tx, jobs, 'act_alone', { actId })

/**
 * Does an act that somebody else proposed; or one's own, a day after the owner was told that nobody
 * counts as a second. Throws `act_not_found`, `act_is_yours`, `act_waits_a_day`, `not_a_second`,
 * `act_changed`, and `done_before` or `act_decided` for one that no longer waits.
 */
export async function confirmAct(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
  executors: Executors,
  id: number,
  acting: Acting,
): Promise<number> {
  let after: (() => void) | undefined
  const waits = await act(deps, acting, async (tx) => {
    const row = await lockWaiting(tx, id)
    if (await mustWait(tx, deps, row, acting.actor)) return true
    await decide(tx, deps, { id, state: 'done', acting, action: CONFIRM })
    const { kind, amount, reason, proposer, proposedAt } = row
    const run = executors[kind] as (tx: Tx, act: DueAct) => Promise<(() => void) | undefined>
    const input = row.input as ActInputs[ActKind]
    const { actor: decider } = acting
    after = await run(tx, { input, amount, reason, proposer, proposedAt, decider })
    return false
  })
  if (waits) throw fault('act_waits_a_day')
  after?.()
  return id
}

/**
 * Whether an act of one's own must still wait, where nobody counts as a second: a day from when the
 * owner was told, which happens now where somebody counted before. Throws where it is not this
 * actor's to confirm.
 */
async function mustWait(
  tx: Tx,
  { jobs, now }: Parts,
  { id, proposer, toldAt }: ActRow,
  actor: string,
): Promise<boolean> {
  if (proposer !== actor) {
    const pair = { actor: proposer, second: actor, at: now() }
    if (!(await isSecond(tx, pair))) throw fault('not_a_second')
    return false
  }
  if ((await secondsFor(tx, { actor, at: now() })).length > 0) throw fault('act_is_yours')
  if (toldAt) return now() < toldAt.getTime() + ALONE_WAIT_MS
  await tx
    .updateTable('acts')
    .set({ toldAt: new Date(now()) })
    .where('id', '=', id)
    .execute()
  await tellOwner(tx, jobs, id)
  return true
}

/** Refuses an act that somebody else proposed: any administrator may. */
export function refuseAct(
  deps: Pick<Deps, 'database' | 'now'>,
  { id, reason }: { id: number; reason: string },
  acting: Acting,
): Promise<number> {
  return act(deps, acting, async (tx) => {
    const { proposer } = await lockWaiting(tx, id)
    if (proposer === acting.actor) throw fault('act_is_yours')
    await decide(tx, deps, { id, state: 'refused', acting, action: REFUSE, refusal: reason })
    return id
  })
}

/** Withdraws one's own proposal; throws `act_not_yours`. */
export function withdrawAct(
  deps: Pick<Deps, 'database' | 'now'>,
  id: number,
  acting: Acting,
): Promise<number> {
  return act(deps, acting, async (tx) => {
    const { proposer } = await lockWaiting(tx, id)
    if (proposer !== acting.actor) throw fault('act_not_yours')
    await decide(tx, deps, { id, state: 'withdrawn', acting, action: WITHDRAW })
    return id
  })
}

async function lockWaiting(tx: Tx, id: number): Promise<ActRow> {
  const row = await tx
    .selectFrom('acts')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw fault('act_not_found', { message: `There is no act ${id}.` })
  if (row.state !== 'waiting') throw await decidedBefore(tx, row)
  return row
}

async function decidedBefore(tx: Tx, { id, state }: ActRow): Promise<ApiFault> {
  if (state === 'changed') return fault('act_changed')
  const actions = [CONFIRM, REFUSE, WITHDRAW] as const
  const first = await doneBefore(tx, { subject: subjectOf(id), actions })
  const message = `Act ${id} is ${state} already.`
  return fault(first?.code ?? 'act_decided', { ...first?.extra, message })
}

interface Decision {
  readonly id: number
  readonly state: Exclude<ActState, 'waiting'>
  readonly acting: Acting
  readonly action: StaffActionName
  readonly refusal?: string
}

async function decide(
  tx: Tx,
  { now }: Pick<Deps, 'now'>,
  { id, state, acting: { actor }, action, refusal }: Decision,
): Promise<void> {
  await tx
    .updateTable('acts')
    .set({ state, decider: actor, decidedAt: new Date(now()), refusal: refusal ?? null })
    .where('id', '=', id)
    .execute()
  await logStaff(tx, { actor, action, subject: subjectOf(id), reason: refusal ?? null })
}

/** Ends what waits on this subject, since `actor` has changed what it is about. */
export async function endWaiting(
  tx: Tx,
  { now }: Pick<Deps, 'now'>,
  { kind, subject, actor }: { kind: ActKind; subject: string; actor: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('acts')
    .set({ state: 'changed', decider: actor, decidedAt: new Date(now()) })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Uses what a second has allowed: true once for each confirmed act of this kind on this thing, and,
 * where `proposer` is given, by this one alone within `CODE_READ_MS`.
 */
export async function spendAllowed(
  tx: Tx,
  { kind, subject, proposer, at }: { kind: ActKind; subject: string; proposer?: string; at: Date },
): Promise<boolean> {
  const since = new Date(at.getTime() - CODE_READ_MS)
  let allowed = tx
    .selectFrom('acts')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('state', '=', 'done')
    .where('needsSecond', '=', true)
    .where('usedAt', 'is', null)
  if (proposer !== undefined) {
    allowed = allowed.where('proposer', '=', proposer).where('decidedAt', '>', since)
  }
  const used = await tx
    .updateTable('acts')
    .set({ usedAt: at })
    .where('id', 'in', allowed.orderBy('id').limit(1).forUpdate())
    .where('usedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** Whether an act of a kind on this thing waits for a second. */
export async function isWaiting(
  db: Kysely<Schema>,
  { kind, subject }: { kind: ActKind; subject: string },
): Promise<boolean> {
  const waiting = await db
    .selectFrom('acts')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return waiting !== undefined
}

/** The acts of a kind that wait for a second, by what they are about. */
export async function waitingActs(
  db: Kysely<Schema>,
  kind: ActKind,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('acts')
    .select(['subject', 'id'])
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .execute()
  return new Map(rows.map(({ subject, id }) => [subject ?? '', id]))
}

/** The subjects of confirmed acts of a kind that nobody has used yet. */
export async function allowedSubjects(db: Kysely<Schema>, kind: ActKind): Promise<Set<string>> {
  const rows = await db
    .selectFrom('acts')
    .select('subject')
    .where('kind', '=', kind)
    .where('state', '=', 'done')
    .where('needsSecond', '=', true)
    .where('usedAt', 'is', null)
    .execute()
  return new Set(rows.flatMap(({ subject }) => subject ?? []))
}

interface ActFilter {
  readonly state?: ActState | undefined
  readonly userId?: number | undefined
  readonly page: number
  readonly size: number
  /** The reader, as the staff log names them. */
  readonly actor: string
  readonly at: number
}

/** Acts, newest first: a page of them, and how many there are in all. */
export async function listActs(
  db: Kysely<Schema>,
  { state, userId, page, size, actor, at }: ActFilter,
): Promise<{ acts: ListedAct[]; total: number }> {
  let found = selectActs(db)
  if (state !== undefined) found = found.where('acts.state', '=', state)
  if (userId !== undefined) found = found.where('acts.userId', '=', userId)
  const rows = await found
    .orderBy('acts.id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  return { acts: await presentAll(db, rows, { actor, at }), total: await countRows(found) }
}

/** The bound that an act raises, or null. */
export const raisedBy = ({ kind, input }: Pick<ActRow, 'kind' | 'input'>) =>
  kind === 'bound' ? (input as ActInputs['bound']) : null

/** One act, which the caller knows to exist. */
export async function readAct(
  db: Kysely<Schema>,
  { id, ...reader }: { id: number; actor: string; at: number },
): Promise<ListedAct> {
  const rows = await selectActs(db).where('acts.id', '=', id).execute()
  const [found] = await presentAll(db, rows, reader)
  if (!found) throw new Error(`act ${id} is gone`)
  return found
}

type FoundAct = Awaited<ReturnType<ReturnType<typeof selectActs>['execute']>>[number]

function selectActs(db: Kysely<Schema>) {
  return db
    .selectFrom('acts')
    .leftJoin('users', 'users.id', 'acts.userId')
    .selectAll('acts')
    .select(PERSON_COLUMNS)
}

async function presentAll(
  db: Kysely<Schema>,
  rows: readonly FoundAct[],
  { actor, at }: { actor: string; at: number },
): Promise<ListedAct[]> {
  const names = await actorNames(
    db,
    rows.flatMap(({ proposer, decider }) => (decider === null ? [proposer] : [proposer, decider])),
  )
  const nameOf = (subject: string) => names.get(subject) ?? subject
  const isAlone =
    rows.some(({ state, proposer }) => state === 'waiting' && proposer === actor) &&
    (await secondsFor(db, { actor, at })).length === 0
  const listed: ListedAct[] = []
  for (const row of rows) {
    const isYours = row.proposer === actor
    const waits = row.state === 'waiting'
    listed.push({
      id: row.id,
      kind: row.kind,
      customer:
        row.userId === null
          ? null
          : presentPerson({
              ...row,
              userId: row.userId,
              firstName: row.firstName ?? '',
              lastName: row.lastName ?? '',
            }),
      amount: row.amount,
      detail: row.detail,
      endsDeletion: endsDeletion(row),
      bound: raisedBy(row),
      reason: row.reason,
      needsSecond: row.needsSecond,
      state: row.state,
      proposer: nameOf(row.proposer),
      isYours,
      mayConfirm:
        waits && !isYours && (await isSecond(db, { actor: row.proposer, second: actor, at })),
      aloneFrom:
        waits && isYours && isAlone
          ? new Date((row.toldAt?.getTime() ?? at) + ALONE_WAIT_MS).toISOString()
          : null,
      proposedAt: row.proposedAt.toISOString(),
      decider: row.decider === null ? null : nameOf(row.decider),
      decidedAt: row.decidedAt?.toISOString() ?? null,
      refusal: row.refusal,
    })
  }
  return listed
}

const endsDeletion = ({ kind, input }: FoundAct): boolean =>
  kind === 'merge' && (input as ActInputs['merge']).endsDeletionOf.length > 0

/** What administrators did on some days or hours, by person and kind; `alone` without a second. */
export async function sumsByActor(
  db: Kysely<Schema>,
  { from, to }: { from: Date; to: Date },
): Promise<{ by: string; kind: ActKind; count: number; amount: Millimes; alone: Millimes }[]> {
  const { rows } = await sql<{
    by: string
    kind: ActKind
    count: number
    amount: Millimes
    alone: Millimes
  }>`
    SELECT proposer AS by, kind, count(*)::integer AS count, sum(abs(amount))::bigint AS amount,
      coalesce(sum(abs(amount)) FILTER (WHERE NOT needs_second OR decider = proposer), 0)::bigint
        AS alone
    FROM acts WHERE state = 'done' AND decided_at >= ${from} AND decided_at < ${to}
    GROUP BY proposer, kind ORDER BY proposer, kind`.execute(db)
  const names = await actorNames(
    db,
    rows.map(({ by }) => by),
  )
  return rows.map((row) => ({ ...row, by: names.get(row.by) ?? row.by }))
}
