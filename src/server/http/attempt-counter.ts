/** So many in so long. */
export interface Allowance {
  readonly max: number
  readonly windowMs: number
}

/** Counts what somebody does within fixed windows of time, in this process's bounded memory. */
export interface Attempts {
  /** Counts one more; the seconds to wait when that is too many, else 0. */
  take(key: string, allowance: Allowance): number
  /** Takes one back: it was no attack. */
  giveBack(key: string): void
}

// Beyond this the oldest are forgotten; a key takes about 200 bytes.
const MOST_KEYS = 50_000

/** `now` in milliseconds since 1970. */
export function createAttempts(now: () => number): Attempts {
  const windows = new Map<string, { count: number; ends: number }>()

  return {
    take(key, { max, windowMs }) {
      const kept = windows.get(key)
      const window = kept && kept.ends > now() ? kept : { count: 0, ends: now() + windowMs }
      // Those who are refused do not prolong their wait.
      if (window.count >= max) return Math.ceil((window.ends - now()) / 1000)
      window.count++
      windows.delete(key)
      windows.set(key, window)
      const oldest = windows.size > MOST_KEYS ? windows.keys().next().value : undefined
      if (oldest !== undefined) windows.delete(oldest)
      return 0
    },
    giveBack(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
  }
}
