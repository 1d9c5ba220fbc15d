import * as calls from '../../contract/office-acts.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import type { Deps } from '../deps.ts'
import { pageOf, type Route, route, type User } from '../http/route.ts'
import {
  actingOf,
  adjustmentAct,
  approvePayoutAct,
  boundAct,
  confirmAct,
  confirmTransferAct,
  discountAct,
  type Executors,
  listActs,
  readAct,
  readBounds,
  refundAct,
  refuseAct,
  setBound,
  withdrawAct,
} from '../money/money.ts'
import { giveUpAct, returnAct } from '../own-data/own-data.ts'
import { administratorAct, codeAct, mergeAct } from '../people/people.ts'

/** How each kind of act is done once a second has confirmed it. */
const executorsOf = (deps: Deps): Executors => ({
  adjustment: adjustmentAct(deps),
  return: returnAct(deps),
  give_up: giveUpAct(deps),
  merge: mergeAct(deps),
  transfer: confirmTransferAct(deps),
  payout: approvePayoutAct,
  refund: refundAct(deps),
  discount: discountAct(deps),
  code: codeAct,
  administrator: administratorAct(deps),
  bound: boundAct(deps),
})

/** The acts that wait for a second administrator, and the bounds above which they wait. */
export const actRoutes: Route[] = [
  route(calls.listActs, async ({ input: { query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE, state, userId } = query
    const filter = { state, userId, page, size, actor: user.actor, at: deps.now() }
    const { acts, total } = await listActs(deps.database.kysely, filter)
    return pageOf(acts, { total, page, size })
  }),

  route(calls.confirmAct, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.confirmAct, { user, key, input })
    return readOwnAct(
      deps,
      await confirmAct(deps, executorsOf(deps), input.params.id, acting),
      user,
    )
  }),

  route(calls.refuseAct, async ({ input: { params, body }, user, deps }) => {
    const acting = { actor: user.actor }
    return readOwnAct(deps, await refuseAct(deps, { ...params, ...body }, acting), user)
  }),

  route(calls.withdrawAct, async ({ input: { params }, user, deps }) => {
    const acting = { actor: user.actor }
    return readOwnAct(deps, await withdrawAct(deps, params.id, acting), user)
  }),

  route(calls.getBounds, async ({ deps }) => ({ bounds: await readBounds(deps.database.kysely) })),

  route(calls.setBound, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.setBound, { user, key, input })
    const waits = await setBound(deps, input.body, acting)
    return { bounds: await readBounds(deps.database.kysely), waits }
  }),
]

const readOwnAct = ({ database, now }: Deps, id: number, { actor }: Pick<User, 'actor'>) =>
  readAct(database.kysely, { id, actor, at: now() })
