import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { migrate, tryMigrations } from '../../../src/server/database/migrate.ts'
import { migrations as ours } from '../../../src/server/database/migrations/index.ts'
import { additive } from '../../../src/server/database/migrations/migration.ts'
import { StartError } from '../../../src/server/database/start-error.ts'
import { runStatement, urlOf } from '../../support/database.ts'
import { PATIENCE } from '../../support/patience.ts'

async function emptyDatabase(options = "TEMPLATE template0 ENCODING 'UTF8'"): Promise<string> {
  const { url } = inject('databaseServer')
  const name = `karras_test_${randomBytes(6).toString('hex')}`
  await runStatement(url, `CREATE DATABASE ${name} ${options}`)
  onTestFinished(async () => {
    await runStatement(url, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  return urlOf(url, name)
}

const running = (...statements: string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

const trigrams = running('CREATE EXTENSION IF NOT EXISTS pg_trgm')

async function tables(url: string): Promise<string[]> {
  const { rows } = await runStatement(
    url,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname NOT LIKE 'kysely%' ORDER BY relname`,
  )
  return rows.map(({ relname }) => relname)
}

describe('migrate()', () => {
  test('creates the shop’s tables once', async () => {
    const url = await emptyDatabase()
    expect(await migrate(url)).toEqual(Object.keys(ours).sort())
    expect(await tables(url)).toContain('ledger_entries')
    expect(await migrate(url)).toEqual([])
  })

  test('two instances that start together migrate once', async () => {
    const url = await emptyDatabase()
    const migrations = { '0001-a': trigrams, '0002-b': running('CREATE TABLE b ()') }
    const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(url, { migrations })))
    expect(ran.flat().sort()).toEqual(['0001-a', '0002-b'])
  })

  test('a failing migration leaves nothing of its batch, and can be fixed', async () => {
    const url = await emptyDatabase()
    const first = { '0001-a': trigrams, '0002-b': running('CREATE TABLE b ()') }
    await migrate(url, { migrations: first })

    const broken = {
      ...first,
      '0003-c': running('CREATE TABLE c ()'),
      '0004-d': running('CREATE TABLE d ()', 'SELECT nothing_such'),
    }
    await expect(migrate(url, { migrations: broken })).rejects.toThrow('nothing_such')
    expect(await tables(url)).toEqual(['b'])

    const mended = { ...broken, '0004-d': running('CREATE TABLE d ()') }
    expect(await migrate(url, { migrations: mended })).toEqual(['0003-c', '0004-d'])
    expect(await tables(url)).toEqual(['b', 'c', 'd'])
  })

  test('lets an earlier version start beside additive migrations', async () => {
    const url = await emptyDatabase()
    const older = {
      '0001-a': trigrams,
      '0002-b': running('CREATE TABLE additive_migrations (name text PRIMARY KEY)'),
    }
    await migrate(url, { migrations: older })
    await migrate(url, {
      migrations: { ...older, ...additive('0003-c', sql`CREATE TABLE c ()`) },
    })
    expect(await migrate(url, { migrations: older })).toEqual([])
    await migrate(url, {
      migrations: {
        ...older,
        ...additive('0003-c', sql`CREATE TABLE c ()`),
        '0004-d': running('DROP TABLE c'),
      },
    })
    await expect(migrate(url, { migrations: older })).rejects.toThrow('0004-d is unknown here')
  })

  test('may take longer than the pool’s statement limit', async () => {
    const url = await emptyDatabase()
    const timeout = running(
      'CREATE EXTENSION pg_trgm',
      `CREATE TABLE told AS SELECT current_setting('statement_timeout') AS timeout`,
    )
    await migrate(url, { migrations: { '0001-a': timeout } })
    expect((await runStatement(url, 'SELECT timeout FROM told')).rows).toEqual([{ timeout: '0' }])
  })
})

describe('is refused with one line', () => {
  async function refusal(migrating: Promise<unknown>): Promise<string> {
    const error: unknown = await migrating.catch((reason) => reason)
    if (!(error instanceof StartError)) throw new Error(`not refused: ${error}`)
    expect(error.message.split('\n')).toHaveLength(1)
    return error.message
  }

  test('a database of a newer Karras', async () => {
    const url = await emptyDatabase()
    const older = { '0001-a': trigrams }
    await migrate(url, { migrations: { ...older, '0002-b': running('CREATE TABLE b ()') } })
    expect(await refusal(migrate(url, { migrations: older }))).toBe(
      'The database was migrated by a newer Karras (0002-b is unknown here); start that one, or restore a backup made before it.',
    )
  })

  test('a database of 0.1', async () => {
    const url = await emptyDatabase()
    await migrate(url, { migrations: { '0001-shop': trigrams } })
    expect(await refusal(migrate(url))).toMatch(
      /^The database is of Karras 0\.1: read it with that version, .*office import <folder>\)\.$/,
    )
  })

  test('a locale without Arabic letters', async () => {
    const url = await emptyDatabase(
      "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
    )
    expect(await refusal(migrate(url, { migrations: { '0001-a': trigrams } }))).toMatch(
      /locale does not know Arabic letters/,
    )
  })

  test('an encoding without Arabic letters', async () => {
    const url = await emptyDatabase(
      "TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
    )
    expect(await refusal(migrate(url))).toMatch(/encoding is LATIN1/)
  })

  test('an unreachable server, without its password', async () => {
    const message = await refusal(migrate('postgres://shop:secret@localhost/shop?host=%2Fnowhere'))
    expect(message).toMatch(/^The database cannot be reached: .*ENOENT.*; check DATABASE_URL\.$/)
    expect(message).not.toMatch('secret')
  })
})

describe('tryMigrations()', () => {
  const older = {
    '0001-a': trigrams,
    '0002-b': running('CREATE TABLE additive_migrations (name text PRIMARY KEY)'),
    '0003-c': running('CREATE TABLE c ()'),
  }
  const addition = additive('0004-d', sql`ALTER TABLE c ADD COLUMN d text`)

  test('says which migrations are pending and which are not additive, and changes nothing', async () => {
    const url = await emptyDatabase()
    await migrate(url, { migrations: older })
    expect(await tryMigrations(url, { migrations: older })).toMatchObject({ pending: [] })

    const newer = { ...older, ...addition, '0005-e': running('CREATE TABLE e ()') }
    const trial = await tryMigrations(url, { migrations: newer })
    expect(trial).toMatchObject({ pending: ['0004-d', '0005-e'], notAdditive: ['0005-e'] })
    expect(await tables(url)).toEqual(['additive_migrations', 'c'])
    expect(await migrate(url, { migrations: newer })).toEqual(['0004-d', '0005-e'])
  })

  test('finds one that fails', async () => {
    const url = await emptyDatabase()
    await migrate(url, { migrations: older })
    const migrations = { ...older, '0004-d': running('CREATE TABLE d ()', 'SELECT nothing_such') }
    await expect(tryMigrations(url, { migrations })).rejects.toThrow('nothing_such')
    expect(await tables(url)).toEqual(['additive_migrations', 'c'])
  })

  test('refuses a locale without Arabic letters, as the start would', async () => {
    const url = await emptyDatabase(
      "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
    )
    const trying = tryMigrations(url, { migrations: { '0001-a': trigrams } })
    await expect(trying).rejects.toThrow('locale does not know Arabic letters')
  })

  test('says the first error, also where the connection has ended with it', async () => {
    const url = await emptyDatabase()
    await migrate(url, { migrations: older })
    const migrations = {
      ...older,
      '0004-d': running('SELECT pg_terminate_backend(pg_backend_pid())'),
    }
    await expect(tryMigrations(url, { migrations })).rejects.toThrow('administrator command')
  })

  test('holds the tables for a bounded time, however many statements there are', async () => {
    const url = await emptyDatabase()
    await migrate(url, { migrations: older })
    const statements = Array.from({ length: 40 }, () => 'SELECT pg_sleep(0.2)')
    const migrations = { ...older, '0004-d': running('CREATE TABLE d ()', ...statements) }
    const trying = tryMigrations(url, { migrations, mostMs: 400 })
    await expect(trying).rejects.toThrow('together take longer than 0.4 seconds')
    expect(await tables(url)).toEqual(['additive_migrations', 'c'])
    expect(
      await runStatement(url, "SELECT FROM pg_locks WHERE relation = 'c'::regclass"),
    ).toMatchObject({ rows: [] })
  })

  test('gives way to the transactions of the running shop', async () => {
    const url = await emptyDatabase()
    await migrate(url, { migrations: older })
    const shop = new pg.Client(url)
    await shop.connect()
    onTestFinished(() => shop.end())
    await shop.query('BEGIN; LOCK TABLE c IN ACCESS EXCLUSIVE MODE')
    const waiting = tryMigrations(url, { migrations: { ...older, ...addition } })
    const isWaiting = async () =>
      (await runStatement(url, 'SELECT FROM pg_locks WHERE NOT granted')).rows.length > 0
    await expect.poll(isWaiting, PATIENCE).toBe(true)
    // The trial gives up before the shop would be chosen to end.
    await expect.poll(isWaiting, PATIENCE).toBe(false)
    await shop.query('COMMIT')
    expect(await waiting).toMatchObject({ pending: ['0004-d'], notAdditive: [] })
  })
})
