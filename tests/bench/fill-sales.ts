/** The sales of a shop that has been open for years, for scripts that measure. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../src/server/database/pool.ts'
import type { Schema } from '../../src/server/database/schema.ts'

const DAYS = 730
const LINES_PER_ORDER = 2

interface Sales {
  /** Order lines in all. */
  lines: number
  /** How many documents the catalogue has, with ids from 1. */
  documents: number
  buyers: number
}

/**
 * Fills a shop with two years of orders, on one connection without a statement timeout, triggers and
 * foreign key checks.
 */
export async function fillSales({ kysely: database }: Database, sales: Sales): Promise<void> {
  await database.connection().execute(async (kysely) => {
    await sql`SET statement_timeout = 0`.execute(kysely)
    await sql`SET session_replication_role = replica`.execute(kysely)
    await write(kysely, sales)
    await sql`RESET session_replication_role`.execute(kysely)
    await sql`RESET statement_timeout`.execute(kysely)
  })
}

/** Writes orders with their items and with ledger entries that sum to zero, as purchases do. */
async function write(kysely: Kysely<Schema>, { lines, documents, buyers }: Sales): Promise<void> {
  const orders = Math.ceil(lines / LINES_PER_ORDER)
  await sql`
    INSERT INTO users (email, username, first_name, last_name, role, password_hash)
    SELECT 'buyer' || n || '@figures.karras.test', 'buyer', 'Buyer', n::text, 'PARENT', 'x'
    FROM generate_series(1, ${buyers}::integer) AS n`.execute(kysely)
  await sql`
    INSERT INTO accounts (kind, user_id, balance)
    SELECT 'customer', id, 0 FROM users WHERE email LIKE 'buyer%'`.execute(kysely)
  await sql`INSERT INTO accounts (kind, teacher_id) SELECT 'teacher_earnings', id FROM teachers`.execute(
    kysely,
  )
  await sql`
    WITH buyers AS (SELECT min(id) AS first FROM users WHERE email LIKE 'buyer%')
    INSERT INTO orders (buyer_id, status, method, total, created_at, paid_at)
    SELECT first + (n::bigint * 7919) % ${buyers}::integer, 'paid', 'wallet', ${LINES_PER_ORDER}::integer * 10000, at, at
    FROM buyers, generate_series(1, ${orders}::integer) AS n,
      LATERAL (SELECT now() - (n::bigint * ${DAYS}::integer * 86400 / ${orders}::integer)
        * interval '1 second' AS at) AS made`.execute(kysely)
  await sql`
    INSERT INTO order_items
      (order_id, document_id, price, sold_at, teacher_id, teacher_share, refunded_at)
    SELECT o.id, d.id, 10000, o.paid_at, d.teacher_id, 7000,
      CASE WHEN o.id % 100 = 0 THEN o.paid_at + interval '1 day' END
    FROM orders o, generate_series(0, ${LINES_PER_ORDER}::integer - 1) AS line,
      LATERAL (SELECT id, teacher_id FROM documents
        WHERE id = 1 + (o.id::bigint * 31 + line * 977) % ${documents}::integer) AS d`.execute(
    kysely,
  )
  await sql`
    INSERT INTO ledger_transactions (kind, order_id, created_at)
    SELECT 'purchase', id, paid_at FROM orders`.execute(kysely)
  await sql`
    INSERT INTO ledger_transactions (kind, order_id, created_at)
    SELECT 'refund', id, paid_at + interval '1 day' FROM orders WHERE id % 100 = 0`.execute(kysely)
  await sql`
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT t.id, side.account_id, CASE t.kind WHEN 'refund' THEN -side.amount ELSE side.amount END
    FROM ledger_transactions t JOIN orders o ON o.id = t.order_id
    CROSS JOIN LATERAL (
      SELECT a.id AS account_id, sum(i.teacher_share) AS amount FROM order_items i
      JOIN accounts a ON a.kind = 'teacher_earnings' AND a.teacher_id = i.teacher_id
      WHERE i.order_id = o.id GROUP BY a.id
      UNION ALL SELECT id, ${LINES_PER_ORDER}::integer * 3000 FROM accounts WHERE kind = 'revenue'
      UNION ALL SELECT id, ${LINES_PER_ORDER}::integer * -10000 FROM accounts WHERE user_id = o.buyer_id
    ) AS side`.execute(kysely)
  await sql`VACUUM ANALYZE`.execute(kysely)
}
