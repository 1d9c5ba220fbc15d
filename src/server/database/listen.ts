import { setTimeout as wait } from 'node:timers/promises'
import { connectListener, type ListeningClient } from './listening-client.ts'
import type { Connection } from './pool.ts'

/** The one connection, outside the pool, that receives what any instance announces with `pg_notify`. */
export interface Listener {
  /**
   * Calls `handler` with the payload of each notification on `channel` from now on; resolves, to
   * the function that ends this, once the channel is listened to.
   */
  onNotify(channel: string, handler: (payload: string) => void): Promise<() => void>
  /**
   * Calls `handler` after each gap, when every channel is listened to again: what was announced
   * meanwhile was not heard. Answers the function that ends this.
   */
  onReconnect(handler: () => void): () => void
  close(): Promise<void>
}

export interface ListenOptions {
  log?: (line: string) => void
  /** Milliseconds between two signs of life, which find a connection that died in silence. */
  heartbeat?: number
}

interface Channel {
  handlers: Set<(payload: string) => void>
  listened: PromiseWithResolvers<void>
}

// Milliseconds.
const DELAYS = [0, 100, 250, 500, 1000, 2000]

/** Opens the listening connection and keeps it open, connecting again whenever it is lost. */
export function openListener(connection: Connection, options: ListenOptions = {}): Listener {
  const { log = () => {}, heartbeat = 15_000 } = options
  const channels = new Map<string, Channel>()
  const afterGap = new Set<() => void>()
  const closing = new AbortController()
  const { signal } = closing
  let client: ListeningClient | undefined

  function deliver(name: string, payload: string): void {
    for (const handler of channels.get(name)?.handlers ?? []) call(() => handler(payload))
  }

  function call(handler: () => void): void {
    try {
      handler()
    } catch (error) {
      log(`a notification's handler failed: ${(error as Error).message}`)
    }
  }

  async function stayConnected(): Promise<void> {
    let isFirst = true
    let failures = 0
    while (!signal.aborted) {
      try {
        client = await connectListener(connection, heartbeat, deliver)
        for (const [name, { listened }] of channels) {
          await client.listen(name)
          listened.resolve()
        }
        failures = 0
        if (!isFirst) for (const handler of afterGap) call(handler)
        isFirst = false
        await untilLost(client)
        if (!signal.aborted) log('the listening database connection was lost')
      } catch (error) {
        log(`the listening database connection failed: ${(error as Error).message}`)
      }
      client?.close()
      client = undefined
      const delay = DELAYS[Math.min(failures, DELAYS.length - 1)]
      failures += 1
      await wait(delay, undefined, { signal }).catch(() => {})
    }
  }

  async function untilLost({ lost }: ListeningClient): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const close = () => resolve()
    signal.addEventListener('abort', close)
    if (!signal.aborted) await Promise.race([lost, closed])
    signal.removeEventListener('abort', close)
  }

  function openChannel(name: string): Channel {
    const channel = { handlers: new Set<() => void>(), listened: Promise.withResolvers<void>() }
    channels.set(name, channel)
    // Should this fail, the connection is lost and the next one listens to it.
    client?.listen(name).then(channel.listened.resolve, () => {})
    return channel
  }

  const staying = stayConnected()

  return {
    async onNotify(name, handler) {
      const channel = channels.get(name) ?? openChannel(name)
      channel.handlers.add(handler)
      await channel.listened.promise
      return () => {
        channel.handlers.delete(handler)
      }
    },
    onReconnect(handler) {
      afterGap.add(handler)
      return () => {
        afterGap.delete(handler)
      }
    },
    async close() {
      closing.abort()
      await staying
    },
  }
}
