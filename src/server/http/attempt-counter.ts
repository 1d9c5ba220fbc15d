import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Deps } from '../deps.ts'

export interface Allowance {
  readonly max: number
  readonly windowMs: number
}

// If there are more keys, the oldest are dropped; a key takes about 200 bytes.
const MOST_KEYS = 50_000

/**
 * Counts attempts within fixed windows of time, in the bounded memory of this process: for what
 * only bounds load, since others can make it forget. `now` is in milliseconds.
 */
export function createAttempts(now: () => number) {
  const windows = new LRUCache<string, { count: number; ends: number }>({
    // Every live connection has such a counter: `max` would reserve 2 MB for each, `maxSize` only
    // grows with its keys.
    maxSize: MOST_KEYS,
    sizeCalculation: () => 1,
  })

  return {
    /** Counts an attempt; returns the seconds to wait if there were too many, otherwise 0. */
    take(key: string, { max, windowMs }: Allowance): number {
      const kept = windows.get(key)
      const window = kept && kept.ends > now() ? kept : { count: 0, ends: now() + windowMs }
      // Refused attempts do not prolong the wait.
      if (window.count >= max) return secondsUntil(window.ends, now())
      window.count++
      windows.set(key, window)
      return 0
    },
  }
}

/** A key and how many attempts it is allowed. */
export type Wanted = readonly [key: string, Allowance]

/**
 * Counts attempts within fixed windows of time in the database, for all processes and over
 * restarts: for what protects accounts. Keys are stored as their hash with the shop's secret, so
 * that neither the database nor a backup says who logged in from where.
 */
export function createKeptAttempts({
  database: { kysely },
  now,
  secret,
}: Pick<Deps, 'database' | 'now' | 'secret'>) {
  const hashed = (key: string) => createHmac('sha256', secret).update(key).digest('base64url')

  async function giveBack(wanted: readonly Wanted[]): Promise<void> {
    // Rows are locked in the order of their keys, as below: no statement waits for another in turn.
    await sql`
      UPDATE attempt_counts AS kept SET count = kept.count - 1
      FROM (
        SELECT key FROM attempt_counts WHERE key = ANY(${wanted.map(([key]) => hashed(key))}::text[])
        ORDER BY key FOR UPDATE
      ) AS held
      WHERE kept.key = held.key AND kept.ends_at > ${new Date(now())} AND kept.count > 0
    `.execute(kysely)
  }

  return {
    /**
     * Counts an attempt for each key, or for none if one of them had too many; then returns the
     * seconds to wait until the first of those is allowed again, otherwise 0.
     */
    async take(wanted: readonly Wanted[]): Promise<number> {
      const at = now()
      const { rows } = await sql<{ endsAt: Date; isOver: boolean; isTaken: boolean }>`
        WITH asked AS (
          SELECT * FROM unnest(
            ${wanted.map(([key]) => hashed(key))}::text[],
            ${wanted.map(([, { max }]) => max)}::integer[],
            ${wanted.map(([, { windowMs }]) => new Date(at + windowMs))}::timestamptz[]
          ) WITH ORDINALITY AS asked (key, most, ends_at, place)
        ), closed AS (
          -- A refusal neither writes nor locks, whoever asks how often.
          SELECT kept.ends_at FROM asked JOIN attempt_counts AS kept USING (key)
          WHERE kept.count >= asked.most AND kept.ends_at > ${new Date(at)}
          ORDER BY asked.place LIMIT 1
        ), taken AS (
          INSERT INTO attempt_counts AS kept (key, count, ends_at)
          SELECT key, 1, ends_at FROM asked WHERE NOT EXISTS (SELECT FROM closed) ORDER BY key
          ON CONFLICT (key) DO UPDATE SET
            count = CASE WHEN kept.ends_at > ${new Date(at)} THEN kept.count + 1 ELSE 1 END,
            ends_at = CASE WHEN kept.ends_at > ${new Date(at)} THEN kept.ends_at
              ELSE excluded.ends_at END
          RETURNING key, count, ends_at
        )
        SELECT ends_at, true AS is_over, false AS is_taken FROM closed
        UNION ALL
        SELECT taken.ends_at, taken.count > asked.most, true FROM taken JOIN asked USING (key)
      `.execute(kysely)
      const over = rows.find(({ isOver }) => isOver)
      if (!over) return 0
      // Others have taken the last ones since this statement looked.
      if (over.isTaken) await giveBack(wanted)
      return secondsUntil(over.endsAt.getTime(), at)
    },
    /** Takes back an attempt that turned out to be legitimate. */
    giveBack,
  }
}

function secondsUntil(end: number, now: number): number {
  return Math.max(1, Math.ceil((end - now) / SECOND_MS))
}
