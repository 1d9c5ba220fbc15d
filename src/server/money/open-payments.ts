import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { coalesce } from '../concurrency/coalesce.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import { createTurns } from '../concurrency/turns.ts'
import type { Database } from '../database/pool.ts'
import { lock, transaction } from '../database/transaction.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import type { PaymentsUnderWay } from '../deps.ts'

/** How many wallets pay at a time; each uses one of the pool's connections. */
const PAYING_AT_ONCE = 8
/** How many payments may wait; with more of them, the wait is longer than any client's patience. */
const MOST_WAITING = 1000
/** Half of the places: one customer's calls leave the others to everybody else. */
const MOST_WAITING_OF_ONE = 500

/** How many ended checks are remembered; beyond it the oldest are forgotten. */
const MOST_CHECKED = 10_000

/** How many orders one transaction gives receipt numbers. */
const RECEIPTS_AT_ONCE = 500

/** Opens what one process shares between simultaneous calls about payments. */
export function openPayments(database: Database): PaymentsUnderWay {
  return {
    turns: createTurns(PAYING_AT_ONCE, {
      waiting: MOST_WAITING,
      ofOwner: { atOnce: 1, waiting: MOST_WAITING_OF_ONE },
      refusal: () => new DatabaseUnavailable('too many payments wait', true),
    }),
    starts: sharedWork(),
    settling: sharedWork(),
    checks: new Map(),
    checked: new LRUCache({ max: MOST_CHECKED }),
    numberReceipts: coalesce(async () => {
      while ((await numberSome(database)) === RECEIPTS_AT_ONCE) {}
    }),
  }
}

/** Numbers receipts 1, 2, 3 … over all orders, without gaps, in the order of payment. */
async function numberSome(database: Database): Promise<number> {
  return transaction(database, async (tx) => {
    // A statement of its own: the next one must see the numbers that the last holder gave.
    await lock(tx, 'receipts')
    const { rows } = await sql<{ count: number }>`
      WITH paid AS MATERIALIZED (
        SELECT id, paid_at FROM orders WHERE status = 'paid' AND NOT has_receipt
        ORDER BY paid_at, id LIMIT ${RECEIPTS_AT_ONCE} FOR NO KEY UPDATE
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
