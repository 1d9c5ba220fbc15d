import type { TextsAt } from '../../i18n/text-keys.ts'

/** `library:page` of locales. */
export type LibraryTexts = TextsAt<'library:page'>

/** Names by the catalogue's codes (`catalogue` of locales). */
export interface CatalogueTexts {
  matieres: Readonly<Record<string, string>>
  niveaux: Readonly<Record<string, string>>
  categories: Readonly<Record<string, string>>
}

/** A name in the language of the page where its code is known, else as the backend gives it. */
export function nameOf(
  table: Readonly<Record<string, string>>,
  code: string | null | undefined,
  name: string,
): string {
  return (code && Object.hasOwn(table, code) && table[code]) || name
}
