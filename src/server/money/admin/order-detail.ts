import { type Kysely, sql } from 'kysely'
import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import type { Schema } from '../../database/schema.ts'
import { presentPerson } from '../find-people.ts'
import type { OrderRow } from './find-orders.ts'

export function presentShopOrder(row: OrderRow) {
  return {
    id: row.id,
    status: row.status,
    method: row.method,
    total: row.total,
    refunded: row.refunded,
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    receiptNumber: row.receiptNumber,
    buyer: presentPerson(row),
  }
}

/** An order with its items, its payments and the movements of its money. */
export async function readOrderDetail(
  db: Kysely<Schema>,
  order: OrderRow,
): Promise<ShopOrderDetail> {
  return {
    ...presentShopOrder(order),
    items: await itemsOf(db, order.id),
    payments: await paymentsOf(db, order.id),
    movements: await movementsOf(db, order.id),
  }
}

type Detail<Name extends 'items' | 'payments' | 'movements'> = ShopOrderDetail[Name]

async function itemsOf(db: Kysely<Schema>, orderId: number): Promise<Detail<'items'>> {
  const { rows } = await sql<
    Omit<Detail<'items'>[number], 'refundedAt'> & { refundedAt: Date | null }
  >`
    SELECT i.document_id, d.title, t.first_name || ' ' || t.last_name AS teacher, i.price,
      i.teacher_share AS share, i.refunded_at, p.id IS NOT NULL AS is_owned
    FROM order_items i
    JOIN documents d ON d.id = i.document_id
    JOIN teachers t ON t.id = coalesce(i.teacher_id, d.teacher_id)
    LEFT JOIN purchases p ON p.order_id = i.order_id AND p.document_id = i.document_id
    WHERE i.order_id = ${orderId} ORDER BY i.document_id`.execute(db)
  return rows.map((row) => ({ ...row, refundedAt: row.refundedAt?.toISOString() ?? null }))
}

async function paymentsOf(db: Kysely<Schema>, orderId: number): Promise<Detail<'payments'>> {
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id', 'desc')
    .execute()
  return payments.map((payment) => ({
    paymentRef: payment.reference,
    provider: payment.provider,
    method: payment.method,
    state: payment.status,
    amount: payment.amount,
    createdAt: payment.createdAt.toISOString(),
    settledAt: payment.settledAt?.toISOString() ?? null,
  }))
}

/** The ledger's movements of an order, including money of its payments that went into the wallet. */
async function movementsOf(db: Kysely<Schema>, orderId: number): Promise<Detail<'movements'>> {
  const { rows } = await sql<Omit<Detail<'movements'>[number], 'at'> & { at: Date }>`
    SELECT t.id::integer, t.kind, t.created_at AS at, t.note, (
      SELECT json_agg(json_build_object('account', a.kind, 'amount', e.amount, 'name', coalesce(
          s.first_name || ' ' || s.last_name, u.first_name || ' ' || u.last_name, '')) ORDER BY e.id)
      FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
      LEFT JOIN users u ON u.id = a.user_id LEFT JOIN teachers s ON s.id = a.teacher_id
      WHERE e.transaction_id = t.id) AS entries
    FROM ledger_transactions t
    WHERE t.order_id = ${orderId}
      OR t.payment_id IN (SELECT id FROM payments WHERE order_id = ${orderId})
    ORDER BY t.id`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
