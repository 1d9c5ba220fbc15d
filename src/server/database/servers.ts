import pg from 'pg'
import { SECOND_MS } from '../../rules/durations.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import { serversIn } from '../config/database-url.ts'
import { columnTypes } from './columns.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/**
 * A PostgreSQL URL, which may name several servers, or its parts; `host` may be the directory of a
 * Unix socket.
 */
export type Connection =
  | string
  | { host: string; user: string; database: string; port?: number; password?: string }

/** An unused connection is probed after this time, then every second, and is lost after ten. */
const KEEP_ALIVE_AFTER_MS = 5 * SECOND_MS
const ANSWER_TIMEOUT_MS = 5 * SECOND_MS

/** The `pg` client settings of a connection to one server. */
export function clientConfig(connection: Connection): pg.ClientConfig {
  const where =
    typeof connection === 'string' ? { connectionString: connection } : { ...connection }
  return {
    ...where,
    application_name: 'karras',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: columnTypes,
  }
}

/** The servers of a connection, of which the shop uses the one that accepts writes. */
export type Servers = ReturnType<typeof createServers>

export function createServers(connection: Connection) {
  const all = typeof connection === 'string' ? serversIn(connection) : [connection]
  const [first = connection] = all
  const once = sharedWork<pg.ClientConfig>()
  let found = all.length === 1 ? clientConfig(first) : undefined
  let doubts = 0
  return {
    /**
     * The settings of a connection to the server in use. Of several servers, it is the first that
     * says that it accepts writes; throws `DatabaseUnavailable` if none does.
     */
    async find(): Promise<pg.ClientConfig> {
      found ??= await once('find', () => firstWritable(all))
      return found
    },
    /** Notes that the server in use may be gone: connections opened before are not used again. */
    doubt(): void {
      doubts += 1
      if (all.length > 1) found = undefined
    },
    /** A client of the server in use, for a pool: `find` comes first. */
    Client: class extends pg.Client {
      constructor(limits: pg.ClientConfig = {}) {
        super({ ...limits, ...(found ?? clientConfig(first)) })
      }
    },
    /** How often the server was doubted. */
    doubts: () => doubts,
  }
}

async function firstWritable(servers: readonly Connection[]): Promise<pg.ClientConfig> {
  const configs = servers.map((server) => clientConfig(server))
  try {
    return await Promise.any(configs.map(refuseReadOnly))
  } catch (error) {
    const reasons = (error as AggregateError).errors.map(({ message }: Error) => message)
    throw new DatabaseUnavailable(`no server accepts writes: ${reasons.join('; ')}`)
  }
}

/** Resolves to the settings if a connection with them can write. */
async function refuseReadOnly(config: pg.ClientConfig): Promise<pg.ClientConfig> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  })
  // A connection that is lost fails its query as well.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>(
      'SHOW transaction_read_only',
    )
    if (rows[0]?.transaction_read_only === 'off') return config
    throw new Error(`${client.host}:${client.port} is read-only`)
  } finally {
    client.end().catch(() => {})
  }
}
