import type { Kysely } from 'kysely'
import * as calls from '../../../contract/payouts.ts'
import { fullName } from '../../../rules/full-name.ts'
import type { Millimes } from '../../../rules/money.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { actingOf } from '../acting.ts'
import { readBalance } from '../earnings/balance.ts'
import {
  askForApproval,
  payoutName,
  recordPayout,
  refusePayout,
} from '../payouts/decide-payouts.ts'
import { type Payout, presentPayout } from '../payouts/payouts.ts'
import { changeSetting, readSetting } from '../settings.ts'
import { allowedSubjects, readLeftAlone, waitingActs } from '../two-people/acts.ts'

export const teacherPayoutRoutes: Route[] = [
  route(calls.listTeacherPayouts, async ({ input: { query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE, state = 'requested' } = query
    const filter = { state, page, size, at: deps.now() }
    const { payouts, total } = await listPayouts(deps.database.kysely, filter)
    const listed = await presentAll(deps, payouts, user.actor)
    return pageOf(listed, { total, page, size })
  }),

  route(calls.recordTeacherPayout, async ({ input, user, key, deps }) => {
    const { params, body } = input
    if (body.transferredOn > tunisianDay(new Date(deps.now()))) {
      throw fault('invalid_input', { fields: { transferredOn: 'max' } })
    }
    const acting = actingOf(calls.recordTeacherPayout, { user, key, input })
    const { id } = await recordPayout(deps, { payoutId: params.id, ...body }, acting)
    return presentOne(deps, id, user.actor)
  }),

  route(calls.askForPayoutApproval, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.askForPayoutApproval, { user, key, input })
    const { id: payoutId } = input.params
    return { waits: await askForApproval(deps, { payoutId, ...input.body }, acting) }
  }),

  route(calls.refuseTeacherPayout, async ({ input, user, key, deps }) => {
    const { params, body } = input
    const acting = actingOf(calls.refuseTeacherPayout, { user, key, input })
    const { id } = await refusePayout(deps, { payoutId: params.id, ...body }, acting)
    return presentOne(deps, id, user.actor)
  }),

  route(calls.getPayoutTerms, ({ deps }) => readTerms(deps)),

  route(calls.setPayoutTerms, async ({ input: { body }, user, deps }) => {
    const { holdDays, payoutMinimum, reason } = body
    const by = { actor: user.actor, reason }
    if (holdDays !== undefined) {
      await changeSetting(deps, { name: 'hold_days', value: holdDays, ...by })
    }
    if (payoutMinimum !== undefined) {
      await changeSetting(deps, { name: 'payout_minimum', value: payoutMinimum, ...by })
    }
    return readTerms(deps)
  }),
]

const readTerms = async ({ database: { kysely } }: Deps): Promise<calls.PayoutTerms> => ({
  holdDays: await readSetting(kysely, 'hold_days'),
  payoutMinimum: await readSetting(kysely, 'payout_minimum'),
})

async function presentOne(deps: Deps, id: number, actor: string): Promise<calls.TeacherPayout> {
  const payout = await findPayout(deps.database.kysely, { id, at: deps.now() })
  const [listed] = await presentAll(deps, [payout], actor)
  if (!listed) throw new Error(`payout ${id} is gone`)
  return listed
}

/** Payouts as `actor` sees them, who may record some only once a second has approved them. */
async function presentAll(
  { database: { kysely }, now }: Deps,
  payouts: readonly ListedPayout[],
  actor: string,
): Promise<calls.TeacherPayout[]> {
  const left = await readLeftAlone(kysely, { kind: 'payout', actor, at: new Date(now()) })
  const approved = await allowedSubjects(kysely, 'payout')
  const waiting = await waitingActs(kysely, 'payout')
  return payouts.map((payout) => ({
    ...presentListed(payout),
    needsApproval:
      payout.status === 'requested' && payout.amount > left && !approved.has(payoutName(payout.id)),
    waits: waiting.get(payoutName(payout.id)) ?? null,
  }))
}

function presentListed(payout: ListedPayout): Omit<calls.TeacherPayout, 'needsApproval' | 'waits'> {
  const { teacherId, email, holder, left, transferredOn, isUnapproved } = payout
  return {
    ...presentPayout(payout),
    holder,
    left,
    transferredOn,
    isUnapproved,
    teacher: { id: teacherId, name: fullName(payout), email },
  }
}

interface ListedPayout extends Payout {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** The teacher's balance after this payout; null unless it waits. */
  readonly left: Millimes | null
}

interface PayoutFilter {
  /** null: payouts in any state. */
  readonly state: Payout['status'] | null
  readonly page: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A page of the payouts that wait, oldest first, or of others, newest first; with their total. */
async function listPayouts(
  db: Kysely<Schema>,
  { state, page, size, at }: PayoutFilter,
): Promise<{ payouts: ListedPayout[]; total: number }> {
  let query = selectPayouts(db)
  if (state) query = query.where('status', '=', state)
  const rows = await query
    .orderBy('payouts.id', state === 'requested' ? 'asc' : 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  const payouts: ListedPayout[] = []
  for (const row of rows) payouts.push({ ...row, left: await leftAfter(db, row, at) })
  return { payouts, total: await countRows(query) }
}

/** One payout, which the caller knows to exist. */
async function findPayout(
  db: Kysely<Schema>,
  { id, at }: { id: number; at: number },
): Promise<ListedPayout> {
  const row = await selectPayouts(db).where('payouts.id', '=', id).executeTakeFirstOrThrow()
  return { ...row, left: await leftAfter(db, row, at) }
}

function selectPayouts(db: Kysely<Schema>) {
  return db
    .selectFrom('payouts')
    .innerJoin('teachers', 'teachers.id', 'payouts.teacherId')
    .selectAll('payouts')
    .select(['teachers.firstName', 'teachers.lastName', 'teachers.email'])
}

async function leftAfter(db: Kysely<Schema>, { teacherId, status, amount }: Payout, at: number) {
  if (status !== 'requested') return null
  const { balance } = await readBalance(db, { teacherId, at })
  return balance - amount
}
