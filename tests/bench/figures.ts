/**
 * How long the figures of a shop with many sales take:
 * `node tests/bench/figures.ts [order lines] [documents]`, 1 000 000 lines of 20 000 documents over two
 * years unless said. Then what counting a page costs the hot path.
 */
import type { IncomingMessage } from 'node:http'
import { type Kysely, sql } from 'kysely'
import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { keepAllSums, readFigures, readRankings } from '../../src/server/figures/figures.ts'
import { aBackend } from '../support/bench.ts'
import { makeCatalogue } from './make-catalogue.ts'

const lines = Number(process.argv[2] ?? 1_000_000)
const documents = Number(process.argv[3] ?? 20_000)
const DAYS = 730
const BUYERS = 50_000
/** Lines of an order. */
const LINES = 2

const since = (start: number) => `${Math.round(performance.now() - start)} ms`

const { deps, close } = await aBackend()
try {
  const { kysely } = deps.database
  // The catalogue brings the school lists, which an opened shop has.
  for (const list of ['niveaux', 'matieres', 'categories'] as const) {
    await kysely.deleteFrom(list).execute()
  }
  await makeCatalogue(kysely, deps.config.dataDir, { count: documents })
  const start = performance.now()
  await fill(Math.ceil(lines / LINES))
  console.log(`filled with ${lines} lines: ${since(start)}`)

  const summing = performance.now()
  await keepAllSums(deps)
  console.log(`all days summed, once: ${since(summing)}`)
  const at = tunisianDay(new Date())
  for (const unit of ['day', 'month', 'year'] as const) {
    await measure(`figures of a ${unit}`, () => readFigures(deps, { unit, at }))
    await measure(`rankings of a ${unit}`, () => readRankings(deps, { unit, at }))
  }
  await measure('figures of the year before', () =>
    readFigures(deps, { unit: 'year', at: `${Number(at.slice(0, 4)) - 1}-06-01` }),
  )
  countPages()
} finally {
  await close()
}

/** Fills the shop on one connection, without triggers, limits and checks of references. */
async function fill(orders: number): Promise<void> {
  await deps.database.kysely.connection().execute(async (kysely) => {
    await sql`SET statement_timeout = 0`.execute(kysely)
    await sql`SET session_replication_role = replica`.execute(kysely)
    await write(orders, kysely)
    await sql`RESET session_replication_role`.execute(kysely)
    await sql`RESET statement_timeout`.execute(kysely)
  })
}

/** Writes orders as sales do: their items, and entries that sum to zero. */
async function write(orders: number, kysely: Kysely<Schema>): Promise<void> {
  await sql`
    INSERT INTO users (email, username, first_name, last_name, role, password_hash)
    SELECT 'buyer' || n || '@figures.karras.test', 'buyer', 'Buyer', n::text, 'PARENT', 'x'
    FROM generate_series(1, ${BUYERS}::integer) AS n`.execute(kysely)
  await sql`
    INSERT INTO accounts (kind, user_id, balance)
    SELECT 'customer', id, 0 FROM users WHERE email LIKE 'buyer%'`.execute(kysely)
  await sql`INSERT INTO accounts (kind, teacher_id) SELECT 'teacher_earnings', id FROM teachers`.execute(
    kysely,
  )
  await sql`
    WITH buyers AS (SELECT min(id) AS first FROM users WHERE email LIKE 'buyer%')
    INSERT INTO orders (buyer_id, status, method, total, created_at, paid_at)
    SELECT first + (n::bigint * 7919) % ${BUYERS}::integer, 'paid', 'wallet', ${LINES}::integer * 10000, at, at
    FROM buyers, generate_series(1, ${orders}::integer) AS n,
      LATERAL (SELECT now() - (n::bigint * ${DAYS}::integer * 86400 / ${orders}::integer)
        * interval '1 second' AS at) AS made`.execute(kysely)
  await sql`
    INSERT INTO order_items
      (order_id, document_id, price, sold_at, teacher_id, teacher_share, refunded_at)
    SELECT o.id, d.id, 10000, o.paid_at, d.teacher_id, 7000,
      CASE WHEN o.id % 100 = 0 THEN o.paid_at + interval '1 day' END
    FROM orders o, generate_series(0, ${LINES}::integer - 1) AS line,
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
      UNION ALL SELECT id, ${LINES}::integer * 3000 FROM accounts WHERE kind = 'revenue'
      UNION ALL SELECT id, ${LINES}::integer * -10000 FROM accounts WHERE user_id = o.buyer_id
    ) AS side`.execute(kysely)
  await sql`VACUUM ANALYZE`.execute(kysely)
}

async function measure(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const start = performance.now()
    await read()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const [least, , median, , most] = times.map((time) => Math.round(time))
  console.log(`${name}: ${median} ms (${least} to ${most})`)
}

function countPages(): void {
  const headers = {
    host: 'shop.example',
    'user-agent':
      'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
    'sec-fetch-site': 'none',
    'sec-fetch-dest': 'document',
  }
  const request = {
    method: 'GET',
    url: '/fr/shop-details/12',
    headers,
  } as unknown as IncomingMessage
  const often = 1_000_000
  const start = performance.now()
  for (let n = 0; n < often; n++) deps.visits.page(request, '/fr/shop-details/12', false)
  const nanoseconds = ((performance.now() - start) / often) * 1e6
  console.log(`counting a page: ${Math.round(nanoseconds)} ns`)
}
