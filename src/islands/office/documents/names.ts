import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'

/** Names of the catalogue in the page's language. */
export function useNames() {
  const locale = useLocale()
  const types = useTexts('catalogue:types')
  const named = (table: Readonly<Record<string, string>>) => (entry: NamedEntry) =>
    nameIn(locale, entry, table)
  return {
    matiere: named(useTexts('catalogue:matieres')),
    schoolYear: named(useTexts('catalogue:niveaux')),
    category: named(useTexts('catalogue:categories')),
    audience: (type: string) => (type === AUDIENCES[0] ? types.student : types.teacher),
  }
}
