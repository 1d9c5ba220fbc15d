import { type Kysely, sql } from 'kysely'
import type { SaleSort } from '../../../contract/earnings.ts'
import type { Millimes } from '../../../rules/money.ts'
import { monthsAfter, startOfMonth } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'

/** A sold document; the teacher sees a shortened name of the buyer. */
export interface SaleRow {
  readonly orderId: number
  readonly documentId: number
  readonly title: string
  readonly firstName: string
  readonly lastName: string
  readonly soldAt: Date
  readonly price: Millimes
  readonly share: Millimes | null
  readonly refundedAt: Date | null
}

export interface SaleFilter {
  readonly teacherId: number
  readonly documentId?: number | undefined
  /** `2026-11`, in Tunisia. */
  readonly month?: string | undefined
  readonly sort: SaleSort
  readonly page: number
  readonly size: number
}

// Each order ends with the whole key, so that no sale appears on two pages.
const ORDERS = {
  soldAt: sql`i.sold_at, i.order_id, i.document_id`,
  '-soldAt': sql`i.sold_at DESC, i.order_id DESC, i.document_id DESC`,
  price: sql`i.price, i.sold_at, i.order_id, i.document_id`,
  '-price': sql`i.price DESC, i.sold_at DESC, i.order_id DESC, i.document_id DESC`,
  share: sql`i.teacher_share, i.sold_at, i.order_id, i.document_id`,
  '-share': sql`i.teacher_share DESC NULLS LAST, i.sold_at DESC, i.order_id DESC, i.document_id DESC`,
} as const

/** A page of a teacher's sales, and how many there are; free documents do not count. */
export async function salesOf(
  db: Kysely<Schema>,
  { teacherId, documentId, month, sort, page, size }: SaleFilter,
): Promise<{ sales: SaleRow[]; total: number }> {
  const matching = sql`order_items i
    WHERE i.teacher_id = ${teacherId} AND i.price > 0
      ${documentId === undefined ? sql`` : sql`AND i.document_id = ${documentId}`}
      ${
        month === undefined
          ? sql``
          : sql`AND i.sold_at >= ${startOfMonth(month)}
        AND i.sold_at < ${startOfMonth(monthsAfter(month, 1))}`
      }`
  const { rows: sales } = await sql<SaleRow>`
    SELECT i.order_id, i.document_id, d.title, u.first_name, u.last_name, i.sold_at, i.price,
      i.teacher_share AS share, i.refunded_at
    FROM (
      SELECT * FROM ${matching} ORDER BY ${ORDERS[sort]} LIMIT ${size} OFFSET ${page * size}
    ) AS i
    JOIN documents d ON d.id = i.document_id
    JOIN orders o ON o.id = i.order_id
    JOIN users u ON u.id = o.buyer_id
    ORDER BY ${ORDERS[sort]}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM ${matching}`.execute(db)
  return { sales, total: counts[0]?.total ?? 0 }
}
