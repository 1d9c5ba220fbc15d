import * as calls from '../../../contract/office-orders.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { fault } from '../../http/errors.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { logSight } from '../../staff-log/staff-log.ts'
import { actingOf } from '../acting.ts'
import { refundOrder } from '../refunds.ts'
import { findOrder, findOrders } from './find-orders.ts'
import { presentShopOrder, readOrderDetail } from './order-detail.ts'

/** The orders of the shop, which administrators find and refund. */
export const shopOrderRoutes: Route[] = [
  route(calls.listShopOrders, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, q, status } = query
    await deps.payments.numberReceipts()
    const { orders, total } = await findOrders(deps.database.kysely, { q, status, page, size })
    return pageOf(orders.map(presentShopOrder), { total, page, size })
  }),

  route(calls.getShopOrder, async ({ input: { params }, user, deps }) => {
    await deps.payments.numberReceipts()
    const order = await findOrder(deps.database.kysely, params.id)
    if (!order) throw fault('order_not_found')
    await logSight(deps, user.actor, order.userId)
    return readOrderDetail(deps.database.kysely, order)
  }),

  route(calls.refundShopOrder, async ({ input, user, key, deps }) => {
    const { params, body } = input
    const acting = actingOf(calls.refundShopOrder, { user, key, input })
    const { total } = await refundOrder(deps, { orderId: params.id, ...body }, acting)
    return { refunded: total }
  }),
]
