import { LRUCache } from 'lru-cache'

/** How many attempts are allowed in a window of time. */
export interface Allowance {
  readonly max: number
  readonly windowMs: number
}

// If there are more keys, the oldest are dropped; a key takes about 200 bytes.
const MOST_KEYS = 50_000

/**
 * Counts attempts within fixed windows of time, in the bounded memory of this process. `now` is
 * in milliseconds.
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
      if (window.count >= max) return Math.ceil((window.ends - now()) / 1000)
      window.count++
      windows.set(key, window)
      return 0
    },
    /** Takes back an attempt that turned out to be legitimate. */
    giveBack(key: string): void {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
  }
}
