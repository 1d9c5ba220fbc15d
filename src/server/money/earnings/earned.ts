import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Sale, SaleSort, Earned as WireEarned } from '../../../contract/earnings.ts'
import { shortName } from '../../../rules/full-name.ts'
import type { Millimes } from '../../../rules/money.ts'
import { payableFrom } from '../../../rules/payouts.ts'
import { monthsAfter, startOfMonth, TUNISIA } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { inOrder } from '../../database/sql-parts.ts'

/** The sales and refunds within a span of time. */
export interface Earned {
  readonly sales: number
  readonly price: Millimes
  /** What the teacher's codes took off; the price is without it. */
  readonly takenOff: Millimes
  readonly share: Millimes
  readonly refunds: number
  readonly refunded: Millimes
  /** The prices that were refunded to buyers; `refunded` is the teacher's part. */
  readonly refundedPrice: Millimes
}

/** From a moment, inclusive, to another, exclusive. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

interface EarningsFilter extends Span {
  readonly teacherId: number
  readonly documentId?: number | undefined
}

const SOLD = sql`count(*)::integer AS sales, sum(price)::bigint AS price,
  sum(coalesce(price_before, price) - price)::bigint AS taken_off, sum(teacher_share)::bigint AS share`
const RETURNED = sql`count(*)::integer AS refunds, sum(teacher_share)::bigint AS refunded,
  sum(price)::bigint AS refunded_price`

/** The columns of `Earned`, from `sold` and `returned`, either of which may be missing. */
const EARNED = sql`coalesce(sold.sales, 0) AS sales, coalesce(sold.price, 0) AS price,
  coalesce(sold.taken_off, 0) AS taken_off, coalesce(sold.share, 0) AS share, coalesce(returned.refunds, 0) AS refunds,
  coalesce(returned.refunded, 0) AS refunded, coalesce(returned.refunded_price, 0) AS refunded_price`

/** A teacher's shared sales whose `column` lies within the span. */
function itemsOf(
  column: RawBuilder<unknown>,
  { teacherId, documentId, from, to }: EarningsFilter,
): RawBuilder<unknown> {
  return sql`order_items
    WHERE teacher_id = ${teacherId} AND price > 0 AND teacher_share IS NOT NULL
      AND ${column} >= ${from} AND ${column} < ${to}
      ${documentId === undefined ? sql`` : sql`AND document_id = ${documentId}`}`
}

const SOLD_AT = sql.ref('sold_at')
const REFUNDED_AT = sql.ref('refunded_at')

export async function earnedWithin(db: Kysely<Schema>, filter: EarningsFilter): Promise<Earned> {
  const { rows } = await sql<Earned>`
    SELECT ${EARNED} FROM (SELECT ${SOLD} FROM ${itemsOf(SOLD_AT, filter)}) AS sold
    CROSS JOIN (SELECT ${RETURNED} FROM ${itemsOf(REFUNDED_AT, filter)}) AS returned`.execute(db)
  const [earned] = rows
  if (!earned) throw new Error('nothing was summed')
  return earned
}

/** A teacher's earnings by day (`2026-11-22`) or month (its first day) in Tunisia, oldest first, without gaps. */
export async function earnedByTime(
  db: Kysely<Schema>,
  filter: EarningsFilter & { unit: 'day' | 'month' },
): Promise<(Earned & { at: string })[]> {
  const { unit, from, to } = filter
  const unitOf = (column: RawBuilder<unknown>) =>
    sql`date_trunc(${unit}, ${column} AT TIME ZONE ${TUNISIA})`
  const { rows } = await sql<Earned & { at: string }>`
    WITH times AS (
      SELECT generate_series(
        ${from}::timestamptz AT TIME ZONE ${TUNISIA},
        (${to}::timestamptz AT TIME ZONE ${TUNISIA}) - interval '1 second',
        ('1 ' || ${unit}::text)::interval) AS at
    ), sold AS (
      SELECT ${unitOf(SOLD_AT)} AS at, ${SOLD} FROM ${itemsOf(SOLD_AT, filter)} GROUP BY 1
    ), returned AS (
      SELECT ${unitOf(REFUNDED_AT)} AS at, ${RETURNED} FROM ${itemsOf(REFUNDED_AT, filter)} GROUP BY 1
    )
    SELECT to_char(times.at, 'YYYY-MM-DD') AS at, ${EARNED}
    FROM times LEFT JOIN sold USING (at) LEFT JOIN returned USING (at)
    ORDER BY times.at`.execute(db)
  return rows
}

export interface DocumentEarned extends Earned {
  readonly documentId: number
  readonly title: string
}

const ORDERS = {
  '-share': sql`share DESC`,
  share: sql`share`,
  '-sales': sql`sales DESC`,
  sales: sql`sales`,
  title: inOrder(sql`title`),
} as const

/** A teacher's earnings by document: a page of the documents that were sold or refunded, and their number. */
export async function earnedByDocument(
  db: Kysely<Schema>,
  filter: EarningsFilter & { sort: keyof typeof ORDERS; page: number; size: number },
): Promise<{ documents: DocumentEarned[]; total: number }> {
  const { sort, page, size } = filter
  const { rows } = await sql<DocumentEarned & { total: number }>`
    WITH sold AS (
      SELECT document_id, ${SOLD} FROM ${itemsOf(SOLD_AT, filter)} GROUP BY 1
    ), returned AS (
      SELECT document_id, ${RETURNED} FROM ${itemsOf(REFUNDED_AT, filter)} GROUP BY 1
    ), earned AS (
      SELECT document_id, ${EARNED} FROM sold FULL JOIN returned USING (document_id)
    )
    SELECT earned.*, d.title, count(*) OVER ()::integer AS total
    FROM earned JOIN documents d ON d.id = earned.document_id
    ORDER BY ${ORDERS[sort]}, document_id LIMIT ${size} OFFSET ${page * size}`.execute(db)
  return { documents: rows, total: rows[0]?.total ?? 0 }
}

/** A sold document; the teacher sees a shortened name of the buyer. */
interface SaleRow {
  readonly orderId: number
  readonly documentId: number
  readonly title: string
  readonly firstName: string
  readonly lastName: string
  readonly soldAt: Date
  readonly price: Millimes
  readonly priceBefore: Millimes | null
  readonly share: Millimes | null
  readonly refundedAt: Date | null
}

interface SaleFilter {
  readonly teacherId: number
  /** Only sales of these documents; by default of all. */
  readonly documentIds?: readonly number[] | undefined
  /** `2026-11`, in Tunisia. */
  readonly month?: string | undefined
  readonly sort: SaleSort
  readonly page: number
  readonly size: number
}

// Each order ends with the whole key, so that no sale appears on two pages.
const SALE_ORDERS = {
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
  { teacherId, documentIds, month, sort, page, size }: SaleFilter,
): Promise<{ sales: SaleRow[]; total: number }> {
  const matching = sql`order_items i
    WHERE i.teacher_id = ${teacherId} AND i.price > 0
      ${documentIds === undefined ? sql`` : sql`AND i.document_id = ANY (${documentIds}::integer[])`}
      ${
        month === undefined
          ? sql``
          : sql`AND i.sold_at >= ${startOfMonth(month)}
        AND i.sold_at < ${startOfMonth(monthsAfter(month, 1))}`
      }`
  const { rows: sales } = await sql<SaleRow>`
    SELECT i.order_id, i.document_id, d.title, u.first_name, u.last_name, i.sold_at, i.price,
      i.price_before, i.teacher_share AS share, i.refunded_at
    FROM (
      SELECT * FROM ${matching} ORDER BY ${SALE_ORDERS[sort]} LIMIT ${size} OFFSET ${page * size}
    ) AS i
    JOIN documents d ON d.id = i.document_id
    JOIN orders o ON o.id = i.order_id
    JOIN users u ON u.id = o.buyer_id
    ORDER BY ${SALE_ORDERS[sort]}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM ${matching}`.execute(db)
  return { sales, total: counts[0]?.total ?? 0 }
}

export function presentEarned({ sales, price, share, refunds, refunded }: Earned): WireEarned {
  return { sales, price, share, refunds, refunded }
}

/** A sale as its teacher sees it, with only the first name and an initial of the buyer. */
export function presentSale(sale: SaleRow, holdDays: number): Sale {
  const { orderId, documentId, title, soldAt, price, priceBefore, share, refundedAt } = sale
  return {
    id: `${orderId}-${documentId}`,
    soldAt: soldAt.toISOString(),
    document: { id: documentId, title },
    buyer: shortName(sale),
    price,
    priceBefore,
    share,
    refundedAt: refundedAt?.toISOString() ?? null,
    payableFrom: share === null ? null : payableFrom(soldAt, holdDays).toISOString(),
  }
}
