import { DECIMAL_MARK } from './format.ts'
import type { Locale } from './locales.ts'

const UNITS: Readonly<Record<Locale, { mega: string; kilo: string }>> = {
  ar: { mega: 'م.ب', kilo: 'ك.ب' },
  fr: { mega: 'Mo', kilo: 'Ko' },
  en: { mega: 'MB', kilo: 'KB' },
}

const KILO = 1024
const MEGA = KILO * KILO

/** The size of a file, such as `1.2 MB`: with one decimal below 10 MB, in whole KB below 1 MB. */
export function formatSize(locale: Locale, bytes: number): string {
  const { mega, kilo } = UNITS[locale]
  const kilobytes = Math.max(1, Math.round(bytes / KILO))
  if (kilobytes < KILO) return `${kilobytes}\u00a0${kilo}`
  const megabytes = bytes / MEGA
  const number = megabytes < 9.95 ? megabytes.toFixed(1) : String(Math.round(megabytes))
  return `${number.replace('.', DECIMAL_MARK[locale])}\u00a0${mega}`
}
