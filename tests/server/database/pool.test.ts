import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { DatabaseUnavailable } from '../../../src/server/database/unavailable.ts'
import { type FreshDatabase, freshDatabase, runStatement } from '../../support/database.ts'
import { PATIENCE } from '../../support/patience.ts'
import { open, pidOf } from './pools.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await runStatement(fresh.url, 'CREATE TABLE counters (id int PRIMARY KEY, value bigint NOT NULL)')
  await runStatement(
    fresh.url,
    'INSERT INTO counters SELECT id, 0 FROM generate_series(1, 20) AS id',
  )
})
afterAll(() => fresh.drop())

describe('columns', () => {
  test.for([
    ['12500::bigint', 12500],
    ['-9007199254740991::bigint', Number.MIN_SAFE_INTEGER],
    ['(SELECT sum(n) FROM (VALUES (10::bigint), (20)) AS t(n))', 30],
    ['(SELECT count(*) FROM counters)', 20],
    ['12.5::numeric', 12.5],
    ['ARRAY[1, NULL, 3]::bigint[]', [1, null, 3]],
    ['NULL::bigint', null],
  ])('%s is read as a number', async ([expression, expected]) => {
    const { rows } = await sql`SELECT ${sql.raw(String(expression))} AS value`.execute(
      fresh.database.kysely,
    )
    expect(rows).toEqual([{ value: expected }])
  })

  test.for(['9007199254740993::bigint', '9007199254740993::numeric', 'ARRAY[9007199254740993]'])(
    '%s is refused, not rounded',
    async (expression) => {
      await expect(
        sql`SELECT ${sql.raw(expression)}`.execute(fresh.database.kysely),
      ).rejects.toThrow(RangeError)
    },
  )

  test('other users of pg in this process are not affected', async () => {
    const { rows } = await runStatement(fresh.url, 'SELECT 1::bigint AS value')
    expect(rows).toEqual([{ value: '1' }])
  })
})

describe('limits', () => {
  test('are 10 s per statement, 5 s per lock, 15 s idle in a transaction, 10 connections', async () => {
    const { rows } = await sql`SELECT current_setting('statement_timeout') AS statement,
      current_setting('lock_timeout') AS lock,
      current_setting('idle_in_transaction_session_timeout') AS idle`.execute(fresh.database.kysely)
    expect(rows).toEqual([{ statement: '10s', lock: '5s', idle: '15s' }])
    expect(fresh.database.pool.options.max).toBe(10)
  })

  test('a statement that takes too long is cancelled', async () => {
    const database = open(fresh, { statementTimeout: 50 })
    await expect(sql`SELECT pg_sleep(30)`.execute(database.kysely)).rejects.toThrow(
      DatabaseUnavailable,
    )
  })

  test('a lock wait has a limit', async () => {
    const database = open(fresh, { lockTimeout: 50 })
    await transaction(database, async (tx) => {
      await sql`SELECT FROM counters WHERE id = 1 FOR UPDATE`.execute(tx)
      await expect(
        sql`SELECT FROM counters WHERE id = 1 FOR UPDATE`.execute(database.kysely),
      ).rejects.toThrow(DatabaseUnavailable)
    })
  })

  test('a transaction that is left idle is ended, and this process survives', async () => {
    const database = open(fresh, { idleInTransactionTimeout: 50, size: 1 })
    const left = transaction(database, async (tx) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
      await vi.waitFor(async () => {
        const alive = await runStatement(
          fresh.url,
          `SELECT FROM pg_stat_activity WHERE pid = ${rows[0]?.pid}`,
        )
        expect(alive.rowCount).toBe(0)
      }, PATIENCE)
      await sql`SELECT 1`.execute(tx)
    })
    await expect(left).rejects.toThrow(DatabaseUnavailable)
    expect(await pidOf(database)).toBeGreaterThan(1)
  })

  test('waiting for a free connection has a limit', async () => {
    const database = open(fresh, { size: 1, connectTimeout: 50 })
    // Connecting has the same limit, which a busy machine exceeds; from here on the connection is
    // open.
    await vi.waitFor(() => pidOf(database), PATIENCE)
    await transaction(database, async () => {
      await expect(pidOf(database)).rejects.toThrow(DatabaseUnavailable)
    })
  })
})

describe('a lost connection', () => {
  test('is replaced while it is idle', async () => {
    const lines: string[] = []
    const database = open(fresh, { log: (line) => lines.push(line), size: 1 })
    const before = await pidOf(database)
    await runStatement(fresh.url, `SELECT pg_terminate_backend(${before})`)
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE)
    expect(await pidOf(database)).not.toBe(before)
  })

  test('fails only the work that uses it', async () => {
    const database = open(fresh, { size: 1 })
    const before = await pidOf(database)
    const cut = expect(sql`SELECT pg_sleep(30)`.execute(database.kysely)).rejects.toThrow(
      DatabaseUnavailable,
    )
    await runStatement(fresh.url, `SELECT pg_terminate_backend(${before})`)
    await cut
    expect(await pidOf(database)).not.toBe(before)
  })

  test('in a transaction, between two statements, rolls it back', async () => {
    const database = open(fresh)
    const cut = transaction(database, async (tx) => {
      await sql`UPDATE counters SET value = 99 WHERE id = 2`.execute(tx)
      await runStatement(
        fresh.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
      )
      await sql`SELECT 1`.execute(tx)
    })
    await expect(cut).rejects.toThrow(DatabaseUnavailable)
    const { rows } = await runStatement(fresh.url, 'SELECT value FROM counters WHERE id = 2')
    expect(rows).toEqual([{ value: '0' }])
  })

  test('for good says that the database is not available', async () => {
    const nowhere = openDatabase({ host: '/nowhere', user: 'nobody', database: 'none' })
    onTestFinished(() => nowhere.close())
    await expect(pidOf(nowhere)).rejects.toThrow(DatabaseUnavailable)
    await expect(transaction(nowhere, async () => {})).rejects.toThrow(DatabaseUnavailable)
  })

  test('because we closed the pool says the same', async () => {
    const database = openDatabase(fresh.url)
    await database.pool.end()
    await expect(pidOf(database)).rejects.toThrow(DatabaseUnavailable)
  })
})

test('a wrong query is our fault and not the database’s', async () => {
  const error = await sql`SELECT nothing_such`.execute(fresh.database.kysely).catch((e) => e)
  expect(error).not.toBeInstanceOf(DatabaseUnavailable)
  expect(error.code).toBe('42703')
})
