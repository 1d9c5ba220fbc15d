import { AUDIENCES, type Level } from '../rules/price-bands.ts'
import type { Locale } from './locales.ts'
import { texts } from './translate.ts'

/** What the catalogue calls by a name and, where the backend has one, a code. */
interface Named {
  code?: string | null
  name: string
}

interface CatalogueTexts {
  levels: Record<Level, { name: string; note: string }>
  types: { student: string; teacher: string }
  categories: Record<string, string>
  matieres: Record<string, string>
  niveaux: Record<string, string>
}

/** The names of the catalogue in a language: by code, else as the backend gives them. */
export function catalogueNames(locale: Locale) {
  const of = <K extends keyof CatalogueTexts>(key: K) =>
    texts<CatalogueTexts[K]>(locale, `catalogue:${key}`)
  const types = of('types')
  const levels = of('levels')
  const named =
    (table: Record<string, string>) =>
    ({ code, name }: Named): string =>
      (code && Object.hasOwn(table, code) ? table[code] : undefined) ?? name

  return {
    category: named(of('categories')),
    matiere: named(of('matieres')),
    niveau: named(of('niveaux')),
    level: (level: Level) => levels[level],
    /** Whom a document is for; another backend's own value is shown as it is. */
    audience: (type: string) =>
      type === AUDIENCES[0] ? types.student : type === AUDIENCES[1] ? types.teacher : type,
  }
}
