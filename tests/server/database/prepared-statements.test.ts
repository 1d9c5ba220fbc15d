import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Tx, transaction } from '../../../src/server/database/transaction.ts'
import { type FreshDatabase, freshDatabase, runStatement } from '../../support/database.ts'
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

describe('a repeated statement', () => {
  /** Runs it twice, after which it has a name. */
  const twice = async (run: () => Promise<unknown>) => {
    await run()
    return run()
  }
  const preparedTexts = async (database: ReturnType<typeof open>) =>
    (
      await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
        database.kysely,
      )
    ).rows.map(({ statement }) => statement)

  test('is planned once per connection, under a name derived from its text', async () => {
    const [one, other] = [open(fresh, { size: 1 }), open(fresh, { size: 1 })]
    const count = (database: typeof one, above: number) => () =>
      sql<{ count: number }>`SELECT count(*) FROM counters WHERE id > ${above}`.execute(
        database.kysely,
      )
    await twice(count(one, 5))
    expect((await count(one, 10)()).rows).toEqual([{ count: 10 }])
    await twice(count(other, 5))
    const names = async (database: typeof one) =>
      (
        await sql<{ name: string }>`/* unnamed */ SELECT name FROM pg_prepared_statements
          WHERE statement LIKE '%counters%'`.execute(database.kysely)
      ).rows
    expect(await names(one)).toHaveLength(1)
    expect(await names(one)).toEqual(await names(other))
  })

  test('has no name the first time, nor if it would gain nothing', async () => {
    const database = open(fresh, { size: 1 })
    await sql`SELECT 'once'`.execute(database.kysely)
    for (const text of ['SET work_mem = 4096', 'SELECT 1; SELECT 2']) {
      await twice(() => sql`${sql.raw(text)}`.execute(database.kysely))
    }
    await twice(() => sql`/* unnamed */ SELECT 3`.execute(database.kysely))
    await twice(() => transaction(database, async () => {}))
    expect(await preparedTexts(database)).toEqual([])
  })

  test('never leaves a connection with more than 250 of them', async () => {
    const database = open(fresh, { size: 1 })
    const before = await pidOf(database)
    for (let at = 0; at < 300; at++) {
      await twice(() => sql`SELECT ${sql.lit(at)}`.execute(database.kysely))
    }
    expect(await pidOf(database)).not.toBe(before)
    expect((await preparedTexts(database)).length).toBeLessThan(100)
  })

  test('is planned again after a migration has changed its table', async () => {
    await runStatement(fresh.url, 'CREATE TABLE changing AS SELECT 1 AS first')
    const database = open(fresh, { size: 2 })
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
    const database = open(fresh, { size: 1, log: (line) => lines.push(line) })
    const read = (db: typeof database.kysely | Tx) => sql`SELECT 'kept' AS value`.execute(db)
    await twice(() => read(database.kysely))
    await sql`DEALLOCATE ALL`.execute(database.kysely)
    expect((await read(database.kysely)).rows).toEqual([{ value: 'kept' }])
    await transaction(database, read)
    expect(lines).toEqual([expect.stringContaining('prepared statements')])
    expect(await preparedTexts(database)).toEqual([])
  })
})
