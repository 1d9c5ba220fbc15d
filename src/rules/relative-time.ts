import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'

/** From this age on, a moment is shown as its date. */
export const RELATIVE_TIME_MAX_MS = 7 * DAY_MS

/** How a moment is shown: as "now", as a time ago, or as its date. */
export type RelativeTime =
  | { kind: 'now' }
  | { kind: 'minutes' | 'hours' | 'days'; count: number }
  | { kind: 'date' }

/** How to show `then` at `now`, both in ms; missing, unreadable and future moments are now. */
export function relativeTime(then: number | null | undefined, now: number): RelativeTime {
  const age = now - (then ?? now)
  if (!(age >= MINUTE_MS)) return { kind: 'now' }
  if (age < HOUR_MS) return { kind: 'minutes', count: Math.floor(age / MINUTE_MS) }
  if (age < DAY_MS) return { kind: 'hours', count: Math.floor(age / HOUR_MS) }
  if (age < RELATIVE_TIME_MAX_MS) return { kind: 'days', count: Math.floor(age / DAY_MS) }
  return { kind: 'date' }
}
