import type { Locale } from './locales.ts'

const SEPARATOR: Readonly<Record<Locale, string>> = { ar: '، ', fr: ', ', en: ', ' }

/** The items of a list in one line, with the comma of the language. */
export function listed(locale: Locale, items: readonly string[]): string {
  return items.join(SEPARATOR[locale])
}

/** A label and its value, `Amount: 12`, with the space before the colon that French has. */
export function labelled(locale: Locale, label: string, value: string | number): string {
  return `${label}${locale === 'fr' ? '\u00a0' : ''}: ${value}`
}
