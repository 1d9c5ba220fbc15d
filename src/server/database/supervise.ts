import { setTimeout as wait } from 'node:timers/promises'
import type { ServerProcess } from './server-process.ts'

// The delays before each start (ms): none the first time, then longer ones, without end.
const DELAYS = [0, 100, 250, 500, 1000, 2000, 5000]
const STEADY = 10_000

/** Starts a server, and restarts it whenever it ends unexpectedly. */
export async function supervise(launch: () => Promise<ServerProcess>, log: (line: string) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = await launch()
  let failures = 0
  let since = performance.now()

  async function restart(): Promise<void> {
    while (!signal.aborted) {
      const delay = DELAYS[Math.min(failures, DELAYS.length - 1)]
      failures += 1
      await wait(delay, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        current = await launch()
        since = performance.now()
        log(`the database server is back (process ${current.pid})`)
        return
      } catch (error) {
        log(`the database server did not come back: ${(error as Error).message}`)
      }
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await current.ended
      if (signal.aborted) return
      log(`the database server (process ${current.pid}) ended by itself`)
      if (performance.now() - since > STEADY) failures = 0
      await restart()
    }
  }
  const watching = watch()

  return {
    /** The id of the present server process. */
    get pid() {
      return current.pid
    },
    async stop() {
      stopping.abort()
      await current.stop()
      await watching
      // The server may have been restarted while the previous process was being stopped.
      await current.stop()
    },
  }
}
