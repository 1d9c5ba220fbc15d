// @one-database: the servers here are the embedded ones.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { serversIn } from '../../../src/server/config/database-url.ts'
import { openListener } from '../../../src/server/database/listen.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { openDatabase, type PoolOptions } from '../../../src/server/database/pool.ts'
import { longTransaction } from '../../../src/server/database/transaction.ts'
import { DatabaseUnavailable } from '../../../src/server/database/unavailable.ts'
import { runStatement, startServer } from '../../support/database.ts'
import { type DatabaseProxy, proxyTo } from '../../support/database-proxy.ts'
import { PATIENCE } from '../../support/patience.ts'

describe('the servers in DATABASE_URL', () => {
  test.for([
    ['postgres://karras@db/karras', ['postgres://karras@db/karras']],
    [
      'postgresql://karras:p%40ss@a:5432,b,[::1]:6432/karras?sslmode=require&target_session_attrs=read-write',
      [
        'postgresql://karras:p%40ss@a:5432/karras?sslmode=require',
        'postgresql://karras:p%40ss@b/karras?sslmode=require',
        'postgresql://karras:p%40ss@[::1]:6432/karras?sslmode=require',
      ],
    ],
    [
      'postgres://a,b/karras?target_session_attrs=any&application_name=x',
      ['postgres://a/karras?application_name=x', 'postgres://b/karras?application_name=x'],
    ],
    ['postgres://a,b:99999/karras', []],
    ['postgres://a,b/karras?target_session_attrs=standby', []],
    ['mysql://a/karras', []],
    ['karras', []],
  ] as const)('%s', ([url, servers]) => {
    expect(serversIn(url)).toEqual(servers)
  })
})

type Server = Awaited<ReturnType<typeof startServer>>
let servers: Server[] = []

beforeAll(async () => {
  servers = await Promise.all([1, 2].map(() => startServer(inject('emptyCluster'))))
  for (const [at, { url }] of servers.entries()) {
    await runStatement(url, `CREATE TABLE names AS SELECT 'server ${at}' AS name`)
  }
})
afterAll(async () => {
  for (const server of servers) await server.stop()
})

/** Makes new connections to a server read-only, as those to a standby are, or writable again. */
const setReadOnly = ({ url }: Server, isReadOnly: boolean) =>
  runStatement(
    url,
    `BEGIN READ WRITE;
     ALTER DATABASE postgres SET default_transaction_read_only = ${isReadOnly};
     COMMIT`,
  )

function open(url: string, options: PoolOptions = {}) {
  const database = openDatabase(url, options)
  onTestFinished(() => database.close())
  return database
}

/** Writes to the server that the pool uses; returns which one it is. */
async function writeRow({ kysely }: ReturnType<typeof open>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    UPDATE names SET name = name RETURNING name`.execute(kysely)
  return rows[0]?.name
}

describe('a server that falls silent', () => {
  test('is given up after a time, and all its connections with it', async () => {
    const proxy = await proxyTo(servers[0]?.url ?? '')
    const database = open(proxy.url, { statementTimeout: 50 })
    // Two connections, one of which stays unused.
    await vi.waitFor(() => Promise.all([writeRow(database), writeRow(database)]), PATIENCE)
    proxy.freezeAll()
    await expect(writeRow(database)).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(() => writeRow(database), PATIENCE)
    expect(database.pool.totalCount).toBe(1)
  })

  test('is waited for within a long transaction', async () => {
    const database = open(servers[0]?.url ?? '', { statementTimeout: 50 })
    await longTransaction(database, 0, (tx) => sql`SELECT pg_sleep(0.2)`.execute(tx))
  })
})

describe('of two servers', () => {
  /** Both behind proxies, and the URL that names both. */
  async function both(): Promise<{ url: string; proxies: DatabaseProxy[] }> {
    const proxies = await Promise.all(servers.map(({ url }) => proxyTo(url)))
    const [first, second] = proxies.map(({ url }) => new URL(url))
    const url = `postgres://${first?.username}@${first?.host},${second?.host}/postgres`
    return { proxies, url: `${url}?target_session_attrs=read-write` }
  }

  async function promote(primary: Server): Promise<void> {
    for (const server of servers) await setReadOnly(server, server !== primary)
  }

  test('the one that accepts writes is used, also after they have changed places', async () => {
    const { url } = await both()
    const [first, second] = servers as [Server, Server]
    await promote(second)
    const database = open(url)
    await vi.waitFor(async () => expect(await writeRow(database)).toBe('server 1'), PATIENCE)
    await promote(first)
    // The connection became read-only at the next transaction, as in a switchover.
    await sql`SET default_transaction_read_only = on`.execute(database.kysely)
    await expect(writeRow(database)).rejects.toThrow(DatabaseUnavailable)
    await vi.waitFor(async () => expect(await writeRow(database)).toBe('server 0'), PATIENCE)
  })

  test('the other is used once the first cannot be reached', async () => {
    const { url, proxies } = await both()
    const [first, second] = servers as [Server, Server]
    await promote(first)
    const database = open(url)
    await vi.waitFor(async () => expect(await writeRow(database)).toBe('server 0'), PATIENCE)
    proxies[0]?.refuse()
    await promote(second)
    await runStatement(
      first.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'karras' AND pid <> pg_backend_pid()`,
    )
    await vi.waitFor(async () => expect(await writeRow(database)).toBe('server 1'), PATIENCE)
  })

  test('the listener listens at the one that accepts writes', async () => {
    const { url } = await both()
    const [first, second] = servers as [Server, Server]
    await promote(second)
    const listener = openListener(url)
    onTestFinished(() => listener.close())
    const heard: string[] = []
    await listener.onNotify('news', (payload) => heard.push(payload))
    await runStatement(first.url, `SELECT pg_notify('news', 'of the first')`)
    await runStatement(second.url, `SELECT pg_notify('news', 'of the second')`)
    await vi.waitFor(() => expect(heard).toEqual(['of the second']), PATIENCE)
  })

  test('if none accepts writes, callers and the start are told so', async () => {
    const { url, proxies } = await both()
    for (const server of servers) await setReadOnly(server, true)
    proxies[1]?.refuse()
    await expect(writeRow(open(url))).rejects.toThrow(DatabaseUnavailable)
    await expect(migrate(url)).rejects.toThrow(
      /^The database cannot be reached: .*no server accepts writes: 127\.0\.0\.1:\d+ is read-only; .+check DATABASE_URL\.$/,
    )
    await expect(migrate(servers[0]?.url ?? '')).rejects.toThrow(
      'DATABASE_URL: the server only reads, as a standby does',
    )
  })
})
