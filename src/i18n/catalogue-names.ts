import { type NamedEntry, nameIn } from '../rules/catalogue-names.ts'
import { AUDIENCES, type Level } from '../rules/price-bands.ts'
import type { Locale } from './locales.ts'
import { textsIn } from './texts.ts'

export function catalogueNames(locale: Locale) {
  const types = textsIn(locale, 'catalogue:types')
  const levels = textsIn(locale, 'catalogue:levels')
  const named =
    (table: Readonly<Record<string, string>>) =>
    (entry: NamedEntry): string =>
      nameIn(locale, entry, table)

  return {
    category: named(textsIn(locale, 'catalogue:categories')),
    matiere: named(textsIn(locale, 'catalogue:matieres')),
    schoolClass: named(textsIn(locale, 'catalogue:niveaux')),
    chapter: named({}),
    level: (level: Level) => levels[level],
    /** The audience of a document; a value that only another backend knows is shown unchanged. */
    audience: (type: string) =>
      type === AUDIENCES[0] ? types.student : type === AUDIENCES[1] ? types.teacher : type,
  }
}
