import { type RelativeTime, relativeTime } from '../rules/relative-time.ts'
import { formatDate } from './format.ts'
import type { Locale } from './locales.ts'

// Latin digits everywhere (look, bidi rule 2).
const TAGS: Readonly<Record<Locale, string>> = {
  ar: 'ar-TN-u-nu-latn',
  fr: 'fr-TN',
  en: 'en-GB',
}

/** A moment as people say it: now, so many minutes, hours or days ago, else its date. */
export function tellMoment(locale: Locale, iso: string | null, now: number, nowText: string) {
  const told: RelativeTime = relativeTime(iso === null ? null : Date.parse(iso), now)
  if (told.kind === 'now') return nowText
  if (told.kind === 'date') return formatDate(locale, iso ?? '')
  return new Intl.RelativeTimeFormat(TAGS[locale]).format(-told.count, told.kind)
}

/** The day of a moment in Tunisia's time, which is UTC+1 all year: whole days since 1970. */
export function dayOf(moment: number): number {
  return Math.floor((moment + 3_600_000) / 86_400_000)
}
