import { DAY_MS, HOUR_MS, MINUTE_MS } from '../rules/durations.ts'
import { formatDate } from './dates.ts'
import type { Locale } from './locales.ts'

// Latin digits everywhere.
const TAGS: Readonly<Record<Locale, string>> = {
  ar: 'ar-TN-u-nu-latn',
  fr: 'fr-TN',
  en: 'en-GB',
}

/** A moment relative to now, in words: just now, minutes, hours or days ago, or its date. */
export function relativeText(locale: Locale, iso: string | null, now: number, nowText: string) {
  const time: RelativeTime = relativeTime(iso === null ? null : Date.parse(iso), now)
  if (time.kind === 'now') return nowText
  if (time.kind === 'date') return formatDate(locale, iso ?? '')
  return new Intl.RelativeTimeFormat(TAGS[locale]).format(-time.count, time.kind)
}

/** The day of a moment in Tunisia's time, which is UTC+1 all year: whole days since 1970. */
export function dayOf(moment: number): number {
  return Math.floor((moment + 3_600_000) / 86_400_000)
}

/** From this age on, a moment is shown as its date. */
export const RELATIVE_TIME_MAX_MS = 7 * DAY_MS

/** How a moment is shown: as "now", as a time ago, or as its date. */
type RelativeTime =
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
