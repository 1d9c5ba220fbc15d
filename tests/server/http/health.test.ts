import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../src/server/database/pool.ts'
import {
  type Checks,
  checkDisk,
  createHealth,
  NotReady,
  readinessBy,
} from '../../../src/server/http/health.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { testApp } from '../../support/app.ts'
import { proxyTo } from '../../support/database-proxy.ts'
import { PATIENCE } from '../../support/patience.ts'
import { test } from '../../support/test.ts'

/** A server with only these two endpoints. */
async function aServer(checks: Checks, isStopping = () => false): Promise<string> {
  const health = createHealth(readinessBy(checks))
  const server = createServer((request, response) => {
    if (!health(request, response, isStopping())) response.end('another page')
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('/healthz', () => {
  test('answers while the database is down, and before any rate limit', async () => {
    const database = openDatabase('postgres://nobody@127.0.0.1:1/none')
    onTestFinished(() => database.close())
    const app = await testApp({
      deps: { database },
      allowances: { ...ALLOWANCES, calls: { max: 0, windowMs: 60_000 } },
    })
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    for (let n = 0; n < 5; n++) {
      const { status, body } = await app.request('GET', '/healthz?x=1', { headers })
      expect([status, body]).toEqual([200, { status: 'alive' }])
    }
    const checks = {
      database: 'cannot be reached',
      migrations: 'ok',
      writing: 'not possible',
      disk: 'ok',
      storage: 'ok',
    }
    const pages = await app.request('GET', '/readyz', { headers })
    expect([pages.status, pages.body]).toEqual([200, { status: 'ready', checks }])
    for (const purpose of ['calls', 'writes']) {
      const ready = await app.request('GET', `/readyz?for=${purpose}`, { headers })
      expect([ready.status, ready.body]).toEqual([503, { status: 'not_ready', checks }])
      expect(ready.headers.get('retry-after')).toBe('5')
    }
  })

  test('accepts GET and HEAD, and no other path', async () => {
    const url = await aServer({})
    const head = await fetch(`${url}/healthz`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('cache-control')).toBe('no-store')
    const post = await fetch(`${url}/readyz`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await (await fetch(`${url}/healthz/x`)).text()).toBe('another page')
  })
})

describe('/readyz', () => {
  test('reports that everything is fine', async ({ app }) => {
    const checks = { database: 'ok', migrations: 'ok', writing: 'ok', disk: 'ok', storage: 'ok' }
    for (const query of ['', '?for=pages', '?for=calls', '?for=writes', '?for=nonsense']) {
      const { status, body } = await app.request('GET', `/readyz${query}`)
      expect([status, body]).toEqual([200, { status: 'ready', checks }])
    }
  })

  test('tells calls and writes apart on a database that only reads', async () => {
    const app = await testApp()
    const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(
      app.kysely,
    )
    await sql`ALTER DATABASE ${sql.id(rows[0]?.name ?? '')} SET default_transaction_read_only = on`.execute(
      app.kysely,
    )
    const reading = openDatabase(app.databaseUrl)
    onTestFinished(() => reading.close())
    const readOnly = await testApp({ deps: { database: reading } })
    const statusOf = async (purpose: string) =>
      (await readOnly.request('GET', `/readyz?for=${purpose}`)).status
    expect(await statusOf('calls')).toBe(200)
    expect(await statusOf('writes')).toBe(503)
  })

  test('is ready for pages, and for nothing else, while the database is silent', async () => {
    const app = await testApp()
    const proxy = await proxyTo(app.databaseUrl)
    const database = openDatabase(proxy.url)
    onTestFinished(() => database.close())
    const behind = await testApp({ deps: { database } })
    const statusOf = async (purpose: string) =>
      (await behind.request('GET', `/readyz?for=${purpose}`)).status
    expect(await statusOf('writes')).toBe(200)
    proxy.freezeAll()
    await vi.waitFor(async () => expect(await statusOf('writes')).toBe(503), PATIENCE)
    expect(await statusOf('pages')).toBe(200)
    expect(await statusOf('calls')).toBe(503)
  })

  test.for([
    [
      'DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)',
      'not those of this version',
    ],
    ["INSERT INTO kysely_migration VALUES ('9999-later', now())", 'of a newer version'],
  ] as const)('names migrations that are not current: %s', async ([statement, why]) => {
    const app = await testApp()
    await sql.raw(statement).execute(app.kysely)
    const { status, body } = await app.request('GET', '/readyz')
    expect([status, body]).toEqual([
      503,
      {
        status: 'not_ready',
        checks: { database: 'ok', migrations: why, writing: 'ok', disk: 'ok', storage: 'ok' },
      },
    ])
  })

  test('names a full disk, and a missing directory', async () => {
    await checkDisk('/', 0)
    await expect(checkDisk('/', 2 ** 60)).rejects.toThrow('DATA_DIR is nearly full')
    await expect(checkDisk('/no/such/place')).rejects.toThrow('DATA_DIR cannot be read')
  })

  test('runs the checks once for simultaneous requests, and reveals no internals', async () => {
    let runs = 0
    const gate = Promise.withResolvers<void>()
    const fail = (error: Error) => () => Promise.reject(error)
    const url = await aServer({
      slow: {
        neededFor: 'pages',
        check: () => {
          runs++
          return gate.promise
        },
      },
      broken: { neededFor: 'pages', check: fail(new Error('password of the database')) },
      known: { neededFor: 'writes', check: fail(new NotReady('away')) },
    })
    const pending = Array.from({ length: 50 }, () => fetch(`${url}/readyz`))
    await expect.poll(() => runs).toBe(1)
    gate.resolve()
    const answers = await Promise.all(pending)
    expect(runs).toBe(1)
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({
        status: 'not_ready',
        checks: { slow: 'ok', broken: 'failed', known: 'away' },
      })
    }
  })

  test('is 503 while a stop gives load balancers time to notice, and calls are still answered', async () => {
    const app = await testApp()
    const drained = app.app.drain(0)
    const ready = await app.request('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'stopping', checks: {} }])
    expect((await app.request('GET', '/api/category')).status).toBe(200)
    await drained
  })

  test('is 503 once the shop stops, while the process still runs', async () => {
    const url = await aServer({}, () => true)
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping', checks: {} }])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})
