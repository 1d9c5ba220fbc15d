import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { checkLedgerAndNote } from '../../../src/server/waiting/waiting.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { proxyTo } from '../../support/database-proxy.ts'
import { test } from '../../support/test.ts'

const TOKEN = 'sixteen-characters'

/** `fetch` would set the host itself. */
async function askMetrics(app: TestApp, headers: Record<string, string> = {}, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  request(`${app.url}/metrics`, { method, headers, agent: false }, async (response) => {
    resolve({ status: response.statusCode ?? 0, text: await readText(response) })
  })
    .on('error', reject)
    .end()
  return await promise
}

async function linesOf(app: TestApp): Promise<string[]> {
  const { status, text } = await askMetrics(app)
  expect(status).toBe(200)
  return text.split('\n')
}

const beginningWith = (lines: readonly string[], start: string) =>
  lines.filter((line) => line.startsWith(start))

describe('who may read /metrics', () => {
  test('this machine, by GET and HEAD', async ({ app }) => {
    const { status, headers, body } = await app.request('GET', '/metrics?x=1')
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect(body).toContain('\nkarras_database_up 1\n')
    expect(await askMetrics(app, {}, 'HEAD')).toEqual({ status: 200, text: '' })
    expect(await askMetrics(app, {}, 'POST')).toEqual({ status: 405, text: '' })
  })

  const OTHERS: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-real-ip': '203.0.113.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'shop.example' },
    { host: '[' },
    { host: '127.0.0.1.shop.example' },
  ]
  test.for(OTHERS)('not who comes through a proxy: %j', async (headers, { app }) => {
    const unknown = await app.request('GET', '/metricz')
    for (const method of ['GET', 'POST']) {
      const { status, text } = await askMetrics(app, headers, method)
      expect([status, JSON.parse(text)]).toEqual([404, unknown.body])
    }
    // No token is set, so none is right.
    for (const authorization of ['Bearer null', 'Bearer ', 'Bearer undefined', '\u00e9']) {
      expect((await askMetrics(app, { ...headers, authorization })).status).toBe(404)
    }
  })

  test('callers with the token, and nobody with another', async () => {
    const app = await testApp({ env: { METRICS_TOKEN: TOKEN } })
    const far = { 'x-forwarded-for': '203.0.113.1', host: 'shop.example' }
    expect((await askMetrics(app, { ...far, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
    const { token } = await app.anAdministrator()
    for (const authorization of [
      TOKEN,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `bearer  ${TOKEN}`,
      `Basic ${TOKEN}`,
      `Bearer ${token}`,
      'x'.repeat(10_000),
    ]) {
      expect((await askMetrics(app, { ...far, authorization })).status).toBe(404)
    }
  })
})

describe('what /metrics says', () => {
  test('requests by route, method and class, and nothing that a stranger makes up', async ({
    app,
  }) => {
    await app.request('GET', '/api/documents/5417?title=secret-words')
    await app.request('GET', '/api/documents/5418')
    for (let n = 0; n < 20; n++) await app.request('GET', `/no/such-${n}?q=secret-words`)
    await app.request('PURGE', '/no/such')
    const lines = await linesOf(app)
    const counts = beginningWith(lines, 'karras_http_request_duration_seconds_count')
    expect(counts.toSorted()).toEqual([
      'karras_http_request_duration_seconds_count{route="/api/documents/:id",method="GET",status="4xx"} 2',
      'karras_http_request_duration_seconds_count{route="unknown",method="GET",status="4xx"} 20',
      'karras_http_request_duration_seconds_count{route="unknown",method="other",status="4xx"} 1',
    ])
    expect(lines.filter((line) => /541[78]|such|secret|PURGE/.test(line))).toEqual([])
  })

  test('what waits: payments, mails, jobs, the ledger and the backup', async ({ app }) => {
    await app.deps.jobs.enqueue(app.kysely, 'mail', { kind: 'receipt', orderId: 1 })
    await app.deps.jobs.enqueue(app.kysely, 'failed_mail', { kind: 'receipt', orderId: 1 })
    await sql`UPDATE jobs.job SET created_on = now() - interval '1 hour' WHERE name = 'mail'`.execute(
      app.kysely,
    )
    await checkLedgerAndNote(app.deps)
    await sql`UPDATE upkeep SET wrong_since = now() WHERE what = 'ledger'`.execute(app.kysely)
    const lines = await linesOf(app)
    expect(lines).toEqual(
      expect.arrayContaining([
        'karras_queue_waiting{queue="mail"} 1',
        'karras_queue_waiting{queue="failed_mail"} 1',
        'karras_queue_waiting{queue="imports"} 0',
        'karras_queue_oldest_seconds{queue="imports"} 0',
        'karras_ledger_drift 1',
        'karras_trouble{what="mail"} 0',
        'karras_ready{for="writes"} 1',
        'karras_database_pool_waiting 0',
        'karras_sockets 0',
        'karras_workers_busy{lane="bought"} 0',
      ]),
    )
    const [oldest = ''] = beginningWith(lines, 'karras_queue_oldest_seconds{queue="mail"}')
    expect(Number(oldest.split(' ')[1])).toBeGreaterThanOrEqual(3600)
  })

  test('what the gateway answered', async ({ app }) => {
    await app.deps.gateway?.read('nothing')
    expect(await linesOf(app)).toEqual(
      expect.arrayContaining([
        'karras_gateway_requests_total{result="unknown"} 1',
        'karras_gateway_requests_total{result="failed"} 0',
      ]),
    )
  })

  test('the documents of the search', async ({ app }) => {
    await app.aDocument({})
    await app.deps.catalogue.prepareSearch()
    expect(await linesOf(app)).toContain('karras_search_index_documents 1')
  })

  test('every metric that the alerts name', async ({ app }) => {
    await checkLedgerAndNote(app.deps)
    await app.request('GET', '/api/category')
    const lines = await linesOf(app)
    const printed = new Set(lines.map((line) => line.split(/[{ ]/, 1)[0]))
    const file = readFileSync('docs/several-machines/alerts.yml', 'utf8')
    const { groups } = parse(file) as { groups: { rules: { alert: string; expr: string }[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    const named = rules.flatMap(({ expr }) => expr.match(/\bkarras_\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !printed.has(name))).toEqual([])
    const guide = readFileSync('docs/operating/watching.md', 'utf8')
    expect(rules.filter(({ alert }) => !guide.includes(`| \`${alert}\` |`))).toEqual([])
  })
})

describe('without a database', () => {
  test('says so, and everything else', async () => {
    const database = openDatabase('postgres://nobody@127.0.0.1:1/none')
    onTestFinished(() => database.close())
    const lines = await linesOf(await testApp({ deps: { database } }))
    expect(lines).toEqual(
      expect.arrayContaining([
        'karras_database_up 0',
        'karras_ready{for="pages"} 1',
        'karras_ready{for="calls"} 0',
        'karras_sockets 0',
      ]),
    )
    expect(beginningWith(lines, 'karras_nodejs_eventloop_lag_mean_seconds')).toHaveLength(1)
    const ofDatabase = /^karras_(queue|payments|ledger|backup|trouble)/
    expect(lines.filter((line) => ofDatabase.test(line))).toEqual([])
  })

  test('is answered while the database is silent', async ({ app: whole }) => {
    const proxy = await proxyTo(whole.databaseUrl)
    const database = openDatabase(proxy.url, { size: 1 })
    // Waits until the proxy is gone.
    onTestFinished(() => void database.close())
    const app = await testApp({ deps: { database } })
    await sql`SELECT 1`.execute(database.kysely)
    proxy.freezeAll()
    expect(await linesOf(app)).toEqual(
      expect.arrayContaining(['karras_database_up 0', 'karras_sockets 0']),
    )
  })

  test('is read once for all who ask at the same time', async () => {
    let readings = 0
    const whole = await testApp()
    const { database } = whole.deps
    const kysely = database.kysely.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('payments')) readings += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const app = await testApp({ deps: { database: { ...database, kysely } } })
    await linesOf(app)
    const ofOne = readings
    expect(ofOne).toBeGreaterThan(0)
    await Promise.all(Array.from({ length: 50 }, () => linesOf(app)))
    // A slow machine may read once more.
    expect(readings).toBeLessThanOrEqual(2 * ofOne)
  })
})
