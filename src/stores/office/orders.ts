import type { Result } from '../../contract/call.ts'
import type { ShopOrder, ShopOrderDetail } from '../../contract/office-orders.ts'
import * as orders from '../../contract/office-orders.ts'
import type { Millimes } from '../../rules/money.ts'
import { ORDER_STATUSES } from '../../rules/order-states.ts'
import { Refusal } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { choiceOf } from './choice.ts'
import { createLoader } from './loader.ts'
import { idInAddress } from './page-id.ts'
import { createTable } from './table.ts'

/** The orders of the shop, newest first. */
export const orderTable = createTable<ShopOrder, 'newest', Result<typeof orders.listShopOrders>>({
  what: 'orders of the shop',
  sorts: ['newest'],
  filters: ['status'],
  load: ({ page, q, status }, signal) => {
    const query = { page, ...(q && { q }), ...choiceOf('status', status, ORDER_STATUSES) }
    return ask(orders.listShopOrders, { query }, { signal })
  },
})

const reading = createLoader<ShopOrderDetail>('order')
/** The order that the page's address names. */
export const $shopOrder = reading.$state

export function loadShopOrder(): Promise<void> {
  return reading.load(async () => {
    const id = idInAddress()
    if (id === null) throw new Refusal('order_not_found', 404)
    return ask(orders.getShopOrder, { params: { id } })
  })
}

/** What an order gives back: `seen` is the sum that was shown. */
export interface OrderRefund {
  orderId: number
  documentId?: number
  seen: Millimes
}

/** Refunds an order; a repetition with the same `key` has no further effect. Throws an `ApiError`. */
export async function refundShopOrder(
  { orderId, ...refund }: OrderRefund,
  reason: string,
  key: string,
): Promise<void> {
  const input = { params: { id: orderId }, body: { ...refund, reason } }
  try {
    await ask(orders.refundShopOrder, input, { idempotencyKey: key })
  } finally {
    reading.show(await ask(orders.getShopOrder, { params: { id: orderId } }))
  }
}
