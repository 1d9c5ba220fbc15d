import { AUDIENCES, type Level } from '../rules/price-bands.ts'
import type { Locale } from './locales.ts'
import { textsIn } from './texts.ts'

/** Something in the catalogue with a name and, if the backend knows one, a code. */
interface Named {
  code?: string | null
  name: string
}

/** The names of the catalogue in a language: by code, or as the backend gives them. */
export function catalogueNames(locale: Locale) {
  const types = textsIn(locale, 'catalogue:types')
  const levels = textsIn(locale, 'catalogue:levels')
  const named =
    (table: Readonly<Record<string, string>>) =>
    ({ code, name }: Named): string =>
      (code && Object.hasOwn(table, code) ? table[code] : undefined) ?? name

  return {
    category: named(textsIn(locale, 'catalogue:categories')),
    matiere: named(textsIn(locale, 'catalogue:matieres')),
    schoolYear: named(textsIn(locale, 'catalogue:niveaux')),
    level: (level: Level) => levels[level],
    /** The audience of a document; a value that only another backend knows is shown unchanged. */
    audience: (type: string) =>
      type === AUDIENCES[0] ? types.student : type === AUDIENCES[1] ? types.teacher : type,
  }
}
