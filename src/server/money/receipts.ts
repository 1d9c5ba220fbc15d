import { sql } from 'kysely'
import { coalesce } from '../concurrency/coalesce.ts'
import type { Database } from '../database/pool.ts'
import { lock, transaction } from '../database/transaction.ts'

type Parts = { readonly database: Database }

/** How many orders one transaction numbers. */
const BATCH = 500

const runs = new WeakMap<Database, () => Promise<void>>()

/**
 * Numbers the receipts of all paid orders that lack one: 1, 2, 3 … over all orders, without gaps, in
 * the order of payment. Resolves when all orders paid before the call have a number; simultaneous
 * calls share a run. Call it after the commit, so that no purchase waits for a number.
 */
export function numberReceipts({ database }: Parts): Promise<void> {
  const run = runs.get(database) ?? coalesce(() => numberAll(database))
  runs.set(database, run)
  return run()
}

async function numberAll(database: Database): Promise<void> {
  while ((await numberSome(database)) === BATCH) {}
}

async function numberSome(database: Database): Promise<number> {
  return transaction(database, async (tx) => {
    // A statement of its own: the next one must see the numbers that the last holder gave.
    await lock(tx, 'receipts')
    const { rows } = await sql<{ count: number }>`
      WITH paid AS MATERIALIZED (
        SELECT id, paid_at FROM orders WHERE status = 'paid' AND NOT has_receipt
        ORDER BY paid_at, id LIMIT ${BATCH} FOR NO KEY UPDATE
      ), numbered AS (
        INSERT INTO receipts (number, order_id)
        SELECT (SELECT coalesce(max(number), 0) FROM receipts)
          + row_number() OVER (ORDER BY paid_at, id), id
        FROM paid
        RETURNING order_id
      ), marked AS (
        UPDATE orders SET has_receipt = true FROM numbered WHERE orders.id = numbered.order_id
      )
      SELECT count(*)::integer AS count FROM numbered`.execute(tx)
    return rows[0]?.count ?? 0
  })
}
