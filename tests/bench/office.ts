/**
 * Measures how long an administrator of a large shop waits for each list and figure of the office, and a teacher
 * with many sales for each of theirs: `node tests/bench/office.ts [order lines] [documents] [accounts]`, by
 * default 1 000 000 lines over two years, 100 000 documents of 500 teachers and 100 000 accounts.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { tunisianDay, tunisianMonth } from '../../src/rules/tunisia-time.ts'
import { buildApp } from '../../src/server/backend.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { keepAllSums } from '../../src/server/figures/figures.ts'
import { factories } from '../support/factories.ts'
import { percentile } from '../support/quantiles.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { timesOf } from './support/calls.ts'
import { ROOT, withBackend } from './support/shops.ts'

const [lines = 1_000_000, documents = 100_000, buyers = 100_000] = process.argv.slice(2).map(Number)
const DAYS = 730
const LINES_PER_ORDER = 2

const dataDir = await mkdtemp(join(tmpdir(), 'karras-bench-'))
try {
  await withBackend(ROOT, dataDir, async ({ deps }) => {
    const { kysely } = deps.database
    await makeCatalogue(kysely, dataDir, { count: documents })
    await kysely.connection().execute(fillSales)
    await keepAllSums(deps)
    const made = factories({ ...deps, dataDir })
    const admin = await made.anOfficeAdministrator()
    const teacher = await made.anOfficeTeacher()
    const sold = await kysely
      .selectFrom('orderItems')
      .select('teacherId')
      .groupBy('teacherId')
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .executeTakeFirstOrThrow()
    await kysely
      .updateTable('teachers')
      .set({ userId: null })
      .where('id', '=', teacher.teacherId)
      .execute()
    await kysely
      .updateTable('teachers')
      .set({ userId: teacher.id })
      .where('id', '=', sold.teacherId)
      .execute()
    const order = await kysely
      .selectFrom('orders')
      .select(['id', 'buyerId'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const app = await buildApp(deps, { log: { write: () => {} }, overloadDelay: 0 })

    const rows: Record<string, unknown>[] = []
    const measure = async ({ token }: { token: string }, paths: readonly string[]) => {
      for (const path of paths) {
        const statuses = new Set<number>()
        const times = await timesOf({ calls: 20, atOnce: 1 }, async (at) => {
          const answer = await app.server.inject({
            method: 'GET',
            url: `/api/office/${path}`,
            headers: { authorization: `Bearer ${token}` },
            remoteAddress: `203.0.113.${at}`,
          })
          statuses.add(answer.statusCode)
        })
        const ms = (share: number) => Math.round(percentile(times, share))
        rows.push({ path, status: [...statuses].join(), 'median ms': ms(0.5), 'p95 ms': ms(0.95) })
      }
    }
    const [day, month] = [tunisianDay(new Date()), tunisianMonth(new Date())]
    await measure(admin, [
      ...['admin/waiting', 'admin/review', 'admin/ratings', 'admin/conversations', 'admin/log'],
      ...['admin/orders', 'admin/orders?page=500', 'admin/orders?q=buyer777', 'admin/orders?q=20'],
      ...[`admin/orders?q=${order.id}`, `admin/orders/${order.id}`],
      ...['admin/people', 'admin/people?q=buyer777', 'admin/people?q=Buyer%20777'],
      ...[`admin/people/${order.buyerId}`, 'admin/transfers', 'admin/transfers?q=buyer777'],
      ...['admin/documents', 'admin/documents?sort=-sales&page=100', 'admin/documents?q=maths'],
      ...['admin/payouts', `admin/closings/${day}`, 'admin/lists'],
      ...['day', 'month', 'year'].flatMap((unit) => [
        `admin/figures?unit=${unit}&at=${day}`,
        `admin/figures/rankings?unit=${unit}&at=${day}`,
      ]),
    ])
    await measure(teacher, [
      ...['earnings', 'sales', 'sales?sort=-share', `sales?month=${month}`],
      ...['earnings/series?range=12m', 'earnings/documents?sort=-share', 'statements'],
      ...[`statements/${month}`, `statements/${month}/csv`],
    ])
    console.table(rows)
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/**
 * Fills a shop with two years of orders, with their items and ledger entries that sum to zero, on one
 * connection without a statement timeout, triggers and foreign key checks.
 */
async function fillSales(kysely: Kysely<Schema>): Promise<void> {
  await sql`SET statement_timeout = 0`.execute(kysely)
  await sql`SET session_replication_role = replica`.execute(kysely)
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
  await sql`RESET session_replication_role`.execute(kysely)
  await sql`RESET statement_timeout`.execute(kysely)
}
