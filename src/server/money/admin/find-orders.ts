import { type Kysely, type RawBuilder, sql } from 'kysely'
import { meaningsOf } from '../../../rules/admin-search.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { PaymentMethod } from '../../../rules/payment-methods.ts'
import type { OrderStatus } from '../../../rules/payment-states.ts'
import type { Schema } from '../../database/schema.ts'
import { foldPeople } from '../../people-search/people-search.ts'
import { idsOfPeople, PERSON_COLUMNS, type PersonRow } from '../find-people.ts'

export interface OrderRow extends PersonRow {
  readonly id: number
  readonly status: OrderStatus
  readonly method: PaymentMethod
  readonly total: Millimes
  readonly refunded: Millimes
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly receiptNumber: number | null
}

interface OrderFilter {
  readonly q?: string | undefined
  readonly status?: OrderRow['status'] | undefined
  readonly page: number
  readonly size: number
}

/** Orders, newest first: a page of them, and how many there are in all. */
export async function findOrders(
  db: Kysely<Schema>,
  { q = '', status, page, size }: OrderFilter,
): Promise<{ orders: OrderRow[]; total: number }> {
  if (q.trim() !== '') await foldPeople({ kysely: db })
  const conditions = [
    ...(status ? [sql`status = ${status}`] : []),
    ...(q.trim() === '' ? [] : [sql`id IN (${matching(q)})`]),
  ]
  const where = conditions.length > 0 ? sql`WHERE ${sql.join(conditions, sql` AND `)}` : sql``
  const listed = sql`(SELECT * FROM orders ${where} ORDER BY id DESC
    LIMIT ${size} OFFSET ${page * size})`
  const counted = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM orders ${where}`.execute(db)
  return { orders: await readRows(db, listed), total: counted.rows[0]?.total ?? 0 }
}

/** One order; undefined where there is none. */
export async function findOrder(db: Kysely<Schema>, id: number): Promise<OrderRow | undefined> {
  const [order] = await readRows(db, sql`(SELECT * FROM orders WHERE id = ${id})`)
  return order
}

async function readRows(db: Kysely<Schema>, orders: RawBuilder<unknown>): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    SELECT o.id, o.status, o.method, o.total, o.created_at, o.paid_at, r.number AS receipt_number,
      (SELECT coalesce(sum(i.price), 0)::bigint FROM order_items i
        WHERE i.order_id = o.id AND i.refunded_at IS NOT NULL) AS refunded,
      ${PERSON_COLUMNS}
    FROM ${orders} AS o
    JOIN users u ON u.id = o.buyer_id
    LEFT JOIN receipts r ON r.order_id = o.id
    ORDER BY o.id DESC`.execute(db)
  return rows
}

/** Selects the ids of the orders that a text may mean; each meaning uses its own index. */
function matching(q: string): RawBuilder<unknown> {
  const { reference, amount, number } = meaningsOf(q)
  const ways = [sql`SELECT id FROM orders WHERE buyer_id IN (${idsOfPeople(q)})`]
  if (number !== null) {
    ways.push(sql`SELECT ${number}::integer`)
    ways.push(sql`SELECT order_id FROM receipts WHERE number = ${number}`)
  }
  if (amount !== null) ways.push(sql`SELECT id FROM orders WHERE total = ${amount}`)
  if (reference !== null) {
    ways.push(sql`SELECT order_id FROM payments
      WHERE reference LIKE ${`${reference}%`} AND order_id IS NOT NULL`)
  }
  return sql.join(ways, sql` UNION ALL `)
}
