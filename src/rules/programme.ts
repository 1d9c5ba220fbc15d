import type { Details } from './document-fields.ts'
import {
  FILED_KINDS,
  filedAs,
  isOwnKind,
  KINDS_OF_CATEGORIES,
  TRIMESTERS,
  type Trimester,
  withProvenFacts,
} from './papers.ts'

/** How many documents have the same facts of a paper, as filters find them. */
export interface FiledPapers {
  readonly categoryId: number
  readonly paperKind: string | null
  readonly paperNumber: number | null
  readonly trimester: Trimester | null
  readonly isCorrected: boolean
  readonly documents: number
}

/** A paper of a class and subject. */
export interface ProgrammePaper {
  readonly paperKind: string
  /** Set for kinds that administrators have added, which exams and exercises have alike; otherwise null. */
  readonly categoryId: number | null
  /** null stands for all papers of this kind, of the trimester if it has one. */
  readonly paperNumber: number | null
  /** The trimester under which it is listed. */
  readonly trimester: Trimester | null
  /** Whether other trimesters have a paper of this kind and number, so that the trimester tells them apart. */
  readonly isOfTrimester: boolean
  readonly documents: number
  readonly corrected: number
}

const TESTS: readonly string[] = KINDS_OF_CATEGORIES.exams
/** Whether a paper is listed with the tests: of a kind that administrators have added, unless it is exercises. */
export function isTest(
  { paperKind, categoryId }: Pick<ProgrammePaper, 'paperKind' | 'categoryId'>,
  categories: readonly { readonly id: number; readonly code?: string | null | undefined }[],
): boolean {
  if (!isOwnKind(paperKind)) return TESTS.includes(paperKind)
  return categories.find(({ id }) => id === categoryId)?.code !== 'exercises'
}

/**
 * The papers among these documents, by trimester, kind and number. Each counts what the filters of its
 * kind, its category if it has one, its number and, where it tells papers apart, its trimester find: a
 * paper of which some documents lack the number or the trimester has a line more, which counts them all.
 */
export function papersInOrder(documents: readonly FiledPapers[]): ProgrammePaper[] {
  const papers = documents.flatMap(({ paperKind, ...paper }) =>
    paperKind === null
      ? []
      : [{ ...paper, paperKind, categoryId: isOwnKind(paperKind) ? paper.categoryId : null }],
  )
  const found = Map.groupBy(papers, ({ paperKind, categoryId, paperNumber }) =>
    [paperKind, categoryId, paperNumber].join(' '),
  )
  return [...found.values()].flatMap(linesOf).sort(inOrder)

  function linesOf(same: typeof papers): ProgrammePaper[] {
    const { paperKind, categoryId, paperNumber } = same[0] as (typeof papers)[number]
    const trimesters = [...new Set(same.map(({ trimester }) => trimester))]
    const known = trimesters.filter((trimester) => trimester !== null)
    const isSplit = paperNumber === null || known.length > 1
    const places = isSplit ? trimesters : [known[0] ?? null]
    return places.map((trimester) => {
      const isOfTrimester = isSplit && trimester !== null
      const counted = papers.filter(
        (paper) =>
          paper.paperKind === paperKind &&
          paper.categoryId === categoryId &&
          (paperNumber === null || paper.paperNumber === paperNumber) &&
          (!isOfTrimester || paper.trimester === trimester),
      )
      const corrected = counted.filter(({ isCorrected }) => isCorrected)
      const facts = { paperKind, categoryId, paperNumber, trimester, isOfTrimester }
      return { ...facts, documents: sumOf(counted), corrected: sumOf(corrected) }
    })
  }
}

export const sumOf = (papers: readonly Pick<FiledPapers, 'documents'>[]): number =>
  papers.reduce((sum, { documents }) => sum + documents, 0)

/** Those that administrators have added come last. */
function placeOf(kind: string): number {
  const place = (FILED_KINDS as readonly string[]).indexOf(kind)
  return place < 0 ? FILED_KINDS.length : place
}

function inOrder(one: ProgrammePaper, other: ProgrammePaper): number {
  const places = [one, other].map(({ trimester, paperKind, paperNumber }) => [
    trimester === null ? TRIMESTERS.length : TRIMESTERS.indexOf(trimester),
    placeOf(paperKind),
    paperNumber ?? Number.POSITIVE_INFINITY,
  ]) as [number[], number[]]
  const at = places[0].findIndex((place, index) => place !== places[1][index])
  if (at < 0) return one.paperKind < other.paperKind ? -1 : Number(one.paperKind > other.paperKind)
  return (places[0][at] as number) - (places[1][at] as number)
}

/** What comes after a paper: the next number of its kind, in each trimester that has one. */
export function nextOf<Paper extends ProgrammePaper>(
  paper: Pick<Details, 'paperKind' | 'paperNumber' | 'trimester'> & { categoryId: number },
  papers: readonly Paper[],
): Paper[] {
  const { paperKind, paperNumber } = withProvenFacts(paper)
  const [kind, number] = [filedAs('paperKind', paperKind), filedAs('paperNumber', paperNumber)]
  const next = papers.filter(
    (each) =>
      each.paperKind === kind &&
      (each.categoryId ?? paper.categoryId) === paper.categoryId &&
      each.paperNumber === Number(number || Number.NaN) + 1,
  )
  const known = next.filter(({ isOfTrimester }) => isOfTrimester)
  return known.length > 0 ? known : next
}
