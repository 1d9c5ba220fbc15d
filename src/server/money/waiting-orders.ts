import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { lockOwnWallet } from './ledger.ts'

// Changes of orders that are not paid by their own payment (docs/shop/payments.md, "Orders that wait for their money").
// All of them happen under the lock of the buyer's wallet, which comes before those of orders and payments, so
// that a customer's purchases, payments and cancellations never deadlock.

/** Ends an order that was not paid; money that arrives later goes into the wallet. */
export async function endOrder(
  tx: Tx,
  orderId: number,
  status: 'cancelled' | 'replaced',
): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ status })
    .where('id', '=', orderId)
    .where('status', '=', 'pending')
    .execute()
  await tx
    .updateTable('payments')
    .set({ status: 'cancelled' })
    .where('orderId', '=', orderId)
    .where('status', '<>', 'paid')
    .execute()
}

/** Whether an order `o` that is pending can still be paid: by a payment that has begun. */
export const CAN_BE_PAID = sql<boolean>`EXISTS (SELECT FROM payments p
  WHERE p.order_id = o.id AND p.status = 'pending' AND p.pay_url IS NOT NULL)`

/**
 * Makes room for an order of these documents, under the lock of the buyer's wallet. Throws `already_ordered`
 * with the titles of those in another order of the buyer that can still be paid; an order that cannot (its
 * payment was refused, or never began) is replaced by the new one.
 */
export async function makeRoom(
  tx: Tx,
  buyerId: number,
  documentIds: readonly number[],
): Promise<void> {
  const waiting = await replaceUnpayable(tx, buyerId, documentIds)
  if (waiting.length > 0) throw fault('already_ordered', { titles: waiting })
}

/** Replaces the orders of these documents that can no longer be paid; returns the titles of those that wait. */
export async function replaceUnpayable(
  tx: Tx,
  buyerId: number,
  documentIds: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ orderId: number; title: string; waits: boolean }>`
    SELECT o.id AS order_id, d.title, ${CAN_BE_PAID} AS waits
    FROM orders o
    JOIN order_items i ON i.order_id = o.id
    JOIN documents d ON d.id = i.document_id
    WHERE o.buyer_id = ${buyerId} AND o.status = 'pending'
      AND i.document_id = ANY (${[...documentIds]}::integer[])
    ORDER BY d.id`.execute(tx)
  const waiting = rows.filter(({ waits }) => waits)
  for (const orderId of new Set(rows.filter(({ waits }) => !waits).map(({ orderId }) => orderId))) {
    await endOrder(tx, orderId, 'replaced')
  }
  return waiting.map(({ title }) => title)
}

/** Marks as replaced the waiting orders of a buyer who now owns all their documents. */
export async function replaceOwned(tx: Tx, buyerId: number): Promise<void> {
  await sql`
    WITH replaced AS (
      UPDATE orders SET status = 'replaced'
      WHERE buyer_id = ${buyerId} AND status = 'pending' AND NOT EXISTS (
        SELECT FROM order_items i
        WHERE i.order_id = orders.id AND NOT EXISTS (
          SELECT FROM purchases p
          WHERE p.user_id = ${buyerId} AND p.document_id = i.document_id))
      RETURNING id
    )
    UPDATE payments SET status = 'cancelled' FROM replaced
    WHERE payments.order_id = replaced.id AND payments.status <> 'paid'`.execute(tx)
}

/**
 * Cancels a buyer's pending order; an order that has ended in another way stays as it is. Throws
 * `order_not_found`, and `order_paid` for an order that can only be refunded.
 */
export async function cancelOrder(tx: Tx, buyerId: number, orderId: number): Promise<void> {
  await lockOwnWallet(tx, buyerId)
  const order = await tx
    .selectFrom('orders')
    .select('status')
    .where('id', '=', orderId)
    .where('buyerId', '=', buyerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!order) throw fault('order_not_found')
  if (order.status === 'paid') throw fault('order_paid')
  if (order.status === 'pending') await endOrder(tx, orderId, 'cancelled')
}

/**
 * Locks an order and returns whether it is to be paid, under the lock of its buyer's wallet. An order is
 * replaced, with `nothing_to_pay`, if the buyer owns all its documents; any other that has ended is `closed`.
 */
export async function lockPayable(
  tx: Tx,
  orderId: number,
): Promise<'payable' | 'closed' | 'nothing_to_pay'> {
  const { rows } = await sql<{ status: string; lacking: boolean }>`
    SELECT o.status, EXISTS (
        SELECT FROM order_items i
        WHERE i.order_id = o.id AND NOT EXISTS (
          SELECT FROM purchases p
          WHERE p.user_id = o.buyer_id AND p.document_id = i.document_id)) AS lacking
    FROM orders o WHERE o.id = ${orderId} FOR NO KEY UPDATE OF o`.execute(tx)
  const [order] = rows
  if (!order) return 'closed'
  if (!order.lacking && ['pending', 'replaced'].includes(order.status)) {
    await endOrder(tx, orderId, 'replaced')
    return 'nothing_to_pay'
  }
  return order.status === 'pending' ? 'payable' : 'closed'
}
