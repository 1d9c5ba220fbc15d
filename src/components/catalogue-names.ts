import type { Named } from '../contract/catalogue.ts'
import type { Locale } from '../i18n/locales.ts'
import { texts } from '../i18n/translate.ts'
import { AUDIENCES, type Level } from '../rules/price-bands.ts'

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
