import type { Locale } from './locales.ts'

/** The decimal separator of each language. */
export const DECIMAL_MARK: Readonly<Record<Locale, '.' | ','>> = { ar: '.', fr: ',', en: '.' }

const SEPARATORS: Readonly<Record<Locale, string>> = { ar: '\u00a0', fr: '\u00a0', en: ',' }

/** A number as it is written, of at most two decimals, with its whole part in groups of three. */
export function inGroups(locale: Locale, number: string): string {
  let grouped = number
  for (let cut = number.search(/[.,]|$/) - 3; /\d/.test(number.charAt(cut - 1)); cut -= 3) {
    grouped = grouped.slice(0, cut) + SEPARATORS[locale] + grouped.slice(cut)
  }
  return grouped
}

/** A whole number in groups of three, with Latin digits: `12 400`, in English `12,400`. */
export function groupedNumber(locale: Locale, value: number): string {
  return `\u2068${inGroups(locale, String(value))}\u2069`
}
