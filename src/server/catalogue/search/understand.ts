import type { DocumentFilters, DocumentPage, UNDERSTOOD } from '../../../contract/catalogue.ts'
import { filedAs, PAPER_FACETS } from '../../../rules/papers.ts'
import { readSearch, withoutParts } from '../../../rules/read-facts.ts'
import { partsOf, type Read } from '../../../rules/read-words.ts'
import type { CatalogueIndex } from './catalogue-index.ts'

type Filter = (typeof UNDERSTOOD)[number]

/** A fact that the words of a search say. */
export type Understood = NonNullable<DocumentPage['understood']>[number]

/**
 * What the words of a search say that some document has, as filters, and the words that are left.
 * Null where they say no more than a class, or a subject, which are found by their names.
 */
export function understand(
  index: CatalogueIndex,
  typed: string,
): { filters: DocumentFilters; words: string; understood: Understood[] } | null {
  const school = index.schoolWords()
  if (typed === '') return null
  const { classCode, subjectCode, kind, number, trimester, year, hasCorrection } = readSearch(
    typed,
    { ...school.vocabulary, isOther: (word) => index.vocabulary.numberOf(word) !== undefined },
  ).facts
  // The number of a synthesis test proves its term, which its document need not state.
  const isTyped = trimester && trimester.part.from !== (number?.part ?? kind?.part)?.from
  const said: Readonly<Record<Filter, [string | number | undefined, Read<unknown> | undefined]>> = {
    niveauId: [school.classIds.get(classCode?.value ?? ''), classCode],
    matiereId: [school.subjectIds.get(subjectCode?.value ?? ''), subjectCode],
    paperKind: [kind?.value, kind],
    paperNumber: [number?.value, number],
    trimester: [isTyped ? `t${trimester?.value}` : undefined, trimester],
    schoolYear: [year?.value, year],
    withCorrection: [hasCorrection?.value ? 'true' : undefined, hasCorrection],
  }
  const facts = (Object.keys(said) as Filter[]).flatMap((filter) => {
    const [value, read] = said[filter]
    return value !== undefined && read && isKnown(index, filter, value)
      ? [{ filter, value, parts: partsOf(read) }]
      : []
  })
  const isOfPaper = facts.some(({ filter }) => PAPER_FACETS.some((name) => name === filter))
  // Both a class and a subject leave few documents.
  if (!isOfPaper && facts.length < 2) return null
  return {
    filters: Object.fromEntries(facts.map(({ filter, value }) => [filter, value])),
    // Two facts may be read from the same words.
    words: withoutParts(
      typed,
      facts.flatMap(({ parts }) => parts),
    ),
    understood: facts.map(({ filter, value, parts }) => ({
      filter,
      value: String(value),
      left: withoutParts(typed, parts),
    })),
  }
}

/** Whether some document has this value. */
function isKnown(index: CatalogueIndex, filter: Filter, value: string | number): boolean {
  const facet = PAPER_FACETS.find((name) => name === filter)
  return index.values[filter].find(facet ? filedAs(facet, value) : value) >= 0
}
