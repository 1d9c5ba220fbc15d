import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { enqueueMail } from '../mail/mail.ts'
import { Refused } from '../refused.ts'
import { lockWalletOf } from './ledger.ts'
import {
  countSales,
  giveBack,
  idsOf,
  type SharedItem,
  type SoldItem,
  tagsOfSale,
  totalOf,
} from './sale.ts'

/** What is given back: one document of an order, or all of it that is left. */
export interface RefundRequest {
  readonly orderId: number
  readonly documentId?: number
}

export interface Refund {
  readonly orderId: number
  readonly buyerId: number
  readonly total: Millimes
  readonly items: readonly SoldItem[]
}

/**
 * Gives prices of a paid order back to its buyer's wallet and takes what that order granted, once
 * however often it is called; then refreshes the pages and mails the buyer. Throws `Refused`.
 */
export async function refundOrder(
  deps: Pick<Deps, 'database' | 'jobs' | 'publisher'>,
  request: RefundRequest,
): Promise<Refund> {
  const refund = await transaction(deps.database, async (tx) => {
    const refunded = await refundItems(tx, request)
    const documentIds = idsOf(refunded.items)
    await enqueueMail(tx, deps.jobs, 'refund', { orderId: refunded.orderId, documentIds })
    return refunded
  })
  deps.publisher.changed(tagsOfSale(refund.items))
  return refund
}

/** The same within a transaction; the caller notifies the pages and the buyer. */
export async function refundItems(tx: Tx, request: RefundRequest): Promise<Refund> {
  const { orderId } = request
  const wallet = await lockWalletOf(tx, async () => {
    const order = await tx
      .selectFrom('orders')
      .select('buyerId')
      .where('id', '=', orderId)
      .executeTakeFirst()
    if (!order) throw new Refused(`There is no order ${orderId}.`)
    return order.buyerId
  })
  const order = await tx
    .selectFrom('orders')
    .select(['buyerId', 'status'])
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (order.status !== 'paid') {
    throw new Refused(`Order ${orderId} is ${order.status}, not paid.`)
  }
  const items = await refundable(tx, request)
  await giveBack(tx, { orderId, walletId: wallet.accountId }, items)
  // A grant of another order was paid by that one.
  await tx
    .deleteFrom('purchases')
    .where('userId', '=', order.buyerId)
    .where('orderId', '=', orderId)
    .where('documentId', 'in', idsOf(items))
    .execute()
  await countSales(tx, items, -1)
  return { orderId, buyerId: order.buyerId, total: totalOf(items), items }
}

/** The items that are asked for and not given back yet; throws `Refused` where there are none. */
async function refundable(tx: Tx, { orderId, documentId }: RefundRequest): Promise<SharedItem[]> {
  const { rows } = await sql<SharedItem & { isRefunded: boolean }>`
    SELECT i.document_id, i.price, d.title, i.teacher_id, i.teacher_share AS share,
      i.refunded_at IS NOT NULL AS is_refunded
    FROM order_items i JOIN documents d ON d.id = i.document_id
    WHERE i.order_id = ${orderId} AND (${documentId ?? null}::integer IS NULL
      OR i.document_id = ${documentId ?? null}::integer)
    ORDER BY i.document_id`.execute(tx)
  const items = rows.filter(({ isRefunded }) => !isRefunded)
  if (rows.length === 0 && documentId !== undefined) {
    throw new Refused(`Document ${documentId} is not part of order ${orderId}.`)
  }
  if (items.length === 0) {
    const what = documentId === undefined ? 'All of' : `Document ${documentId} of`
    throw new Refused(`${what} order ${orderId} was refunded before.`)
  }
  return items.map(({ isRefunded: _, ...item }) => item)
}
