import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { enqueueMail } from '../mail/queue.ts'
import { noteChanges } from '../publishing/publishing.ts'
import { lockWallet, post, salesAccounts } from './ledger.ts'
import { tagsOfSale } from './sale.ts'

/** What is given back: one document of an order, or all of it that is left. */
export interface RefundRequest {
  readonly orderId: number
  readonly documentId?: number
}

export interface Refund {
  readonly orderId: number
  readonly buyerId: number
  readonly total: Millimes
  readonly items: readonly RefundedItem[]
}

interface RefundedItem {
  readonly documentId: number
  readonly title: string
  readonly teacherId: number
  readonly price: Millimes
}

export type RefusedRefundReason =
  | 'order_not_found'
  | 'not_paid'
  | 'not_in_order'
  | 'already_refunded'

/** Why there is nothing to give back. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused'
  readonly reason: RefusedRefundReason

  constructor(reason: RefusedRefundReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Gives prices of a paid order back to its buyer's wallet and takes what that order granted, once
 * however often it is called; afterwards the pages and the buyer hear of it. Throws `RefundRefused`.
 */
export async function refundOrder(
  deps: Pick<Deps, 'database' | 'jobs' | 'publisher'>,
  request: RefundRequest,
): Promise<Refund> {
  const refund = await transaction(deps.database, async (tx) => {
    const refunded = await refundItems(tx, request)
    const documentIds = refunded.items.map(({ documentId }) => documentId)
    await enqueueMail(tx, deps.jobs, 'refund', { orderId: refunded.orderId, documentIds })
    return refunded
  })
  deps.publisher.changed(tagsOfSale(refund.items))
  return refund
}

/**
 * The same within a transaction; the caller tells the pages. Items that are refunded together, and
 * only those, carry the moment of their ledger transaction.
 */
export async function refundItems(tx: Tx, request: RefundRequest): Promise<Refund> {
  const { orderId } = request
  const buyer = await tx
    .selectFrom('orders')
    .select('buyer_id')
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!buyer) throw new RefundRefused('order_not_found', `There is no order ${orderId}.`)
  const wallet = await lockWallet(tx, buyer.buyer_id)
  const order = await tx
    .selectFrom('orders')
    .select(['buyer_id', 'status'])
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (order.status !== 'paid') {
    throw new RefundRefused('not_paid', `Order ${orderId} is ${order.status}, not paid.`)
  }
  const items = await markRefunded(tx, request)
  const total = items.reduce((sum, { price }) => sum + price, 0)

  const accounts = await salesAccounts(
    tx,
    items.map(({ teacherId }) => teacherId),
  )
  const entries = items.map(({ teacherId, price }) => ({
    accountId: accounts.get(teacherId) ?? 0,
    amount: -price,
  }))
  await post(tx, {
    kind: 'refund',
    orderId,
    entries: [{ accountId: wallet.accountId, amount: total }, ...entries],
  })
  const documentIds = items.map(({ documentId }) => documentId)
  // A grant of another order was paid by that one.
  await tx
    .deleteFrom('purchases')
    .where('user_id', '=', order.buyer_id)
    .where('order_id', '=', orderId)
    .where('document_id', 'in', documentIds)
    .execute()
  const refund = { orderId, buyerId: order.buyer_id, total, items }
  await noteChanges(tx, tagsOfSale(refund.items))
  await uncountSales(tx, documentIds)
  return refund
}

async function markRefunded(
  tx: Tx,
  { orderId, documentId }: RefundRequest,
): Promise<RefundedItem[]> {
  const { rows } = await sql<RefundedItem & { isRefunded: boolean }>`
    SELECT i.document_id AS "documentId", i.price, d.title, d.teacher_id AS "teacherId",
      i.refunded_at IS NOT NULL AS "isRefunded"
    FROM order_items i JOIN documents d ON d.id = i.document_id
    WHERE i.order_id = ${orderId} AND (${documentId ?? null}::integer IS NULL
      OR i.document_id = ${documentId ?? null}::integer)
    ORDER BY i.document_id`.execute(tx)
  const items = rows.filter(({ isRefunded }) => !isRefunded)
  if (rows.length === 0 && documentId !== undefined) {
    throw new RefundRefused(
      'not_in_order',
      `Document ${documentId} is not part of order ${orderId}.`,
    )
  }
  if (items.length === 0) {
    const what = documentId === undefined ? 'All of' : `Document ${documentId} of`
    throw new RefundRefused('already_refunded', `${what} order ${orderId} was refunded before.`)
  }
  await tx
    .updateTable('order_items')
    .set({ refunded_at: sql<Date>`now()` })
    .where('order_id', '=', orderId)
    .where(
      'document_id',
      'in',
      items.map((item) => item.documentId),
    )
    .execute()
  return items.map(({ isRefunded: _, ...item }) => item)
}

/** The counting of a purchase backwards, its locks in the same order. */
async function uncountSales(tx: Tx, documentIds: readonly number[]): Promise<void> {
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM documents WHERE id = ANY (${[...documentIds]}::integer[])
      ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE documents SET sales_count = greatest(sales_count - 1, 0)
      FROM locked WHERE documents.id = locked.id
      RETURNING documents.teacher_id
    ), returned AS MATERIALIZED (
      SELECT teacher_id, count(*)::integer AS sales FROM counted GROUP BY teacher_id
    ), sellers AS MATERIALIZED (
      SELECT id FROM teachers WHERE id IN (SELECT teacher_id FROM returned)
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE teachers SET sales_count = greatest(sales_count - returned.sales, 0)
    FROM sellers JOIN returned ON returned.teacher_id = sellers.id
    WHERE teachers.id = sellers.id`.execute(tx)
}
