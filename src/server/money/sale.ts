import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import { CATALOGUE_TAG, documentTag, teacherTag } from '../../rules/page-tags.ts'
import type { Tx } from '../database/transaction.ts'
import { post } from './ledger.ts'
import { takeBack } from './shares.ts'

/** A document at the price it is sold for. */
export interface SoldItem {
  readonly documentId: number
  readonly title: string
  readonly teacherId: number
  readonly price: Millimes
}

/** A document that was sold, and what of its price is its teacher's. */
export interface SharedItem extends SoldItem {
  /** null: sold before there were shares. */
  readonly share: Millimes | null
}

/** A document that somebody wants to buy, at the final price of this moment. */
export interface Wanted extends SoldItem {
  readonly isPublished: boolean
  readonly isOwned: boolean
  /** Whether its buyer has any order that is pending; the same for all that are wanted. */
  readonly hasOrders: boolean
}

/** What items cost together. */
export function totalOf(items: readonly { readonly price: Millimes }[]): Millimes {
  return items.reduce((sum, { price }) => sum + price, 0)
}

/** The documents that items are of. */
export function idsOf(items: readonly { readonly documentId: number }[]): number[] {
  return items.map(({ documentId }) => documentId)
}

/** Documents as this buyer would get them, in the order asked for; unknown ones are left out. */
export async function readWanted(
  tx: Tx,
  buyerId: number,
  documentIds: readonly number[],
): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    SELECT d.id AS document_id, d.title, d.final_price AS price, d.teacher_id, d.is_published,
      p.id IS NOT NULL AS is_owned,
      EXISTS (SELECT FROM orders WHERE buyer_id = ${buyerId} AND status = 'pending') AS has_orders
    FROM unnest(${[...documentIds]}::integer[]) WITH ORDINALITY AS requested (id, place)
    JOIN documents d ON d.id = requested.id
    LEFT JOIN purchases p ON p.user_id = ${buyerId} AND p.document_id = d.id
    ORDER BY requested.place`.execute(tx)
  return rows
}

/** Keeps what each item of an order was shared by; an order paid from a wallet is written with it. */
export async function markSold(
  tx: Tx,
  orderId: number,
  items: readonly SharedItem[],
): Promise<void> {
  await sql`
    UPDATE order_items SET sold_at = now(), teacher_id = sold.teacher_id, teacher_share = sold.share
    FROM unnest(
      ${idsOf(items)}::integer[],
      ${items.map(({ teacherId }) => teacherId)}::integer[],
      ${items.map(({ share }) => share)}::bigint[]
    ) AS sold (document_id, teacher_id, share)
    WHERE order_items.order_id = ${orderId} AND order_items.document_id = sold.document_id`.execute(
    tx,
  )
}

/**
 * Gives the price of items of an order back, from their teachers and the shop, each what the sale
 * gave them, into the buyer's wallet, which the caller has locked. Items that are given back together,
 * and only those, carry the moment of their ledger transaction.
 */
export async function giveBack(
  tx: Tx,
  { orderId, walletId, note }: { orderId: number; walletId: number; note?: string },
  items: readonly SharedItem[],
): Promise<void> {
  const entries = await takeBack(tx, items)
  entries.push({ accountId: walletId, amount: totalOf(items) })
  await post(tx, { kind: 'refund', orderId, ...(note && { note }), entries })
  await tx
    .updateTable('orderItems')
    .set({ refundedAt: sql<Date>`now()` })
    .where('orderId', '=', orderId)
    .where('documentId', 'in', idsOf(items))
    .execute()
}

/**
 * Counts one sale of each document, and of its teacher, or with -1 takes one back, and notes that
 * their pages change: soon after a sale, at once after a refund. All buyers meet at these rows: they
 * are locked last, for the shortest time, and always documents before teachers, lower ids first, so
 * that no two purchases wait for each other.
 */
export async function countSales(
  tx: Tx,
  items: readonly SoldItem[],
  by: 1 | -1 = 1,
): Promise<void> {
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM documents WHERE id = ANY (${idsOf(items)}::integer[])
      ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE documents SET sales_count = greatest(sales_count + ${by}::integer, 0)
      FROM locked WHERE documents.id = locked.id
      RETURNING documents.id, documents.teacher_id
    ), noted AS (
      INSERT INTO page_changes (tags, soon)
      SELECT array_agg(${documentTag('')}::text || id)
        || array_agg(DISTINCT ${teacherTag('')}::text || teacher_id)
        || ${CATALOGUE_TAG}::text, ${by > 0}::boolean
      FROM counted
    ), sold AS MATERIALIZED (
      SELECT teacher_id, count(*)::integer AS sales FROM counted GROUP BY teacher_id
    ), sellers AS MATERIALIZED (
      SELECT id FROM teachers WHERE id IN (SELECT teacher_id FROM sold)
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE teachers SET sales_count = greatest(sales_count + sold.sales * ${by}::integer, 0)
    FROM sellers JOIN sold ON sold.teacher_id = sellers.id
    WHERE teachers.id = sellers.id`.execute(tx)
}

/** The tags of the pages that show what was sold, or given back. */
export function tagsOfSale(
  items: readonly { readonly documentId: number; readonly teacherId: number }[],
): string[] {
  const tags = items.flatMap(({ documentId, teacherId }) => [
    documentTag(documentId),
    teacherTag(teacherId),
  ])
  return [...new Set([...tags, CATALOGUE_TAG])]
}
