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

export const TRIMESTERS = ['t1', 't2', 't3'] as const
export type Trimester = (typeof TRIMESTERS)[number]

/** Whether artificial intelligence helped with a document, or made it. */
export const AI_USES = ['none', 'helped', 'made'] as const

/** Kinds of papers that are set once a year for everybody: their year is a session's. */
const NATIONAL: ReadonlySet<string> = new Set<PaperKind>([
  'concours6',
  'concours9',
  'bac_main',
  'bac_control',
])

/** The school year that begins in `year`, such as `2024/25`; of a national paper, the session's year. */
export function yearText(year: number, kind: string | null | undefined): string {
  if (NATIONAL.has(kind ?? '')) return String(year)
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`
}

/** The first year in `2024`, `2024/25` or `2024-2025`; NaN for anything else. */
export function firstYear(plain: string): number {
  const [, first, second] = /^(\d{4})(?:[/-](?:\d\d)?(\d\d))?$/.exec(plain) ?? []
  const follows = second === undefined || (Number(first) + 1) % 100 === Number(second)
  return follows ? Number(first) : Number.NaN
}
