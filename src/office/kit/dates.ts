import { formatDate } from '../../i18n/dates.ts'
import { listed } from '../../i18n/listed.ts'
import type { Locale } from '../../i18n/locales.ts'
import { HOUR_MS } from '../../rules/durations.ts'

/** Formats a month (`2026-11`): `نوفمبر 2026`. */
export function monthText(locale: Locale, month: string): string {
  return formatDate(locale, `${month}-01T00:00:00Z`).replace(/^\d+(?:er)? /, '')
}

/** Formats a day (`2026-11-22`) without its year: `22 نوفمبر`. */
export function dayText(locale: Locale, day: string): string {
  return formatDate(locale, `${day}T00:00:00Z`).replace(/ \d+$/, '')
}

/** The time of day in Tunisia (UTC+1 all year): `14:05`. */
export function clockText(iso: string): string {
  return new Date(Date.parse(iso) + HOUR_MS).toISOString().slice(11, 16)
}

/** Formats a moment in Tunisia's time: `22 نوفمبر 2026، 14:05`. */
export function momentText(locale: Locale, iso: string): string {
  return listed(locale, [formatDate(locale, iso), clockText(iso)])
}
