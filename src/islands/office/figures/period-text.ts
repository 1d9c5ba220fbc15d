import { formatDate } from '../../../i18n/dates.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { PeriodUnit } from '../../../rules/tunisia-time.ts'
import { monthText } from '../parts/dates.ts'

/** A day in words, including the year. */
export const fullDay = (locale: Locale, day: string): string =>
  formatDate(locale, `${day}T00:00:00Z`)

/** The name of the period that contains a day: `22 نوفمبر 2026`, `نوفمبر 2026`, `2026`. */
export function periodText(locale: Locale, unit: PeriodUnit, day: string): string {
  if (unit === 'day') return fullDay(locale, day)
  return unit === 'month' ? monthText(locale, day.slice(0, 7)) : day.slice(0, 4)
}
