import { type NamedEntry, nameIn } from '../../rules/catalogue-names.ts'
import type { LibraryFilters } from '../../stores/library/library.ts'
import { islandTexts, useLocale } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'library:page',
  'library:reading',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'order:waiting',
  'errors:codes',
)

type NameOf = (entry: NamedEntry) => string

/** Names in the page's language. */
export function useNames(): Readonly<Record<keyof LibraryFilters, NameOf>> {
  const locale = useLocale()
  const named =
    (table: Readonly<Record<string, string>>): NameOf =>
    (entry) =>
      nameIn(locale, entry, table)
  return {
    matiereId: named(useTexts('catalogue:matieres')),
    niveauId: named(useTexts('catalogue:niveaux')),
    category: named(useTexts('catalogue:categories')),
  }
}
