import type { LibraryFilters } from '../../stores/library/library.ts'
import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'library:page',
  'library:reading',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'order:waiting',
  'errors:codes',
)

type NameOf = (code: string | null | undefined, name: string) => string

/** Names in the page's language if their code is known, or as the backend gives them. */
export function useNames(): Readonly<Record<keyof LibraryFilters, NameOf>> {
  const named =
    (table: Readonly<Record<string, string>>): NameOf =>
    (code, name) =>
      (code && Object.hasOwn(table, code) && table[code]) || name
  return {
    matiereId: named(useTexts('catalogue:matieres')),
    niveauId: named(useTexts('catalogue:niveaux')),
    category: named(useTexts('catalogue:categories')),
  }
}
