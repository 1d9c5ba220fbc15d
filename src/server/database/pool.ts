import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import { columnTypes } from './columns.ts'
import type { Schema } from './schema.ts'
import { createStatements, isStalePlan, type Statements } from './statements.ts'
import { classify, DatabaseUnavailable } from './unavailable.ts'

/** A PostgreSQL URL, or its parts; `host` may be the directory of a Unix socket. */
export type Connection =
  | string
  | { host: string; user: string; database: string; port?: number; password?: string }

/** `snake_case` in the database and in `sql`, `camelCase` in rows; JSON keys stay as they are. */
export const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** The limits of a pool; times in milliseconds, 0 for none. */
export interface PoolOptions {
  /** The most connections. */
  size?: number
  statementTimeout?: number
  lockTimeout?: number
  idleInTransactionTimeout?: number
  /** How long a caller waits for a connection. */
  connectTimeout?: number
  /** Called for each lost connection. */
  log?: (line: string) => void
}

/** The shop's database: `kysely` for queries, `pool` for what Kysely cannot express. */
export interface Database {
  readonly kysely: Kysely<Schema>
  /** Throws raw `pg` errors, and does not replace a lost client: prefer `kysely`. */
  readonly pool: pg.Pool
  /** Waits for the queries under way and closes every connection. */
  close(): Promise<void>
}

/** The `pg` client settings of a connection in either form. */
export function clientConfig(connection: Connection): pg.ClientConfig {
  const where =
    typeof connection === 'string' ? { connectionString: connection } : { ...connection }
  return { ...where, application_name: 'karras', keepAlive: true, types: columnTypes }
}

/** Cannot fail, since it connects when needed; queries throw `DatabaseUnavailable`. */
export function openDatabase(connection: Connection, options: PoolOptions = {}): Database {
  const { log = () => {} } = options
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max: options.size ?? 10,
    statement_timeout: options.statementTimeout ?? 10_000,
    lock_timeout: options.lockTimeout ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeout ?? 15_000,
    connectionTimeoutMillis: options.connectTimeout ?? 5_000,
  })
  pool.on('error', (error) => {
    // Expected while the pool closes.
    if (!pool.ending) log(`a resting database connection was lost: ${error.message}`)
  })
  // The pool handles only idle clients' errors: a busy one's would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))

  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: wrapPool(pool, createStatements(log)) }),
    plugins: [camelCase],
  })
  return { kysely, pool, close: () => kysely.destroy() }
}

// Errors are classified here, where the connection is known; those that the server did not send
// have only an English message.
function wrapPool(pool: pg.Pool, statements: Statements): PostgresPool {
  // Kysely identifies a connection by the object that it received.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => endOnce(pool),
    async connect() {
      const client = await pool.connect().catch((error) => {
        throw classify(error, !(error instanceof pg.DatabaseError))
      })
      const known = wrapped.get(client) ?? wrap(client, statements)
      wrapped.set(client, known)
      return known
    },
  }
}

function wrap(client: pg.PoolClient, statements: Statements): PostgresPoolClient {
  const prepared = statements.openConnection()
  let isLost = false
  client.on('error', () => {
    isLost = true
  })
  const run = async (text: string, values: unknown[]) => {
    const name = prepared.nameFor(text)
    try {
      return await client.query(name === undefined ? { text, values } : { name, text, values })
    } catch (error) {
      if (name === undefined || !isStalePlan(error)) throw error
      statements.forget(error)
      // Within a transaction, the whole of it is repeated instead (`transaction.ts`).
      if (client.getTransactionStatus() !== 'I') throw error
      return client.query({ text, values })
    }
  }
  const query = async (text: string, parameters: readonly unknown[]) => {
    if (isLost) throw new DatabaseUnavailable('its connection was lost')
    try {
      return await run(text, [...parameters])
    } catch (error) {
      // The server is closing: the connection stays open for a moment, but is useless.
      if (error instanceof pg.DatabaseError && error.severity === 'FATAL') isLost = true
      throw classify(error, isLost)
    }
  }
  return {
    // The other signature takes a cursor, for streams, which need an additional package.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isLost || prepared.isWornOut()),
  }
}

async function endOnce(pool: pg.Pool): Promise<void> {
  if (!pool.ending) await pool.end()
}
