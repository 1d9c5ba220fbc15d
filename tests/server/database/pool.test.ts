import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase, type PoolOptions } from '../../../src/server/database/pool.ts'
import { type Tx, transaction } from '../../../src/server/database/transaction.ts'
import { DatabaseUnavailable } from '../../../src/server/database/unavailable.ts'
import { aDatabase, runStatement } from '../../support/database.ts'
import { PATIENCE } from '../../support/patience.ts'

const fresh = await aDatabase()
await runStatement(fresh.url, 'CREATE TABLE counters (id int PRIMARY KEY, value bigint NOT NULL)')
await runStatement(fresh.url, 'INSERT INTO counters SELECT id, 0 FROM generate_series(1, 20) AS id')

function open(options: PoolOptions = {}) {
  const database = openDatabase(fresh.url, options)
  onTestFinished(() => database.close())
  return database
}

/** The rows of a statement over a pool. */
const rowsOf = async <Row>(database: ReturnType<typeof open>, statement: string) =>
  (await sql<Row>`${sql.raw(statement)}`.execute(database.kysely)).rows

const pidOf = async (database: ReturnType<typeof open>) =>
  (await rowsOf<{ pid: number }>(database, 'SELECT pg_backend_pid() AS pid'))[0]?.pid

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
    expect(await rowsOf(fresh.database, `SELECT ${expression} AS value`)).toEqual([
      { value: expected },
    ])
  })

  test.for(['9007199254740993::bigint', '9007199254740993::numeric', 'ARRAY[9007199254740993]'])(
    '%s is refused, not rounded',
    async (expression) => {
      await expect(rowsOf(fresh.database, `SELECT ${expression}`)).rejects.toThrow(RangeError)
    },
  )

  test('other users of pg in this process are not affected', async () => {
    const { rows } = await runStatement(fresh.url, 'SELECT 1::bigint AS value')
    expect(rows).toEqual([{ value: '1' }])
  })
})

describe('limits', () => {
  test('are 10 s per statement, 5 s per lock, 15 s idle in a transaction, 10 connections', async () => {
    const limits = await rowsOf(
      fresh.database,
      `SELECT current_setting('statement_timeout') AS statement,
         current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS idle`,
    )
    expect(limits).toEqual([{ statement: '10s', lock: '5s', idle: '15s' }])
    expect(fresh.database.pool.options.max).toBe(10)
  })

  test('a statement that takes too long is cancelled', async () => {
    const database = open({ statementTimeout: 50 })
    await expect(rowsOf(database, 'SELECT pg_sleep(30)')).rejects.toThrow(DatabaseUnavailable)
  })

  test('a lock wait has a limit', async () => {
    const database = open({ lockTimeout: 50 })
    await transaction(database, async (tx) => {
      await sql`SELECT FROM counters WHERE id = 1 FOR UPDATE`.execute(tx)
      const waiting = rowsOf(database, 'SELECT FROM counters WHERE id = 1 FOR UPDATE')
      await expect(waiting).rejects.toThrow(DatabaseUnavailable)
    })
  })

  test('a transaction that is left idle is ended, and this process survives', async () => {
    const database = open({ idleInTransactionTimeout: 50, size: 1 })
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
    const database = open({ size: 1, connectTimeout: 50 })
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
    const database = open({ log: (line) => lines.push(line), size: 1 })
    const before = await pidOf(database)
    await runStatement(fresh.url, `SELECT pg_terminate_backend(${before})`)
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE)
    expect(await pidOf(database)).not.toBe(before)
  })

  test('fails only the work that uses it', async () => {
    const database = open({ size: 1 })
    const before = await pidOf(database)
    const cut = expect(rowsOf(database, 'SELECT pg_sleep(30)')).rejects.toThrow(DatabaseUnavailable)
    await runStatement(fresh.url, `SELECT pg_terminate_backend(${before})`)
    await cut
    expect(await pidOf(database)).not.toBe(before)
  })

  test('in a transaction, between two statements, rolls it back', async () => {
    const database = open()
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

describe('a repeated statement', () => {
  /** Runs it twice, after which it has a name. */
  const twice = async (run: () => Promise<unknown>) => {
    await run()
    return run()
  }
  const preparedTexts = async (database: ReturnType<typeof open>) => {
    const statement = 'SELECT statement FROM pg_prepared_statements'
    const rows = await rowsOf<{ statement: string }>(database, statement)
    return rows.map((row) => row.statement)
  }

  test('is planned once per connection, under a name derived from its text', async () => {
    const [one, other] = [open({ size: 1 }), open({ size: 1 })]
    const count = (database: typeof one, above: number) => () =>
      sql<{ count: number }>`SELECT count(*) FROM counters WHERE id > ${above}`.execute(
        database.kysely,
      )
    await twice(count(one, 5))
    expect((await count(one, 10)()).rows).toEqual([{ count: 10 }])
    await twice(count(other, 5))
    const names = (database: typeof one) =>
      rowsOf(
        database,
        `/* unnamed */ SELECT name FROM pg_prepared_statements WHERE statement LIKE '%counters%'`,
      )
    expect(await names(one)).toHaveLength(1)
    expect(await names(one)).toEqual(await names(other))
  })

  test('has no name the first time, nor if it would gain nothing', async () => {
    const database = open({ size: 1 })
    await sql`SELECT 'once'`.execute(database.kysely)
    for (const text of ['SET work_mem = 4096', 'SELECT 1; SELECT 2']) {
      await twice(() => sql`${sql.raw(text)}`.execute(database.kysely))
    }
    await twice(() => sql`/* unnamed */ SELECT 3`.execute(database.kysely))
    await twice(() => transaction(database, async () => {}))
    expect(await preparedTexts(database)).toEqual([])
  })

  test('never leaves a connection with more than 250 of them', async () => {
    const database = open({ size: 1 })
    const before = await pidOf(database)
    for (let at = 0; at < 300; at++) {
      await twice(() => sql`SELECT ${sql.lit(at)}`.execute(database.kysely))
    }
    expect(await pidOf(database)).not.toBe(before)
    expect((await preparedTexts(database)).length).toBeLessThan(100)
  })

  test('is planned again after a migration has changed its table', async () => {
    await runStatement(fresh.url, 'CREATE TABLE changing AS SELECT 1 AS first')
    const database = open({ size: 2 })
    const read = () => sql`SELECT * FROM changing`.execute(database.kysely)
    await twice(() => Promise.all([read(), read()]))
    await runStatement(fresh.url, 'ALTER TABLE changing ADD second int')
    expect((await read()).rows).toEqual([{ first: 1, second: null }])

    await twice(() => Promise.all([read(), read()]))
    await runStatement(fresh.url, 'ALTER TABLE changing ADD third int')
    let runs = 0
    const { rows } = await transaction(database, async (tx) => {
      runs += 1
      return sql`SELECT * FROM changing`.execute(tx)
    })
    expect(rows).toEqual([{ first: 1, second: null, third: null }])
    expect(runs).toBe(2)
  })

  test('has no name behind a pooler that would forget it', async () => {
    const lines: string[] = []
    const database = open({ size: 1, log: (line) => lines.push(line) })
    const read = (db: typeof database.kysely | Tx) => sql`SELECT 'kept' AS value`.execute(db)
    await twice(() => read(database.kysely))
    await sql`DEALLOCATE ALL`.execute(database.kysely)
    expect((await read(database.kysely)).rows).toEqual([{ value: 'kept' }])
    await transaction(database, read)
    expect(lines).toEqual([expect.stringContaining('prepared statements')])
    expect(await preparedTexts(database)).toEqual([])
  })
})

describe('transaction()', () => {
  const counterOf = async (id: number) =>
    (await runStatement(fresh.url, `SELECT value::int FROM counters WHERE id = ${id}`)).rows[0]
      .value

  test('commits, returns the result of the work, and is READ COMMITTED', async () => {
    const level = await transaction(fresh.database, async (tx) => {
      await sql`UPDATE counters SET value = 1 WHERE id = 3`.execute(tx)
      const isolation = sql`SELECT current_setting('transaction_isolation') AS level`
      return (await isolation.execute(tx)).rows
    })
    expect(level).toEqual([{ level: 'read committed' }])
    expect(await counterOf(3)).toBe(1)
  })

  test('rolls back when the work throws, and rethrows its error', async () => {
    const refused = new Error('insufficient balance')
    const failing = transaction(fresh.database, async (tx) => {
      await sql`UPDATE counters SET value = 1 WHERE id = 4`.execute(tx)
      throw refused
    })
    await expect(failing).rejects.toBe(refused)
    expect(await counterOf(4)).toBe(0)
  })

  test('retries from the start after a serialization failure', async () => {
    let runs = 0
    await transaction(fresh.database, async (tx) => {
      runs += 1
      await sql`UPDATE counters SET value = value + 1 WHERE id = 5`.execute(tx)
      if (runs < 3) await sql`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`.execute(tx)
    })
    expect(runs).toBe(3)
    expect(await counterOf(5)).toBe(1)
  })

  test('gives up after five attempts', async () => {
    let runs = 0
    const neverSerializable = transaction(fresh.database, async (tx) => {
      runs += 1
      await sql`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`.execute(tx)
    })
    await expect(neverSerializable).rejects.toThrow(DatabaseUnavailable)
    expect(runs).toBe(5)
  })

  test('two that deadlock both succeed', async () => {
    const bothLocked = Promise.withResolvers<void>()
    let holding = 0
    const add = (first: number, second: number) =>
      transaction(fresh.database, async (tx) => {
        await sql`UPDATE counters SET value = value + 1 WHERE id = ${first}`.execute(tx)
        holding += 1
        if (holding === 2) bothLocked.resolve()
        await bothLocked.promise
        await sql`UPDATE counters SET value = value + 1 WHERE id = ${second}`.execute(tx)
      })
    await Promise.all([add(6, 7), add(7, 6)])
    // Once more each time that the one which was aborted locks its row again before the other gets it.
    expect(holding).toBeGreaterThan(2)
    expect([await counterOf(6), await counterOf(7)]).toEqual([2, 2])
  })
})
