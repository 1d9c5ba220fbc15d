import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** How often each server is written to, and how long it may take, in milliseconds. */
const PAUSE_MS = 100
const PATIENCE_MS = 1500

/**
 * Writes to each server of the database again and again, from outside the shop; `times` gets the
 * time of each success (`performance.now()`).
 */
export function startProbes(urls: readonly string[]) {
  const times: number[] = []
  let over = false

  async function probe(url: string): Promise<void> {
    let client: pg.Client | undefined
    while (!over) {
      try {
        if (!client) {
          client = new pg.Client({
            connectionString: url,
            connectionTimeoutMillis: PATIENCE_MS,
            query_timeout: PATIENCE_MS,
          })
          client.on('error', () => {})
          await client.connect()
        }
        await client.query('INSERT INTO probe VALUES (now())')
        times.push(performance.now())
      } catch (error) {
        // A standby refuses, and may be the primary soon.
        if (!(error instanceof pg.DatabaseError && error.code === '25006')) {
          client?.end().catch(() => {})
          client = undefined
        }
      }
      await wait(PAUSE_MS)
    }
    client?.end().catch(() => {})
  }

  const probes = urls.map(probe)
  return {
    times: times as readonly number[],
    async stop() {
      over = true
      await Promise.all(probes)
    },
  }
}

/** The longest time between two of these moments that overlaps from `from` to `to`. */
export function longestGap(
  times: readonly number[],
  from: number,
  to: number,
): { readonly from: number; readonly to: number; readonly ms: number } {
  const within = times.filter((time) => time > from && time < to).toSorted((a, b) => a - b)
  const before = times.findLast((time) => time <= from) ?? from
  let longest = { from: before, to: before, ms: 0 }
  let last = before
  for (const time of [...within, to]) {
    if (time - last > longest.ms) longest = { from: last, to: time, ms: time - last }
    last = time
  }
  return longest
}
