import { useMemo } from 'react'
import { type NamedEntry, nameIn } from '../../rules/catalogue-names.ts'
import type { LibraryFilter } from '../../stores/library/library.ts'
import { islandTexts, useLocale } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'library:page',
  'library:reading',
  'versions:library',
  'library:shelves',
  'ratings:form',
  'downloads:states',
  'downloads:several',
  'offline:keep',
  'offline:list',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'share:ways',
  'order:waiting',
  'common:methods',
  'errors:codes',
)

type NameOf = (entry: NamedEntry) => string

export function useNames(): Readonly<Record<LibraryFilter, NameOf>> {
  const locale = useLocale()
  const matieres = useTexts('catalogue:matieres')
  const classes = useTexts('catalogue:niveaux')
  const categories = useTexts('catalogue:categories')
  return useMemo(() => {
    const named =
      (table: Readonly<Record<string, string>>): NameOf =>
      (entry) =>
        nameIn(locale, entry, table)
    return { matiereId: named(matieres), niveauId: named(classes), category: named(categories) }
  }, [locale, matieres, classes, categories])
}
