import { plainSigns } from './pasted-text.ts'

/** The kinds of papers, each of a category (by its code). */
export const KINDS_OF_CATEGORIES = {
  exams: [
    'control',
    'ordinary',
    'synthesis',
    'mock',
    'concours6',
    'concours9',
    'bac_main',
    'bac_control',
  ],
  exercises: ['series', 'homework'],
} as const

type KindsOf = typeof KINDS_OF_CATEGORIES
export type PaperKind = KindsOf[keyof KindsOf][number]
export const PAPER_KINDS: readonly PaperKind[] = Object.values(KINDS_OF_CATEGORIES).flat()

/** The code of a kind: one of these, or one that administrators have added to the shop's list. */
export const KIND_CODE = /^[a-z\d][a-z\d_-]{0,99}$/

export const isOwnKind = (code: string): boolean => !PAPER_KINDS.some((kind) => kind === code)

/** The facts of papers by which the shop filters and counts. */
export const PAPER_FACETS = [
  'paperKind',
  'paperNumber',
  'trimester',
  'schoolYear',
  'withCorrection',
] as const
export type PaperFacet = (typeof PAPER_FACETS)[number]

/** The highest number of a paper that is filtered by. */
export const PAPER_NUMBER_MAX = 99

/** The kinds that a filter offers: an ordinary test is found as a control test. */
export const FILED_KINDS: readonly PaperKind[] = PAPER_KINDS.filter((kind) => kind !== 'ordinary')

/** The value of a paper's fact by which a filter finds it; '' for none. */
export function filedAs(facet: PaperFacet, value: string | number | null): string | number {
  if (facet === 'paperKind' && value === 'ordinary') return 'control'
  if (facet !== 'paperNumber' || value === null) return value ?? ''
  const number = Number(/\d+/.exec(plainSigns(String(value)))?.[0])
  return number > 0 && number <= PAPER_NUMBER_MAX ? number : ''
}

export const TRIMESTERS = ['t1', 't2', 't3'] as const
export type Trimester = (typeof TRIMESTERS)[number]

/** The facts of a paper with those that they prove: each trimester has one synthesis test, of its number. */
export function withProvenFacts<
  Facts extends {
    readonly paperKind: string | null
    readonly paperNumber: string | null
    readonly trimester: string | null
  },
>(facts: Facts): Facts {
  if (facts.paperKind !== 'synthesis') return facts
  const { paperNumber, trimester } = facts
  const number = Number(filedAs('paperNumber', paperNumber))
  const place = TRIMESTERS.indexOf(trimester as Trimester) + 1
  return {
    ...facts,
    paperNumber: number > 0 || place === 0 ? paperNumber : String(place),
    trimester: trimester ?? TRIMESTERS[number - 1] ?? null,
  }
}

/** Whether artificial intelligence helped with a document, or made it. */
export const AI_USES = ['none', 'helped', 'made'] as const

/** Kinds of papers that are set once a year for everybody: their year is a session's. */
const NATIONAL: ReadonlySet<string> = new Set<PaperKind>([
  'concours6',
  'concours9',
  'bac_main',
  'bac_control',
])
export const isNational = (kind: string | null | undefined): boolean => NATIONAL.has(kind ?? '')

/** The school year that begins in `year`, such as `2024/25`; of a national paper, the session's year. */
export function yearText(year: number, kind: string | null | undefined): string {
  if (isNational(kind)) return String(year)
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`
}

/** The first year in `2024`, `2024/25`, `24-25` or `2024-2025`; NaN for anything else. */
export function firstYear(plain: string): number {
  const written = plain.replace(/^(?=\d\d[/-]\d\d$)/, '20')
  const [, first, second] = /^(\d{4})(?:[/-](?:\d\d)?(\d\d))?$/.exec(written) ?? []
  const follows = second === undefined || (Number(first) + 1) % 100 === Number(second)
  return follows ? Number(first) : Number.NaN
}
