import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { lockWallet, post, salesAccounts } from './ledger.ts'

/** What a purchase did. `owned` documents were the buyer's before, and cost nothing again. */
export interface Purchase {
  /** null where there was nothing to buy. */
  readonly orderId: number | null
  readonly owned: readonly { id: number; title: string }[]
  readonly bought: readonly { id: number; teacherId: number; price: Millimes }[]
}

interface Wanted {
  id: number
  title: string
  price: Millimes
  teacher_id: number
  is_published: boolean
  is_owned: boolean
}

/**
 * Pays documents from the buyer's wallet at the prices of this moment and grants them, all in the
 * caller's transaction (decisions §8). Throws `document_not_found` for one that is unknown or not
 * published, `insufficient_balance` when the wallet holds less than the new ones cost.
 */
export async function purchase(
  tx: Tx,
  { buyerId, documentIds }: { buyerId: number; documentIds: readonly number[] },
): Promise<Purchase> {
  // The lock comes before everything that is read: what another purchase of the same buyer
  // grants or spends is seen or waits.
  const wallet = await lockWallet(tx, buyerId)
  const wanted = await readWanted(tx, buyerId, documentIds)
  const owned = wanted.filter((document) => document.is_owned)
  const added = wanted.filter((document) => !document.is_owned)
  if (wanted.length < documentIds.length || added.some((document) => !document.is_published)) {
    throw fault('document_not_found')
  }

  const total = added.reduce((sum, { price }) => sum + price, 0)
  if (total > wallet.balance) throw fault('insufficient_balance')

  let orderId: number | null = null
  if (added.length > 0) {
    orderId = await writePaidOrder(tx, buyerId, total, added)
    const accounts = await salesAccounts(
      tx,
      added.map((document) => document.teacher_id),
    )
    const entries = [{ accountId: wallet.accountId, amount: -total }]
    for (const [teacherId, amount] of sumByTeacher(added)) {
      entries.push({ accountId: accounts.get(teacherId) ?? 0, amount })
    }
    await post(tx, { kind: 'purchase', orderId, entries })
    await countSales(
      tx,
      added.map(({ id }) => id),
    )
  }
  return {
    orderId,
    owned: owned.map(({ id, title }) => ({ id, title })),
    bought: added.map(({ id, teacher_id, price }) => ({ id, teacherId: teacher_id, price })),
  }
}

async function readWanted(
  tx: Tx,
  buyerId: number,
  documentIds: readonly number[],
): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    SELECT d.id, d.title, d.final_price AS price, d.teacher_id, d.is_published,
      p.id IS NOT NULL AS is_owned
    FROM unnest(${[...documentIds]}::integer[]) WITH ORDINALITY AS asked (id, place)
    JOIN documents d ON d.id = asked.id
    LEFT JOIN purchases p ON p.user_id = ${buyerId} AND p.document_id = d.id
    ORDER BY asked.place`.execute(tx)
  return rows
}

/** Writes the order with its items, and grants them. */
async function writePaidOrder(
  tx: Tx,
  buyerId: number,
  total: Millimes,
  items: readonly Wanted[],
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH placed AS (
      INSERT INTO orders (buyer_id, status, method, total, paid_at)
      VALUES (${buyerId}, 'paid', 'wallet', ${total}, now())
      RETURNING id
    ), lines AS (
      INSERT INTO order_items (order_id, document_id, price)
      SELECT placed.id, item.document_id, item.price
      FROM placed, unnest(
        ${items.map(({ id }) => id)}::integer[],
        ${items.map(({ price }) => price)}::bigint[]
      ) AS item (document_id, price)
      RETURNING order_id, document_id, price
    ), granted AS (
      INSERT INTO purchases (user_id, document_id, order_id, price)
      SELECT ${buyerId}, document_id, order_id, price FROM lines
    )
    SELECT id FROM placed`.execute(tx)
  const [order] = rows
  if (!order) throw new Error('the order was not written')
  return order.id
}

function sumByTeacher(items: readonly Wanted[]): Map<number, Millimes> {
  const sums = new Map<number, Millimes>()
  for (const { teacher_id, price } of items) {
    sums.set(teacher_id, (sums.get(teacher_id) ?? 0) + price)
  }
  return sums
}

/**
 * Counts one sale of each document, and of its teacher, and notes that their pages change. All
 * buyers meet at these rows: they are locked last, for the shortest time, and always documents
 * before teachers, lower ids first, so that no two purchases wait for each other.
 */
async function countSales(tx: Tx, documentIds: readonly number[]): Promise<void> {
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
      SELECT array_agg('document:' || id) || array_agg(DISTINCT 'teacher:' || teacher_id)
        || 'catalogue'::text, true
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
