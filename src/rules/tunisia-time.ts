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

export const PERIOD_UNITS = ['day', 'month', 'year'] as const
export type PeriodUnit = (typeof PERIOD_UNITS)[number]

/** Days (`2026-11-22`) in Tunisia, the last one included. */
export interface Period {
  readonly from: string
  readonly to: string
}

export function periodOf(unit: PeriodUnit, day: string): Period {
  if (unit === 'day') return { from: day, to: day }
  const first = unit === 'month' ? day.slice(0, 7) : `${day.slice(0, 4)}-01`
  const next = monthsAfter(first, unit === 'month' ? 1 : 12)
  return { from: `${first}-01`, to: daysAfter(`${next}-01`, -1) }
}

/**
 * The previous period, shortened if the current one is still running: 10 days so far are compared
 * with the first 10 days of the previous one.
 */
export function periodBefore(unit: PeriodUnit, { from }: Period, today: string): Period {
  const before = periodOf(unit, daysAfter(from, -1))
  const { to } = periodOf(unit, from)
  if (unit === 'day' || to <= today) return before
  const cut =
    unit === 'month' ? sameDay(before.from, today) : `${before.from.slice(0, 4)}${today.slice(4)}`
  return { from: before.from, to: earlierOf(cut, before.to) }
}

/** The day of a month with the same number as another day. */
const sameDay = (month: string, day: string) => `${month.slice(0, 8)}${day.slice(8)}`

/** The days of a period's chart; for a single day, `CHART_DAYS` up to it. */
export function chartOf(unit: PeriodUnit, period: Period): Period {
  return unit === 'day' ? { from: daysAfter(period.to, 1 - CHART_DAYS), to: period.to } : period
}

const CHART_DAYS = 14

export function earlierOf(day: string, other: string): string {
  return day.localeCompare(other) < 0 ? day : other
}
