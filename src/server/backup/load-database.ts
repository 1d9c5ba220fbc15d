import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { SECOND_MS } from '../../rules/durations.ts'
import { migrateWithin, migrationsOf, refuseUnsuitable } from '../database/migrate.ts'
import { migrations } from '../database/migrations/index.ts'
import type { Schema } from '../database/schema.ts'
import { StartError } from '../database/start-error.ts'
import { copied, quoted, suspendRules, tablesOf } from './catalogue.ts'
import { BadBackup, type Header, type TableOf } from './format.ts'
import type { ReadPart } from './read-backup.ts'
import type { SingleConnection } from './single-connection.ts'

/** Tables that have rows only if the shop has been used. */
const SIGNS_OF_LIFE = ['users', 'teachers', 'documents', 'ledger_transactions']

/** Refuses a backup that this version of Karras cannot read. */
export function refuseNewerBackup({ migrations: made }: Header): void {
  const unknown = made.find((name) => !Object.hasOwn(migrations, name))
  if (unknown === undefined) return
  throw new BadBackup(
    `The backup was made by a newer Karras (${unknown} is unknown here); restore it with that one.`,
  )
}

/** How long PostgreSQL may list a closed connection (ms). */
const LEAVING_MS = 2 * SECOND_MS

/**
 * Throws a `StartError` if other clients, such as a running shop, stay connected to the database.
 */
export async function refuseBusy(db: QueryExecutorProvider): Promise<void> {
  for (const since = performance.now(); ; await wait(100)) {
    const others = await countOthers(db)
    if (others === 0) return
    if (performance.now() - since < LEAVING_MS) continue
    throw new StartError(
      `The database is in use by ${others} other connections: stop the shop, and whatever else works in it.`,
    )
  }
}

async function countOthers(db: QueryExecutorProvider): Promise<number> {
  // Background workers of the server have no user name.
  const { rows } = await sql<{ others: number }>`
    SELECT count(*)::int AS others FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND usesysid IS NOT NULL`.execute(db)
  return rows[0]?.others ?? 0
}

/** Throws a `StartError` unless the database is empty or holds an unused shop. */
export async function refuseFilled(db: Transaction<Schema>, header: Header): Promise<void> {
  await refuseUnsuitable(db)
  const tables = await tablesOf(db)
  if (tables.length === 0) return
  const found = await migrationsOf(db)
  if (found.length === 0) {
    throw new StartError(
      `The database is not empty (it has a table ${tables[0]?.name}); restore into a database of its own.`,
    )
  }
  if (found.join() !== header.migrations.join()) {
    throw new StartError(
      'Another version of Karras has been in this database: restore into a new one.',
    )
  }
  for (const { name } of tables.filter((table) => SIGNS_OF_LIFE.includes(table.name))) {
    await sql`LOCK TABLE ${sql.id(name)} IN ACCESS EXCLUSIVE MODE`.execute(db)
    const { rows } = await sql<{ has: boolean }>`
      SELECT EXISTS (SELECT FROM ${sql.id(name)}) AS has`.execute(db)
    if (rows[0]?.has) {
      throw new StartError(
        `The database is not empty (its table ${name} has rows); restore into an empty one.`,
      )
    }
  }
}

/**
 * Creates the schema as of the backup and starts to fill it, in the caller's transaction. Rows are
 * inserted in any order, without triggers and foreign keys; `finish` restores those.
 */
export async function beginLoading(
  { client }: SingleConnection,
  tx: Transaction<Schema>,
  header: Header,
) {
  const theirs = header.migrations.map((name) => [name, migrations[name]] as const)
  await migrateWithin(tx, Object.fromEntries(theirs) as typeof migrations)
  // PostgreSQL cannot alter a table while a deferred check of rows that the migrations wrote is
  // pending.
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
  await sql`SET CONSTRAINTS ALL DEFERRED`.execute(tx)
  const tables = await tablesOf(tx)
  refuseOtherTables(tables, header.tables)
  const resume = await suspendRules(tx, tables)
  // The rows that migrations insert are in the backup as well.
  const names = tables.map(({ name }) => quoted(name)).join(', ')
  if (names) await sql`TRUNCATE ${sql.raw(names)}`.execute(tx)
  const missing = new Map(tables.map((table) => [table.name, table]))

  return {
    /** Loads a table from its part of the backup. */
    async table({ name, encoding, pieces }: ReadPart): Promise<void> {
      const table = missing.get(name)
      if (!table) throw new BadBackup(`The backup has no such table as "${name}", or has it twice.`)
      missing.delete(name)
      const into = client.query(copyFrom(`COPY ${copied(table)} FROM STDIN`))
      const rows = Readable.from(pieces)
      if (encoding === 'zstd') await pipeline(rows, createZstdDecompress(), into)
      else await pipeline(rows, into)
    },
    /** Call it after the last table: checks that none is missing, and migrates to this version. */
    async finish(): Promise<void> {
      if (missing.size > 0) {
        throw new BadBackup(`The backup lacks the table ${[...missing.keys()][0]}.`)
      }
      for (const { name, lastValue, isCalled } of header.sequences) {
        await sql`SELECT setval(${quoted(name)}::regclass, ${lastValue}::bigint, ${isCalled})`.execute(
          tx,
        )
      }
      await resume()
      await migrateWithin(tx, migrations)
      // Autovacuum would do it too, but only after the first visitors.
      const filled = (await tablesOf(tx)).map(({ name }) => quoted(name)).join(', ')
      if (filled) await sql`ANALYZE ${sql.raw(filled)}`.execute(tx)
    },
  }
}

function refuseOtherTables(ours: readonly TableOf[], theirs: readonly TableOf[]): void {
  const written = (tables: readonly TableOf[]) => tables.map(copied).sort().join('\n')
  if (written(ours) === written(theirs)) return
  throw new BadBackup(
    'The tables of the backup are not those that its version of Karras makes; nothing was restored.',
  )
}
