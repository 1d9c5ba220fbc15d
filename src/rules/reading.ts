import { latinDigits } from './digits.ts'

/** The widths, in pixels, in which the pages of documents are drawn. */
export const PAGE_WIDTHS = [480, 900, 1400] as const
export type PageWidth = (typeof PAGE_WIDTHS)[number]

/** The width of a page where none is requested; pages' sizes are said for it. */
export const PAGE_WIDTH = 900 satisfies PageWidth

/** The widths in which the pages of samples are drawn: for phones, and for larger screens. */
export const SAMPLE_WIDTHS = [480, 900] as const satisfies readonly PageWidth[]
export type SampleWidth = (typeof SAMPLE_WIDTHS)[number]

/** The most bytes that a picture of a sample has. */
export const SAMPLE_PICTURE_MAX_BYTES = 60 * 1024

/** How many pages a sample has where its teacher chose none. */
const SAMPLE_PAGES = 2

/** How many pages a sample has at most, however long its document is. */
export const SAMPLE_PAGES_MAX = 20

/** How many of a document's pages a sample may have: a third, but one at least. */
export function samplePagesMax(pageCount: number): number {
  if (pageCount < 1) return 0
  return Math.min(SAMPLE_PAGES_MAX, Math.max(1, Math.floor(pageCount / 3)))
}

/** The rule that a choice of pages, counted from 1, breaks: there are that many, each once, and few enough. */
export function sampleProblem(
  pages: readonly number[],
  pageCount: number,
): 'unknown' | 'repeated' | 'too many' | null {
  if (pages.some((page) => !Number.isInteger(page) || page < 1 || page > pageCount)) {
    return 'unknown'
  }
  if (new Set(pages).size < pages.length) return 'repeated'
  return pages.length > samplePagesMax(pageCount) ? 'too many' : null
}

/**
 * The pages of a sample, from 1, in their order: of those that were chosen, which may have been for
 * another file, as many as there may be; else the first ones.
 */
export function samplePagesOf(chosen: readonly number[] | null, pageCount: number): number[] {
  const most = samplePagesMax(pageCount)
  const pages = [...new Set(chosen)].filter((page) => page >= 1 && page <= pageCount)
  if (pages.length > 0) return pages.toSorted((a, b) => a - b).slice(0, most)
  return Array.from({ length: Math.min(SAMPLE_PAGES, most) }, (_, at) => at + 1)
}

/** The address of the picture of a sample's page; its content never changes. */
export function samplePicture(
  { documentId, key }: { documentId: number; key: string },
  page: number,
  width: SampleWidth,
): string {
  return `/media/samples/${documentId}-${key}/${page}-${width}.webp`
}

/** How pages are typed, for sentences. */
export const TYPED_PAGES = '1, 2, 5-7'

/** More typed pages than any document has are not read. */
const TYPED_PAGES_MAX = 10_000

/** Reads pages as people write them, such as `1, 2, 5-7`; null where it is anything else. */
export function readPages(typed: string): number[] | null {
  const parts = latinDigits(typed)
    .split(/[,،;؛\s]+/)
    .filter((part) => part !== '')
  const pages: number[] = []
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,4})(?:[-–](\d{1,4}))?$/.exec(part) ?? []
    if (!first || Number(last) < Number(first) || pages.length > TYPED_PAGES_MAX) return null
    for (let page = Number(first); page <= Number(last); page++) pages.push(page)
  }
  return pages.length > 0 ? pages : null
}
