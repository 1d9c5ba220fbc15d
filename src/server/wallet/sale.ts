import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import { CATALOGUE_TAG, documentTag, teacherTag } from '../../rules/page-tags.ts'
import type { Tx } from '../database/transaction.ts'
import { type Entry, salesAccounts } from './ledger.ts'

/** A document that somebody wants to buy, at the final price of this moment. */
export interface Wanted {
  id: number
  title: string
  price: Millimes
  teacher_id: number
  is_published: boolean
  is_owned: boolean
  /** Whether its buyer has any order that is pending; the same for all that are wanted. */
  has_orders: boolean
}

/** Documents as this buyer would get them, in the order asked for; unknown ones are left out. */
export async function readWanted(
  tx: Tx,
  buyerId: number,
  documentIds: readonly number[],
): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    SELECT d.id, d.title, d.final_price AS price, d.teacher_id, d.is_published,
      p.id IS NOT NULL AS is_owned,
      EXISTS (SELECT FROM orders WHERE buyer_id = ${buyerId} AND status = 'pending') AS has_orders
    FROM unnest(${[...documentIds]}::integer[]) WITH ORDINALITY AS asked (id, place)
    JOIN documents d ON d.id = asked.id
    LEFT JOIN purchases p ON p.user_id = ${buyerId} AND p.document_id = d.id
    ORDER BY asked.place`.execute(tx)
  return rows
}

/** What the teachers get for what is sold; whoever pays is the other side. */
export async function saleEntries(
  tx: Tx,
  items: readonly { readonly teacher_id: number; readonly price: Millimes }[],
): Promise<Entry[]> {
  const sums = new Map<number, Millimes>()
  for (const { teacher_id, price } of items) {
    sums.set(teacher_id, (sums.get(teacher_id) ?? 0) + price)
  }
  const accounts = await salesAccounts(tx, [...sums.keys()])
  return [...sums].map(([teacherId, amount]) => ({
    accountId: accounts.get(teacherId) ?? 0,
    amount,
  }))
}

/**
 * Counts one sale of each document, and of its teacher, and notes that their pages change. All
 * buyers meet at these rows: they are locked last, for the shortest time, and always documents
 * before teachers, lower ids first, so that no two purchases wait for each other.
 */
export async function countSales(tx: Tx, documentIds: readonly number[]): Promise<void> {
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM documents WHERE id = ANY (${[...documentIds]}::integer[])
      ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE documents SET sales_count = sales_count + 1
      FROM locked WHERE documents.id = locked.id
      RETURNING documents.id, documents.teacher_id
    ), noted AS (
      INSERT INTO page_changes (tags, soon)
      SELECT array_agg(${documentTag('')}::text || id)
        || array_agg(DISTINCT ${teacherTag('')}::text || teacher_id)
        || ${CATALOGUE_TAG}::text, true
      FROM counted
    ), sold AS MATERIALIZED (
      SELECT teacher_id, count(*)::integer AS sales FROM counted GROUP BY teacher_id
    ), sellers AS MATERIALIZED (
      SELECT id FROM teachers WHERE id IN (SELECT teacher_id FROM sold)
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE teachers SET sales_count = sales_count + sold.sales
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
