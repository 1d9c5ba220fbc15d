import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { Kysely, PostgresDialect, type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { SECOND_MS } from '../../rules/durations.ts'
import {
  isOfFirstVersion,
  migrateWithin,
  migrationsOf,
  OF_FIRST_VERSION,
  refuseUnsuitable,
  unreachable,
} from '../database/migrate.ts'
import { migrations } from '../database/migrations/index.ts'
import { camelCase } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { type Connection, createServers } from '../database/servers.ts'
import { StartError } from '../database/start-error.ts'
import {
  BadBackup,
  type Header,
  type ReadPart,
  type SequenceOf,
  type TableOf,
} from './backup-file.ts'

/** One connection, for Kysely's queries and for COPY, which Kysely cannot express. */
export type SingleConnection = Awaited<ReturnType<typeof connectOnce>>

// Fixed settings, so that both sides of a copy use the same formats.
const SETTINGS = [
  "SET datestyle = 'ISO, YMD'",
  "SET intervalstyle = 'postgres'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  "SET timezone = 'UTC'",
  "SET client_encoding = 'UTF8'",
  // Loading a large shop takes long.
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  "SET lock_timeout = '10s'",
].join('; ')

/** Connects; throws a `StartError` if that fails. */
export async function connectOnce(connection: Connection) {
  const client = await connect(connection).catch((error) => {
    throw unreachable(error)
  })
  await client.query(SETTINGS)
  const kysely = new Kysely<Schema>({
    plugins: [camelCase],
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => ({
          query: ((text: string, values: readonly unknown[]) =>
            client.query(text, [...values])) as never,
          release: () => {},
        }),
        end: async () => {},
      },
    }),
  })
  return { client, kysely, close: () => client.end().catch(() => {}) }
}

async function connect(connection: Connection): Promise<pg.Client> {
  const server = await createServers(connection).find()
  const client = new pg.Client({ ...server, connectionTimeoutMillis: 10_000 })
  // If the connection is lost, the query under way reports it.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The tables of the migrator, which are filled when the schema is created. */
const MIGRATOR = ['kysely_migration', 'kysely_migration_lock']

// Tables of extensions belong to the extensions.
const NOT_OF_EXTENSIONS = sql`NOT EXISTS (
  SELECT FROM pg_depend d
  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
)`

/**
 * All tables of the shop, by name, as the database lists them, with the columns that a backup
 * contains. It leaves out columns that PostgreSQL computes, and transaction numbers (`xid8`), which
 * are meaningless on another server: there, the default sets those of the restore.
 */
export async function tablesOf(db: QueryExecutorProvider): Promise<TableOf[]> {
  const { rows } = await sql<TableOf>`
    SELECT c.relname AS name,
      coalesce(array_agg(a.attname::text ORDER BY a.attnum) FILTER (
        WHERE a.attgenerated = '' AND NOT (a.atttypid = 'xid8'::regtype AND a.atthasdef)
      ), '{}') AS columns
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND c.relname <> ALL (${MIGRATOR}) AND ${NOT_OF_EXTENSIONS}
    GROUP BY c.relname ORDER BY c.relname`.execute(db)
  return rows
}

/** The values of all sequences, which may be ahead of a snapshot's rows, never behind. */
export async function sequencesOf(db: QueryExecutorProvider): Promise<SequenceOf[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S'
      AND ${NOT_OF_EXTENSIONS}
    ORDER BY c.relname`.execute(db)
  const sequences: SequenceOf[] = []
  for (const { name } of rows) {
    const { rows: stands } = await sql<Omit<SequenceOf, 'name'>>`
      SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${sql.id(name)}`.execute(
      db,
    )
    for (const stand of stands) sequences.push({ name, ...stand })
  }
  return sequences
}

export function copied({ name, columns }: TableOf): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Removes from the tables everything that checks or changes single rows, since rows are restored in
 * any order: foreign keys, and our triggers (sums of ratings, checks of the ledger). Returns the
 * function that restores all of it, and thereby checks every foreign key over the whole tables. The
 * owner of the tables may do this, whereas `session_replication_role` needs a superuser.
 */
async function suspendRules(
  db: QueryExecutorProvider,
  tables: readonly TableOf[],
): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, k.conname`.execute(db)
  const { rows: triggers } = await sql<{ table: string; name: string; how: string }>`
    SELECT c.relname AS "table", t.tgname AS name,
      CASE t.tgenabled WHEN 'O' THEN 'ENABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
        WHEN 'R' THEN 'ENABLE REPLICA' END AS how
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D'
      AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, t.tgname`.execute(db)

  for (const { table, name } of keys) await alter(db, table, `DROP CONSTRAINT ${quoted(name)}`)
  for (const { name } of tables) await alter(db, name, 'DISABLE TRIGGER USER')

  return async () => {
    for (const { table, name, how } of triggers) {
      await alter(db, table, `${how} TRIGGER ${quoted(name)}`)
    }
    for (const { table, name, definition } of keys) {
      await alter(db, table, `ADD CONSTRAINT ${quoted(name)} ${definition}`)
    }
  }
}

async function alter(db: QueryExecutorProvider, table: string, what: string): Promise<void> {
  await sql`ALTER TABLE ${sql.id(table)} ${sql.raw(what)}`.execute(db)
}

/** Tables that have rows only if the shop has been used. */
const SIGNS_OF_LIFE = ['users', 'teachers', 'documents', 'ledger_transactions']

export function refuseUnreadableBackup({ migrations: made }: Header): void {
  const unknown = made.find((name) => !Object.hasOwn(migrations, name))
  if (unknown === undefined) return
  if (isOfFirstVersion(made)) throw new BadBackup(`The backup ${OF_FIRST_VERSION}`)
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
