import { pluralText } from '../../../i18n/format.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import type { Detail } from '../../../rules/document-fields.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'

export function useNames() {
  const locale = useLocale()
  const details = useTexts('office-documents:details')
  const types = useTexts('catalogue:types')
  const namesFrom = (table: Readonly<Record<string, string>>) => (entry: NamedEntry) =>
    nameIn(locale, entry, table)
  return {
    matiere: namesFrom(useTexts('catalogue:matieres')),
    schoolClass: namesFrom(useTexts('catalogue:niveaux')),
    category: namesFrom(useTexts('catalogue:categories')),
    /** A detail as the page shows it: a count with its noun, or a text. */
    detail: (name: Detail, value: number | string) =>
      typeof value === 'number' ? pluralText(locale, details, name, value) : value,
    audience: (type: string) => (type === AUDIENCES[0] ? types.student : types.teacher),
  }
}
