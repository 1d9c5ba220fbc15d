import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Schema } from './schema.ts'
import { type Connection, createServers, type Servers } from './servers.ts'
import { createStatements, isStalePlan, type Statements } from './statements.ts'
import { classify, DatabaseUnavailable, isReadOnly, withWriting } from './unavailable.ts'

/**
 * Columns are `snake_case` in the database and in `sql` templates, and `camelCase` in rows. Keys
 * inside JSON columns stay unchanged.
 */
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
  /** Opens the same database with other limits, for work that takes longer. */
  another(options: PoolOptions): Database
  /** Waits for the queries under way and closes every connection. */
  close(): Promise<void>
}

/**
 * How much longer than the server's limit the answer to a statement may take (ms): a server that is
 * silent for longer, or the network to it, is gone.
 */
const ANSWER_MARGIN_MS = 2 * SECOND_MS

/** Whether `pg` gave up waiting for an answer (`query_timeout`). */
const isSilence = (error: unknown) =>
  error instanceof Error && error.message === 'Query read timeout'

/**
 * Opens a pool, which cannot fail, since it connects only when needed. Queries throw
 * `DatabaseUnavailable` while the database does not answer, and work again afterwards.
 */
export function openDatabase(connection: Connection, options: PoolOptions = {}): Database {
  const { log = () => {}, statementTimeout = 10_000 } = options
  const servers = createServers(connection)
  const pool = new pg.Pool({
    Client: servers.Client,
    max: options.size ?? 10,
    statement_timeout: statementTimeout,
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + ANSWER_MARGIN_MS }),
    lock_timeout: options.lockTimeout ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeout ?? 15_000,
    connectionTimeoutMillis: options.connectTimeout ?? 5_000,
  })
  pool.on('error', (error) => {
    // Expected while the pool closes.
    if (!pool.ending) log(`a resting database connection was lost: ${error.message}`)
  })
  // The pool handles only errors of idle clients: an unhandled loss of a busy one would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => {}))

  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: wrapPool(pool, servers, createStatements(log)) }),
    plugins: [camelCase],
  })
  const another = (limits: PoolOptions) => openDatabase(connection, { ...options, ...limits })
  return { kysely, pool, another, close: () => kysely.destroy() }
}

// Errors are classified here, where the connection is known; those that the server did not send
// have only an English message.
function wrapPool(pool: pg.Pool, servers: Servers, statements: Statements): PostgresPool {
  // Kysely identifies a connection by the object that it received.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient & { isDoubtful(): boolean }>()
  return {
    options: pool.options,
    end: () => endOnce(pool),
    async connect() {
      await servers.find().catch((error) => {
        throw withWriting(error, false)
      })
      for (;;) {
        const client = await pool.connect().catch((error) => {
          // Unless all connections were busy, the server could not be reached.
          if (pool.totalCount < pool.options.max) servers.doubt()
          throw withWriting(classify(error, !(error instanceof pg.DatabaseError)), false)
        })
        const known = wrapped.get(client) ?? wrap(client, servers, statements)
        wrapped.set(client, known)
        if (!known.isDoubtful()) return known
        client.release(true)
      }
    },
  }
}

/** Statements that leave nothing behind if they are cut. */
const WRITES_NOTHING = /^\s*(?:select|begin|start|set)\b/i

function wrap(client: pg.PoolClient, servers: Servers, statements: Statements) {
  const prepared = statements.openConnection()
  const doubtsBefore = servers.doubts()
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
      if (isSilence(error) || isReadOnly(error)) {
        isLost = true
        servers.doubt()
      }
      const known = classify(error, isLost)
      throw WRITES_NOTHING.test(text) ? withWriting(known, false) : known
    }
  }
  return {
    // The other signature takes a cursor, for streams, which need an additional package.
    query: query as unknown as PostgresPoolClient['query'],
    isDoubtful: () => servers.doubts() > doubtsBefore,
    release: (destroy?: boolean | Error) =>
      client.release(destroy || isLost || prepared.isWornOut()),
  }
}

async function endOnce(pool: pg.Pool): Promise<void> {
  if (!pool.ending) await pool.end()
}
