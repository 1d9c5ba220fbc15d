import type { Locale } from './locales.ts'

/** A whole number in groups of three, with Latin digits: `12 400`, in English `12,400`. */
export function groupedNumber(locale: Locale, value: number): string {
  const separator = locale === 'en' ? ',' : '\u00a0'
  return `\u2068${String(value).replace(/\B(?=(\d{3})+$)/g, separator)}\u2069`
}
