import * as calls from '../../../contract/office-wallets.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route, type User } from '../../http/route.ts'
import { logSight } from '../../staff-log/staff-log.ts'
import { actingOf } from '../acting.ts'
import {
  adjust,
  confirmAdjustment,
  readLeftAlone,
  refuseAdjustment,
  withdrawAdjustment,
} from '../adjustments/adjust.ts'
import { listAdjustments, readAdjustment } from '../adjustments/read-adjustments.ts'
import { readCustomerWallet } from './customer-wallet.ts'

/** Customers' wallets, and the adjustments that administrators make to them. */
export const customerWalletRoutes: Route[] = [
  route(calls.getCustomerWallet, async ({ input: { params, query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE } = query
    const { kysely } = deps.database
    const wallet = await readCustomerWallet(kysely, { userId: params.id, page, size })
    if (!wallet) throw fault('user_not_found')
    const { customer, balance, movements, total } = wallet
    const actor = user.actor
    await logSight(deps, actor, customer.id)
    const leftAlone = await readLeftAlone(kysely, actor, new Date(deps.now()))
    return { ...pageOf(movements, { total, page, size }), customer, balance, leftAlone }
  }),

  route(calls.listAdjustments, async ({ input: { query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE, state, userId } = query
    const filter = { state, userId, page, size, actor: user.actor }
    const { adjustments, total } = await listAdjustments(deps.database.kysely, filter)
    return pageOf(adjustments, { total, page, size })
  }),

  route(calls.adjustWallet, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.adjustWallet, { user, key, input })
    return present(deps, await adjust(deps, input.body, acting), user)
  }),

  route(calls.confirmAdjustment, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.confirmAdjustment, { user, key, input })
    return present(deps, await confirmAdjustment(deps, input.params.id, acting), user)
  }),

  route(calls.refuseAdjustment, async ({ input: { params, body }, user, deps }) => {
    const acting = { actor: user.actor }
    return present(deps, await refuseAdjustment(deps, { ...params, ...body }, acting), user)
  }),

  route(calls.withdrawAdjustment, async ({ input: { params }, user, deps }) => {
    const acting = { actor: user.actor }
    return present(deps, await withdrawAdjustment(deps, params.id, acting), user)
  }),
]

const present = ({ database }: Deps, id: number, user: Pick<User, 'actor'>) =>
  readAdjustment(database.kysely, { id, actor: user.actor })
