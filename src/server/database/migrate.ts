import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { SECOND_MS } from '../../rules/durations.ts'
import { migrations as ours } from './migrations/index.ts'
import type { Database } from './pool.ts'
import type { Schema } from './schema.ts'
import { type Connection, createServers } from './servers.ts'
import { codeOf, StartError } from './start-error.ts'

/** The oldest PostgreSQL that the shop works with. */
export const OLDEST_MAJOR = 15

/**
 * Brings the database up to date and checks that it can serve the shop; returns the names of the
 * migrations that ran. All pending ones run in one transaction, in one instance at a time. Throws a
 * `StartError` if the database cannot be reached or does not fit this version of Karras, and the
 * error of a migration that fails.
 */
export async function migrate(
  connection: Connection,
  { migrations = ours }: { migrations?: Record<string, Migration> } = {},
): Promise<string[]> {
  const kysely = await ownConnection(connection)
  try {
    await refuseUnsuitable(kysely)
    // One that newer additive migrations have been added to stays as it is.
    if (await hasAll(kysely, migrations)) return []
    const { error, results = [] } = await migratorFor(kysely, migrations).migrateToLatest()
    if (error) {
      // A newer Karras may have migrated the database in the meantime.
      await hasAll(kysely, migrations)
      throw error
    }
    await refuseWithoutArabic(kysely)
    return results.map(({ migrationName }) => migrationName)
  } finally {
    await kysely.destroy()
  }
}

/** A connection apart from the pool: a migration may take longer than its limit for statements. */
async function ownConnection(connection: Connection): Promise<Kysely<Schema>> {
  const server = await createServers(connection)
    .find()
    .catch((error) => {
      throw unreachable(error)
    })
  const pool = new pg.Pool({ ...server, max: 1, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/** Less than the second after which PostgreSQL ends one of two transactions that wait for each other. */
const TRIAL_LOCK_MS = 500
/** While a migration is tried, visitors wait for the tables that it changes. */
const TRIAL_STATEMENT_MS = 3 * SECOND_MS
/** The same for all migrations together, which keep their locks until the trial ends. */
const TRIAL_MS = 5 * SECOND_MS
const TRIALS = 10
const LOCKED = '55P03'
const TOO_LONG = '57014'

interface Trial {
  /** The migrations that a start of this version runs, and those of them that are not additive. */
  readonly pending: readonly string[]
  readonly notAdditive: readonly string[]
  /** In milliseconds. */
  readonly took: number
}

/**
 * Runs the pending migrations in a transaction and rolls it back, beside a shop that may be running:
 * it gives way to the shop's own transactions. Throws a `StartError` if this version could not start
 * on the database, and the error of a migration that fails.
 */
export async function tryMigrations(
  connection: Connection,
  {
    migrations = ours,
    mostMs = TRIAL_MS,
  }: { migrations?: Record<string, Migration>; mostMs?: number } = {},
): Promise<Trial> {
  const kysely = await ownConnection(connection)
  try {
    await refuseUnsuitable(kysely)
    if (await hasAll(kysely, migrations)) return { pending: [], notAdditive: [], took: 0 }
    const done = await migrationsOf(kysely)
    const pending = Object.keys(migrations)
      .filter((name) => !done.includes(name))
      .sort()
    for (let trial = 1; ; trial++) {
      const startedAt = performance.now()
      try {
        const additive = await rolledBack(connection, kysely, mostMs, async (tx) => {
          await sql`SELECT set_config('lock_timeout', ${String(TRIAL_LOCK_MS)}, true),
            set_config('statement_timeout', ${String(TRIAL_STATEMENT_MS)}, true),
            set_config('idle_in_transaction_session_timeout', ${String(TRIAL_STATEMENT_MS)}, true)`.execute(
            tx,
          )
          // Not by the migrator, whose own statements would hide the error of a failed one.
          for (const name of pending) await migrations[name]?.up(tx)
          await refuseWithoutArabic(tx)
          return additiveOf(tx)
        })
        const notAdditive = pending.filter((name) => !additive.includes(name))
        return { pending, notAdditive, took: performance.now() - startedAt }
      } catch (error) {
        if (codeOf(error) === TOO_LONG) {
          throw new StartError(
            `A statement of the migrations takes longer than ${TRIAL_STATEMENT_MS / SECOND_MS} seconds, for which visitors would wait: try them on a restored backup, and update at a quiet hour.`,
          )
        }
        if (codeOf(error) !== LOCKED) throw error
        if (trial === TRIALS) {
          throw new StartError(
            'The shop uses the tables that the migrations change without a pause; try again later.',
          )
        }
        await wait(Math.random() * SECOND_MS)
      }
    }
  } finally {
    await kysely.destroy()
  }
}

/**
 * The result of `work`, whose changes are rolled back. Throws a `StartError` if it takes longer than
 * `mostMs`: then the server ends its connection, whatever that does.
 */
async function rolledBack<Result>(
  connection: Connection,
  kysely: Kysely<Schema>,
  mostMs: number,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const other = await ownConnection(connection)
  const tx = await kysely.startTransaction().execute()
  let isEnded = false
  let ending: Promise<unknown> = Promise.resolve()
  try {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    // Its connection is open before the time counts.
    await sql`SELECT`.execute(other)
    const timer = setTimeout(() => {
      isEnded = true
      ending = sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(other).catch(() => {})
    }, mostMs)
    const result = await work(tx).finally(() => clearTimeout(timer))
    await tx.rollback().execute()
    return result
  } catch (error) {
    // It fails too where the connection has; the first error says why.
    await tx
      .rollback()
      .execute()
      .catch(() => {})
    if (!isEnded) throw error
    throw new StartError(
      `The migrations together take longer than ${mostMs / SECOND_MS} seconds, for which visitors would wait: try them on a restored backup, and update at a quiet hour.`,
      { cause: error },
    )
  } finally {
    await ending
    await other.destroy()
  }
}

/**
 * Runs the pending ones of `migrations` in the caller's transaction; throws the error of a
 * migration that fails. Other migrating processes wait until that transaction ends.
 */
export async function migrateWithin(
  tx: Transaction<Schema>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const { error } = await migratorFor(tx, migrations).migrateToLatest()
  if (error) throw error
}

function migratorFor(db: unknown, migrations: Record<string, Migration>): Migrator {
  return new Migrator({
    // The migrator knows only its own tables.
    db: db as Kysely<unknown>,
    provider: { getMigrations: async () => migrations },
  })
}

/** The names of the migrations that created the tables, oldest first; empty if there are none. */
export async function migrationsOf(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS exists`.execute(db)
  if (!found[0]?.exists) return []
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The name of the newest migration of this version. */
export const newestMigration = Object.keys(ours).sort().at(-1) ?? ''

/**
 * Whether the database has every migration of this version; throws a `StartError` if it has newer
 * ones with which this version does not work.
 */
export function isMigrated({ kysely }: Pick<Database, 'kysely'>): Promise<boolean> {
  return hasAll(kysely, ours)
}

/**
 * Throws a `StartError` unless Karras supports the version of the server and the encoding of the
 * database.
 */
export async function refuseUnsuitable(kysely: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; isReadOnly: boolean }>`
    SELECT current_setting('server_version_num')::int / 10000 AS version,
           current_setting('server_encoding') AS encoding,
           current_setting('transaction_read_only') = 'on' AS "isReadOnly"`
    .execute(kysely)
    .catch((error) => {
      throw unreachable(error)
    })
  const [server] = rows
  if (!server) throw new Error('the server did not tell its version')
  if (server.version < OLDEST_MAJOR) {
    throw new StartError(
      `DATABASE_URL: the server is PostgreSQL ${server.version}; Karras needs ${OLDEST_MAJOR} or newer.`,
    )
  }
  if (server.isReadOnly) {
    throw new StartError(
      'DATABASE_URL: the server only reads, as a standby does; give the address of the primary, or those of all servers.',
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(
      `DATABASE_URL: the database's encoding is ${server.encoding}; make one with ENCODING 'UTF8'.`,
    )
  }
}

/** The error for an unreachable database: one line for the operator. */
export function unreachable(cause: unknown): StartError {
  // When several addresses fail, the common error has no message.
  const message = cause instanceof Error ? cause.message : String(cause)
  const reason = message || (codeOf(cause) ?? 'no answer')
  return new StartError(`The database cannot be reached: ${reason}; check DATABASE_URL.`, { cause })
}

/**
 * Whether the database has all of these migrations; throws a `StartError` if it has another one that
 * is not additive.
 */
async function hasAll(
  db: QueryExecutorProvider,
  migrations: Record<string, Migration>,
): Promise<boolean> {
  const done = await migrationsOf(db)
  const others = done.filter((name) => !Object.hasOwn(migrations, name))
  const additive = others.length > 0 ? await additiveOf(db) : []
  const unknown = others.find((name) => !additive.includes(name))
  if (unknown !== undefined) {
    if (isOfFirstVersion(done)) throw new StartError(`The database ${OF_FIRST_VERSION}`)
    throw new StartError(
      `The database was migrated by a newer Karras (${unknown} is unknown here); start that one, or restore a backup made before it.`,
    )
  }
  return Object.keys(migrations).every((name) => done.includes(name))
}

/** Whether these migrations are those of Karras 0.1, whose tables this version cannot bring up to date. */
export const isOfFirstVersion = (names: readonly string[]): boolean => names.includes('0001-shop')

/** What an operator does with a database or a backup of Karras 0.1. */
export const OF_FIRST_VERSION =
  'is of Karras 0.1: read it with that version, write its documents into a folder (office export <folder>), and import them into a new shop of this one (office import <folder>).'

/** The names of the migrations that earlier versions work with (`migrations/migration.ts`). */
async function additiveOf(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    SELECT to_regclass('additive_migrations') IS NOT NULL AS exists`.execute(db)
  if (!found[0]?.exists) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM additive_migrations`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Throws a `StartError` if search would not work: with the locale C, pg_trgm ignores letters
 * outside ASCII, and finds no Arabic title.
 */
export async function refuseWithoutArabic(kysely: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(cardinality(show_trgm('رياضيات')), 0) AS count`.execute(kysely)
  if (!rows[0]?.count) {
    throw new StartError(
      "DATABASE_URL: the database's locale does not know Arabic letters, so that search finds none; make one with LC_CTYPE 'C.UTF-8'.",
    )
  }
}
