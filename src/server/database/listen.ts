import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, createServers } from './servers.ts'

/** By this name the server lists the listening connections: each process of the shop has one. */
export const LISTENER_NAME = 'karras listens'

/**
 * The connection outside the pool that receives the announcements of all instances by `pg_notify`.
 */
export interface Listener {
  /**
   * Calls `handler` with the payload of each notification on `channel`. Once it listens, it
   * resolves to the function that stops it.
   */
  onNotify(channel: string, handler: (payload: string) => void): Promise<() => void>
  /**
   * Calls `handler` after each gap in which notifications were missed; returns the function that
   * stops it.
   */
  onReconnect(handler: () => void): () => void
  close(): Promise<void>
}

export interface ListenOptions {
  log?: (line: string) => void
  /** The interval of queries that detect a silently lost connection (ms). */
  heartbeat?: number
}

interface Channel {
  handlers: Set<(payload: string) => void>
  listened: PromiseWithResolvers<void>
}

// The delays before each attempt to connect, and the time limit of an answer (ms).
const DELAYS = [0, 100, 250, 500, 1000, 2000]
const ANSWER_TIMEOUT = 5_000

/** Opens the listening connection, and reconnects whenever it is lost. */
export function openListener(connection: Connection, options: ListenOptions = {}): Listener {
  const { log = () => {}, heartbeat = 5_000 } = options
  const servers = createServers(connection)
  const channels = new Map<string, Channel>()
  const afterGap = new Set<() => void>()
  const closing = new AbortController()
  const { signal } = closing
  /** Sends LISTEN over the open connection; undefined while there is none. */
  let listen: ((channel: string) => Promise<unknown>) | undefined

  function call(handler: () => void): void {
    try {
      handler()
    } catch (error) {
      log(`a notification's handler failed: ${(error as Error).message}`)
    }
  }

  /** Connects, listens to every channel, and resolves when the connection is lost or closed. */
  async function listenUntilLost(onListening: () => void): Promise<void> {
    const client = new pg.Client({
      ...(await servers.find()),
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: ANSWER_TIMEOUT,
      query_timeout: Math.min(ANSWER_TIMEOUT, heartbeat),
    })
    const { promise: lost, resolve } = Promise.withResolvers<void>()
    const onLost = () => resolve()
    client.on('error', onLost)
    client.on('end', onLost)
    client.on('notification', ({ channel, payload = '' }) => {
      for (const handler of channels.get(channel)?.handlers ?? []) call(() => handler(payload))
    })
    signal.addEventListener('abort', onLost)
    let beat: NodeJS.Timeout | undefined
    try {
      await client.connect()
      // One after the other, since `pg` no longer queues queries.
      let last: Promise<unknown> = Promise.resolve()
      const query = (text: string) => {
        const answer = last.then(() => client.query(text))
        last = answer.catch(() => {})
        return answer
      }
      beat = setInterval(() => query('SELECT 1').catch(onLost), heartbeat)
      listen = (channel) => query(`LISTEN ${client.escapeIdentifier(channel)}`)
      for (const [name, { listened }] of channels) {
        await listen(name)
        listened.resolve()
      }
      onListening()
      await lost
      if (!signal.aborted) log('the listening database connection was lost')
    } finally {
      listen = undefined
      clearInterval(beat)
      signal.removeEventListener('abort', onLost)
      // The connection may be closed already.
      client.end().catch(() => {})
    }
  }

  async function stayConnected(): Promise<void> {
    let isFirst = true
    let failures = 0
    while (!signal.aborted) {
      try {
        await listenUntilLost(() => {
          failures = 0
          if (!isFirst) for (const handler of afterGap) call(handler)
          isFirst = false
        })
      } catch (error) {
        log(`the listening database connection failed: ${(error as Error).message}`)
      }
      servers.doubt()
      const delay = DELAYS[Math.min(failures, DELAYS.length - 1)]
      failures += 1
      await wait(delay, undefined, { signal }).catch(() => {})
    }
  }

  function openChannel(name: string): Channel {
    const channel = { handlers: new Set<() => void>(), listened: Promise.withResolvers<void>() }
    channels.set(name, channel)
    // If this fails, the connection is lost, and the next one will listen to the channel.
    listen?.(name).then(
      () => channel.listened.resolve(),
      () => {},
    )
    return channel
  }

  const staying = stayConnected()

  return {
    async onNotify(name, handler) {
      const channel = channels.get(name) ?? openChannel(name)
      channel.handlers.add(handler)
      await channel.listened.promise
      return () => void channel.handlers.delete(handler)
    },
    onReconnect(handler) {
      afterGap.add(handler)
      return () => void afterGap.delete(handler)
    },
    async close() {
      closing.abort()
      await staying
    },
  }
}
