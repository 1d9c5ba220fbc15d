import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../../src/server/database/transaction.ts'
import { DatabaseUnavailable } from '../../../src/server/database/unavailable.ts'
import { type FreshDatabase, freshDatabase, runStatement } from '../../support/database.ts'

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

describe('transaction()', () => {
  const counterOf = async (id: number) =>
    (await runStatement(fresh.url, `SELECT value::int FROM counters WHERE id = ${id}`)).rows[0]
      .value

  test('commits, returns the result of the work, and is READ COMMITTED', async () => {
    const level = await transaction(fresh.database, async (tx) => {
      await sql`UPDATE counters SET value = 1 WHERE id = 3`.execute(tx)
      return (
        await sql<{
          level: string
        }>`SELECT current_setting('transaction_isolation') AS level`.execute(tx)
      ).rows
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
    expect(holding).toBe(3)
    expect([await counterOf(6), await counterOf(7)]).toEqual([2, 2])
  })
})
