import type { Locale } from './locales.ts'

const SEPARATORS: Readonly<Record<Locale, string>> = { ar: '\u00a0', fr: '\u00a0', en: ',' }

/** The digits of a whole number, `-` before them or not, in groups of three: `12 400`. */
export function inGroups(locale: Locale, digits: string): string {
  // Most prices have no group; formatting by Intl is slow.
  if (digits.length <= 3) return digits
  return Number(digits).toLocaleString('en').replaceAll(',', SEPARATORS[locale])
}

/** A whole number in groups of three, with Latin digits: `12 400`, in English `12,400`. */
export function groupedNumber(locale: Locale, value: number): string {
  return `\u2068${inGroups(locale, String(value))}\u2069`
}
