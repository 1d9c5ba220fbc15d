import { LRUCache } from 'lru-cache'

/** So many in so long. */
export interface Allowance {
  readonly max: number
  readonly windowMs: number
}

export type Attempts = ReturnType<typeof createAttempts>

// Beyond this the oldest are forgotten; a key takes about 200 bytes.
const MOST_KEYS = 50_000

/**
 * Counts what somebody does within fixed windows of time, in this process's bounded memory. `now` is
 * in milliseconds.
 */
export function createAttempts(now: () => number) {
  const windows = new LRUCache<string, { count: number; ends: number }>({ max: MOST_KEYS })

  return {
    /** Counts one more; returns the seconds to wait when that is too many, else 0. */
    take(key: string, { max, windowMs }: Allowance): number {
      const kept = windows.get(key)
      const window = kept && kept.ends > now() ? kept : { count: 0, ends: now() + windowMs }
      // Those who are refused do not prolong their wait.
      if (window.count >= max) return Math.ceil((window.ends - now()) / 1000)
      window.count++
      windows.set(key, window)
      return 0
    },
    /** Takes one back: it was no attack. */
    giveBack(key: string): void {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
  }
}
