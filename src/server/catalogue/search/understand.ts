import type { DocumentFilters, DocumentPage, UNDERSTOOD } from '../../../contract/catalogue.ts'
import { filedAs, PAPER_FACETS } from '../../../rules/papers.ts'
import { searchedPart } from '../../../rules/pasted-text.ts'
import { type Part, readSearch, withoutPart } from '../../../rules/read-facts.ts'
import type { CatalogueIndex } from './catalogue-index.ts'

type Filter = (typeof UNDERSTOOD)[number]

/** A fact that the words of a search say. */
export type Understood = NonNullable<DocumentPage['understood']>[number]

/**
 * What the words of a search say that some document has, as filters, and the words that are left.
 * Null where they say nothing of a paper: classes and subjects alone are found by their names.
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
  const said: Readonly<Record<Filter, [string | number | undefined, Part | undefined]>> = {
    niveauId: [school.classIds.get(classCode?.value ?? ''), classCode?.part],
    matiereId: [school.subjectIds.get(subjectCode?.value ?? ''), subjectCode?.part],
    paperKind: [kind?.value, kind?.part],
    paperNumber: [number?.value, number?.part],
    trimester: [isTyped ? `t${trimester?.value}` : undefined, trimester?.part],
    schoolYear: [year?.value, year?.part],
    withCorrection: [hasCorrection?.value ? 'true' : undefined, hasCorrection?.part],
  }
  const facts = (Object.keys(said) as Filter[]).flatMap((filter) => {
    const [value, part] = said[filter]
    return value !== undefined && part && isKnown(index, filter, value)
      ? [{ filter, value, part }]
      : []
  })
  // Two facts may be read from the same words.
  const isOfFact = (at: number) => facts.some(({ part: { from, to } }) => from <= at && at < to)
  const words = searchedPart(typed)
    .split('')
    .map((unit, at) => (isOfFact(at) ? ' ' : unit))
    .join('')
    .trim()
  if (!facts.some(({ filter }) => PAPER_FACETS.some((name) => name === filter))) return null
  return {
    filters: Object.fromEntries(facts.map(({ filter, value }) => [filter, value])),
    words,
    understood: facts.map(({ filter, value, part }) => ({
      filter,
      value: String(value),
      left: withoutPart(typed, part),
    })),
  }
}

/** Whether some document has this value. */
function isKnown(index: CatalogueIndex, filter: Filter, value: string | number): boolean {
  const facet = PAPER_FACETS.find((name) => name === filter)
  return index.values[filter].find(facet ? filedAs(facet, value) : value) >= 0
}
