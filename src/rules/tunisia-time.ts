import { DAY_MS, HOUR_MS } from './durations.ts'

// Tunisia is one hour ahead of UTC all year.

/** The zone's name, for the database. */
export const TUNISIA = 'Africa/Tunis'

/** The day in Tunisia at a moment: `2026-11-22`. */
export function tunisianDay(at: Date): string {
  return new Date(at.getTime() + HOUR_MS).toISOString().slice(0, 10)
}

/** The month in Tunisia at a moment: `2026-11`. */
export function tunisianMonth(at: Date): string {
  return tunisianDay(at).slice(0, 7)
}

/** The moment when a day (`2026-11-22`) begins in Tunisia. */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - HOUR_MS)
}

/** The moment when a month (`2026-11`) begins in Tunisia. */
export function startOfMonth(month: string): Date {
  return startOfDay(`${month}-01`)
}

/** The month that is `count` months after another, or before it if `count` is negative. */
export function monthsAfter(month: string, count: number): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + count)
  return at.toISOString().slice(0, 7)
}

/** The day that is `count` days after another, or before it if `count` is negative. */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}
