import type { Locale } from './locales.ts'

const SEPARATORS: Readonly<Record<Locale, string>> = { ar: '\u00a0', fr: '\u00a0', en: ',' }

/** A whole number in groups of three, with Latin digits: `12 400`, in English `12,400`. */
export function groupedNumber(locale: Locale, value: number): string {
  return `\u2068${value.toLocaleString('en').replaceAll(',', SEPARATORS[locale])}\u2069`
}
