import { detailTexts } from '../../i18n/details.ts'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import { type NamedEntry, nameIn } from '../../rules/catalogue-names.ts'
import type { Details } from '../../rules/document-fields.ts'
import { AUDIENCES } from '../../rules/price-bands.ts'
import { useKindTexts } from './kinds.ts'

export function useNames() {
  const locale = useLocale()
  const details = useKindTexts(useTexts('office-documents:details'))
  const types = useTexts('catalogue:types')
  const namesFrom = (table: Readonly<Record<string, string>>) => (entry: NamedEntry) =>
    nameIn(locale, entry, table)
  return {
    matiere: namesFrom(useTexts('catalogue:matieres')),
    schoolClass: namesFrom(useTexts('catalogue:niveaux')),
    category: namesFrom(useTexts('catalogue:categories')),
    chapter: namesFrom({}),
    /** The details that a document has, as the page shows them. */
    details: (document: Readonly<Details>) => detailTexts(locale, details, document),
    audience: (type: string) => (type === AUDIENCES[0] ? types.student : types.teacher),
  }
}
