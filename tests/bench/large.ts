/**
 * Measures one shop with 100 000 documents, accounts and order lines each, and one with a million, so that what
 * grows faster than the data shows: `node tests/bench/large.ts [size …]`. Start, pages and lists of the shop, every
 * list and figure of the office and of a teacher with many sales, then the office's commands, each with its time
 * and memory.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { tunisianDay, tunisianMonth } from '../../src/rules/tunisia-time.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { keepAllSums } from '../../src/server/figures/figures.ts'
import { factories } from '../support/factories.ts'
import { percentile } from '../support/quantiles.ts'
import { cleanEnvironment, spawnShop } from '../support/shop-process.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { timesOf } from './support/calls.ts'
import { memoryOfTree } from './support/memory.ts'
import { markSamplesDrawn, ROOT, withBackend } from './support/shops.ts'

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000]
const DAYS = 730
const LINES_PER_ORDER = 2
const CALLS = 20

/** A figure by what it is of; each size has the same ones. */
type Figures = Map<string, string>

const found: Figures[] = []
for (const size of SIZES) found.push(await measure(size))
const [first = new Map()] = found
for (const what of first.keys()) {
  console.log(`| ${[what, ...found.map((figures) => figures.get(what) ?? '–')].join(' | ')} |`)
}

async function measure(size: number): Promise<Figures> {
  const home = await mkdtemp(join(tmpdir(), 'karras-large-'))
  const figures: Figures = new Map()
  try {
    const dataDir = join(home, 'shop')
    const people = await fill(dataDir, size)
    await measureShop(dataDir, people, figures)
    await measureCommands(home, figures)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  return figures
}

async function fill(dataDir: string, size: number) {
  return await withBackend(ROOT, dataDir, async ({ deps }) => {
    console.error(`Filling a shop of ${size} …`)
    // Some of its statements take minutes.
    const patient = deps.database.another({
      size: 2,
      statementTimeout: 0,
      idleInTransactionTimeout: 0,
    })
    const { kysely } = patient
    await makeCatalogue(kysely, dataDir, { count: size })
    await markSamplesDrawn(kysely)
    await kysely.connection().execute((db) => fillSales(db, size))
    await keepAllSums({ ...deps, database: patient })
    const made = factories({ ...deps, dataDir })
    const admin = await made.anOfficeAdministrator()
    const teacher = await made.anOfficeTeacher()
    const sold = await kysely
      .selectFrom('orderItems')
      .select('teacherId')
      .groupBy('teacherId')
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .executeTakeFirstOrThrow()
    const own = (id: number, userId: number | null) =>
      kysely.updateTable('teachers').set({ userId }).where('id', '=', id).execute()
    if (teacher.teacherId !== null) await own(teacher.teacherId, null)
    if (sold.teacherId !== null) await own(sold.teacherId, teacher.id)
    const { id, buyerId } = await kysely
      .selectFrom('orders')
      .select(['id', 'buyerId'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await patient.close()
    return { admin, teacher, orderId: id, buyerId }
  })
}

type People = Awaited<ReturnType<typeof fill>>

async function measureShop(dataDir: string, people: People, figures: Figures): Promise<void> {
  const openedAt = performance.now()
  const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' })
  const since = (at: number) => `${((performance.now() - at) / 1000).toFixed(1)} s`
  figures.set('start until open', since(openedAt))
  try {
    const asked = async (paths: readonly string[], token?: string) => {
      for (const path of paths) {
        const statuses = new Set<number>()
        const times = await timesOf({ calls: CALLS, atOnce: 1, warmUp: 0 }, async (at) => {
          const answer = await fetch(shop.url + path, {
            headers: {
              'x-forwarded-for': `203.0.113.${at}`,
              ...(token && { authorization: `Bearer ${token}` }),
            },
          })
          await answer.arrayBuffer()
          statuses.add(answer.status)
        })
        const ms = (share: number) => Math.round(percentile(times, share))
        const others = [...statuses].filter((status) => status !== 200)
        figures.set(
          `\`${path.replace(/\d{4}-\d\d(-\d\d)?/, '…')}\``,
          `${Math.round(times[0] ?? 0)} first, ${ms(0.5)}, ${ms(0.95)} ms ${others.join()}`.trim(),
        )
      }
    }
    const { admin, teacher, orderId, buyerId } = people
    const [day, month] = [tunisianDay(new Date()), tunisianMonth(new Date())]
    await asked([
      ...[
        '/api/documents/paginated?title=الكسور',
        '/api/documents/paginated?title=les%20suites&sort=price',
      ],
      ...['/api/documents/paginated?title=777', '/api/documents/paginated?page=400', '/fr/shop'],
      ...['/api/documents/777', '/fr/shop-details/777', '/api/teachers', '/fr/teachers'],
      ...['/teacher-details/7', '/sitemap.xml', '/fr/rss.xml'],
    ])
    const { memory, database } = await memoryOfTree(shop.process.pid ?? 0)
    figures.set('memory of the process, after searches', `${memory} MB`)
    figures.set('memory of its database', `${database} MB`)
    const office = (paths: readonly string[], { token }: { token: string }) =>
      asked(
        paths.map((path) => `/api/office/${path}`),
        token,
      )
    await office(
      [
        ...['admin/waiting', 'admin/review', 'admin/ratings', 'admin/conversations', 'admin/log'],
        ...[
          'admin/orders',
          'admin/orders?page=500',
          'admin/orders?q=buyer777',
          'admin/orders?q=20',
        ],
        ...[`admin/orders?q=${orderId}`, `admin/orders/${orderId}`],
        ...['admin/people', 'admin/people?q=buyer777', 'admin/people?q=Buyer%20777'],
        ...[`admin/people/${buyerId}`, 'admin/transfers', 'admin/transfers?q=buyer777'],
        ...['admin/documents', 'admin/documents?sort=-sales&page=100', 'admin/documents?q=maths'],
        ...['admin/payouts', `admin/closings/${day}`, 'admin/lists'],
        ...['day', 'month', 'year'].flatMap((unit) => [
          `admin/figures?unit=${unit}&at=${day}`,
          `admin/figures/rankings?unit=${unit}&at=${day}`,
        ]),
      ],
      admin,
    )
    await office(
      [
        ...['earnings', 'sales', 'sales?sort=-share', `sales?month=${month}`],
        ...['earnings/series?range=12m', 'earnings/documents?sort=-share', 'statements'],
        ...[`statements/${month}`, `statements/${month}/csv`],
      ],
      teacher,
    )
  } finally {
    const stoppedAt = performance.now()
    await shop.stop()
    figures.set('stop', since(stoppedAt))
  }
}

/** The office's commands on the shop that is closed. */
async function measureCommands(home: string, figures: Figures): Promise<void> {
  const backup = join(home, 'shop.backup')
  const command = async (dataDir: string, ...parameters: string[]) => {
    const startedAt = performance.now()
    const child = spawn('npm', ['run', '--silent', 'office', '--', ...parameters], {
      cwd: ROOT,
      env: cleanEnvironment({ DATA_DIR: join(home, dataDir), DEMO: '0' }),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const ended = once(child, 'exit')
    let most = 0
    const timer = setInterval(async () => {
      const { memory, database } = await memoryOfTree(child.pid ?? 0)
      most = Math.max(most, memory + database)
    }, 500)
    const [code] = await ended
    clearInterval(timer)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    figures.set(`\`office ${parameters[0]}\``, `${seconds} s, ${most} MB, ended with ${code}`)
  }
  await command('shop', 'ledger', 'check')
  await command('shop', 'backup', backup)
  figures.set('the backup', `${Math.round((await stat(backup)).size / 1024 ** 2)} MB`)
  await command('restored', 'restore', backup)
}

/**
 * Fills a shop with two years of orders, with their items and ledger entries that sum to zero, on one
 * connection without triggers and foreign key checks.
 */
async function fillSales(kysely: Kysely<Schema>, size: number): Promise<void> {
  await sql`SET session_replication_role = replica`.execute(kysely)
  const orders = Math.ceil(size / LINES_PER_ORDER)
  await sql`
    INSERT INTO users (email, username, first_name, last_name, role, password_hash)
    SELECT 'buyer' || n || '@figures.karras.test', 'buyer', 'Buyer', n::text, 'PARENT', 'x'
    FROM generate_series(1, ${size}::integer) AS n`.execute(kysely)
  await sql`
    INSERT INTO accounts (kind, user_id, balance)
    SELECT 'customer', id, 0 FROM users WHERE email LIKE 'buyer%'`.execute(kysely)
  await sql`INSERT INTO accounts (kind, teacher_id) SELECT 'teacher_earnings', id FROM teachers`.execute(
    kysely,
  )
  await sql`
    WITH buyers AS (SELECT min(id) AS first FROM users WHERE email LIKE 'buyer%')
    INSERT INTO orders (buyer_id, status, method, total, created_at, paid_at)
    SELECT first + (n::bigint * 7919) % ${size}::integer, 'paid', 'wallet', ${LINES_PER_ORDER}::integer * 10000, at, at
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
        WHERE id = 1 + (o.id::bigint * 31 + line * 977) % ${size}::integer) AS d`.execute(kysely)
  // Wallets are credited before each order; its refund stays in them.
  await sql`
    INSERT INTO ledger_transactions (kind, order_id, created_at)
    SELECT kind, id, paid_at FROM orders, unnest(ARRAY['adjustment', 'purchase']) AS kind`.execute(
    kysely,
  )
  await sql`
    INSERT INTO ledger_transactions (kind, order_id, created_at)
    SELECT 'refund', id, paid_at + interval '1 day' FROM orders WHERE id % 100 = 0`.execute(kysely)
  await sql`
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT t.id, side.account_id, CASE t.kind WHEN 'refund' THEN -side.amount ELSE side.amount END
    FROM ledger_transactions t JOIN orders o ON o.id = t.order_id AND t.kind <> 'adjustment'
    CROSS JOIN LATERAL (
      SELECT a.id AS account_id, sum(i.teacher_share) AS amount FROM order_items i
      JOIN accounts a ON a.kind = 'teacher_earnings' AND a.teacher_id = i.teacher_id
      WHERE i.order_id = o.id GROUP BY a.id
      UNION ALL SELECT id, ${LINES_PER_ORDER}::integer * 3000 FROM accounts WHERE kind = 'revenue'
      UNION ALL SELECT id, ${LINES_PER_ORDER}::integer * -10000 FROM accounts WHERE user_id = o.buyer_id
    ) AS side`.execute(kysely)
  await sql`
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT t.id, side.id, CASE side.kind WHEN 'adjustments' THEN -o.total ELSE o.total END
    FROM ledger_transactions t JOIN orders o ON o.id = t.order_id AND t.kind = 'adjustment'
    JOIN accounts side ON side.kind = 'adjustments' OR side.user_id = o.buyer_id`.execute(kysely)
  await sql`
    UPDATE accounts SET balance = sums.sum
    FROM (SELECT account_id, sum(amount) FROM ledger_entries GROUP BY account_id) AS sums
    WHERE sums.account_id = accounts.id AND kind = 'customer'`.execute(kysely)
  await sql`VACUUM ANALYZE`.execute(kysely)
  await sql`RESET session_replication_role`.execute(kysely)
}
