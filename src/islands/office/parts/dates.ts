import { formatDate } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'

/** A month (`2026-11`) in words: `نوفمبر 2026`. */
export function monthText(locale: Locale, month: string): string {
  return formatDate(locale, `${month}-01T00:00:00Z`).replace(/^\d+ /, '')
}

/** A day (`2026-11-22`) in words, without its year: `22 نوفمبر`. */
export function dayText(locale: Locale, day: string): string {
  return formatDate(locale, `${day}T00:00:00Z`).replace(/ \d+$/, '')
}
