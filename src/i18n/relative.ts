import { type RelativeTime, relativeTime } from '../rules/relative-time.ts'
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
