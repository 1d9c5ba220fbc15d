import type { Locale } from './locales.ts'

const SEPARATOR: Readonly<Record<Locale, string>> = { ar: '، ', fr: ', ', en: ', ' }

/** The items of a list in one line, with the comma of the language. */
export function listed(locale: Locale, items: readonly string[]): string {
  return items.join(SEPARATOR[locale])
}
