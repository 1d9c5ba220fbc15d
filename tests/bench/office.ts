/**
 * Measures how long an administrator of a large shop waits for each list of the office:
 * `node tests/bench/office.ts [order lines] [documents] [accounts]`, by default 1 000 000 lines,
 * 100 000 documents and 100 000 accounts.
 */
import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import { buildApp } from '../../src/server/backend.ts'
import { withOfficeToken } from '../support/people.ts'
import { median, percentile } from '../support/quantiles.ts'
import { fillSales } from './fill-sales.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { aBackend } from './support/backend.ts'

const [lines = 1_000_000, documents = 100_000, buyers = 100_000] = process.argv.slice(2).map(Number)
const TIMES = 20

const { deps, made, close } = await aBackend()
try {
  const { kysely } = deps.database
  await makeCatalogue(kysely, deps.config.dataDir, { count: documents })
  await fillSales(deps.database, { lines, documents, buyers })
  const order = await kysely
    .selectFrom('orders')
    .select(['id', 'buyerId'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { token } = await withOfficeToken(deps, await made.anAdministrator())
  const app = await buildApp(deps, { log: { write: () => {} }, overloadDelay: 0 })
  const day = tunisianDay(new Date())
  const paths = [
    'waiting',
    'review',
    'orders',
    'orders?page=500',
    'orders?q=buyer777',
    'orders?q=20',
    `orders?q=${order.id}`,
    `orders/${order.id}`,
    'people',
    'people?q=buyer777',
    'people?q=Buyer%20777',
    `people/${order.buyerId}`,
    'transfers',
    'transfers?q=buyer777',
    'documents',
    'documents?sort=-sales&page=100',
    'documents?q=maths',
    'ratings',
    'conversations',
    'log',
    'payouts',
    `closings/${day}`,
    'lists',
  ]
  const rows: Record<string, unknown>[] = []
  for (const path of paths) {
    const times: number[] = []
    let status = 0
    for (let n = 0; n < TIMES; n++) {
      const start = performance.now()
      const answer = await app.server.inject({
        method: 'GET',
        url: `/api/office/admin/${path}`,
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: `203.0.113.${n}`,
      })
      status = answer.statusCode
      times.push(performance.now() - start)
    }
    rows.push({
      path,
      status,
      'median ms': Math.round(median(times)),
      'p95 ms': Math.round(percentile(times, 0.95)),
    })
  }
  console.table(rows)
} finally {
  await close()
}
