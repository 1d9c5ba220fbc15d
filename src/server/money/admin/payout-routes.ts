import * as calls from '../../../contract/payouts.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { actingOf } from '../acting.ts'
import { recordPayout, refusePayout } from '../payouts/decide-payouts.ts'
import { findPayout, type ListedPayout, listPayouts } from '../payouts/list-payouts.ts'
import { presentPayout } from '../payouts/present.ts'
import { changeSetting, readSetting } from '../settings.ts'

/** Payouts that teachers request, and that administrators transfer and record. */
export const teacherPayoutRoutes: Route[] = [
  route(calls.listTeacherPayouts, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, state = 'requested' } = query
    const filter = { state, page, size, at: deps.now() }
    const { payouts, total } = await listPayouts(deps.database.kysely, filter)
    return pageOf(payouts.map(present), { total, page, size })
  }),

  route(calls.recordTeacherPayout, async ({ input, user, key, deps }) => {
    const { params, body } = input
    if (body.transferredOn > tunisianDay(new Date(deps.now()))) {
      throw fault('invalid_input', { fields: { transferredOn: 'max' } })
    }
    const acting = actingOf(calls.recordTeacherPayout, { user, key, input })
    const { id } = await recordPayout(deps, { payoutId: params.id, ...body }, acting)
    return present(await find(deps, id))
  }),

  route(calls.refuseTeacherPayout, async ({ input, user, key, deps }) => {
    const { params, body } = input
    const acting = actingOf(calls.refuseTeacherPayout, { user, key, input })
    const { id } = await refusePayout(deps, { payoutId: params.id, ...body }, acting)
    return present(await find(deps, id))
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

const find = ({ database, now }: Deps, id: number) => findPayout(database.kysely, { id, at: now() })

function present(payout: ListedPayout): calls.TeacherPayout {
  const { teacherId, firstName, lastName, email, holder, left, transferredOn } = payout
  return {
    ...presentPayout(payout),
    holder,
    left,
    transferredOn,
    teacher: { id: teacherId, name: `${firstName} ${lastName}`.trim(), email },
  }
}
