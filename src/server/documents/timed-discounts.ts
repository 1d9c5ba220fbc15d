import { sql } from 'kysely'
import { isDiscounted } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { changePages } from '../publishing/publishing.ts'
import { tagsOf } from './locked.ts'

/** How many documents' discounts begin or end in one transaction. */
const TURNED_AT_ONCE = 200

type Shop = Pick<Deps, 'database' | 'publisher' | 'now'>

/** Begins the timed discounts that are due, ends those that are over, and refreshes their pages. */
export async function turnDiscounts(shop: Shop): Promise<void> {
  while ((await turnSome(shop)) === TURNED_AT_ONCE);
}

interface DueRow {
  id: number
  teacherId: number
  price: Millimes
  priceDiscount: Millimes | null
  timedDiscount: Millimes
  ownDiscount: Millimes | null
  isRunning: boolean
  isOver: boolean
}

async function turnSome(shop: Shop): Promise<number> {
  return await changePages(shop, async (tx, markStale) => {
    const at = new Date(shop.now())
    const ids = await lockDue(tx, at)
    const due = await readDue(tx, ids, at)
    await writeDiscounts(tx, due, at)
    markStale(due.flatMap(tagsOf))
    return ids.length
  })
}

const isDue = (at: Date) => sql`((NOT t.is_running AND t.starts_at <= ${at}) OR t.ends_at <= ${at})`

async function lockDue(tx: Tx, at: Date): Promise<number[]> {
  // Documents before their discounts, lower ids first: all code locks in this order.
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM documents
    WHERE id IN (SELECT t.document_id FROM timed_discounts t WHERE ${isDue(at)}
      ORDER BY t.document_id LIMIT ${TURNED_AT_ONCE})
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The due discounts of the locked documents: another process may have handled some already. */
async function readDue(tx: Tx, ids: readonly number[], at: Date): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    SELECT d.id, d.teacher_id, d.price, d.price_discount, t.price_discount AS timed_discount,
      t.own_discount, t.is_running, t.ends_at <= ${at} AS is_over
    FROM timed_discounts t JOIN documents d ON d.id = t.document_id
    WHERE t.document_id = ANY (${[...ids]}::integer[]) AND ${isDue(at)}
    ORDER BY d.id`.execute(tx)
  return rows
}

async function writeDiscounts(tx: Tx, due: readonly DueRow[], at: Date): Promise<void> {
  const fits = ({ price }: DueRow, priceDiscount: Millimes | null) =>
    isDiscounted({ price, priceDiscount })
  // The document's price may have fallen below the discounted price.
  const begins = (row: DueRow) => !row.isOver && fits(row, row.timedDiscount)
  await sql`
    DELETE FROM timed_discounts
    WHERE document_id = ANY (${due.filter((row) => !begins(row)).map(({ id }) => id)}::integer[])`.execute(
    tx,
  )
  const begun = due.filter(begins)
  const ended = due.filter(({ isOver, isRunning }) => isOver && isRunning)
  const changes = [
    ...begun.map(({ id, timedDiscount }) => ({ id, discount: timedDiscount })),
    ...ended.map((row) => ({
      id: row.id,
      discount: fits(row, row.ownDiscount) ? row.ownDiscount : null,
    })),
  ]
  await sql`
    UPDATE documents SET price_discount = due.discount, revision = revision + 1
    FROM unnest(
      ${changes.map(({ id }) => id)}::integer[], ${changes.map(({ discount }) => discount)}::bigint[]
    ) AS due (id, discount)
    WHERE documents.id = due.id`.execute(tx)
  // Written after the document, since writing a document ends its running discount.
  await sql`
    UPDATE timed_discounts SET is_running = true, own_discount = begun.own_discount
    FROM unnest(
      ${begun.map(({ id }) => id)}::integer[], ${begun.map(({ priceDiscount }) => priceDiscount)}::bigint[]
    ) AS begun (id, own_discount)
    WHERE timed_discounts.document_id = begun.id AND timed_discounts.starts_at <= ${at}`.execute(tx)
}
