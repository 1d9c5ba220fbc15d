import { plainSigns } from './pasted-text.ts'

/** The widths, in pixels, in which the pages of documents are drawn. */
export const PAGE_WIDTHS = [480, 900, 1400] as const
export type PageWidth = (typeof PAGE_WIDTHS)[number]

/** The width of a page if none is requested; the sizes of pages refer to it. */
export const PAGE_WIDTH = 900 satisfies PageWidth

/** The width of the small pictures by which a document's page shows its sample, in pixels. */
export const STRIP_WIDTH = 240

/** How many of a sample's pages a document's page shows small. */
export const STRIP_PAGES = 4

/** The widths in which the pages of samples are read: on phones, and on larger screens. */
export const LOOK_WIDTHS = [480, 900] as const satisfies readonly PageWidth[]

/** The widths in which the pages of samples are drawn. */
export const SAMPLE_WIDTHS = [STRIP_WIDTH, ...LOOK_WIDTHS] as const
export type SampleWidth = (typeof SAMPLE_WIDTHS)[number]

/** The maximum size of a sample's picture, in bytes. */
export const SAMPLE_PICTURE_MAX_BYTES: Readonly<Record<SampleWidth, number>> = {
  240: 6 * 1024,
  480: 60 * 1024,
  900: 60 * 1024,
}

/** How many pages a sample has if its teacher has chosen none. */
const SAMPLE_PAGES = 2

/** The maximum number of a sample's pages, however long its document is. */
export const SAMPLE_PAGES_MAX = 20

/** How many pages a document has before its correction. */
export const pagesOfPaper = (
  pageCount: number,
  correctionPage: number | null | undefined,
): number => (correctionPage ? Math.min(pageCount, correctionPage - 1) : pageCount)

/** Whether a correction would begin behind the last page of a file. */
export const isBehindFile = (
  correctionPage: number | null | undefined,
  pageCount: number | null | undefined,
): boolean => Boolean(correctionPage && pageCount && correctionPage > pageCount)

/** How many of a document's pages a sample may have: a third, but at least one. */
export function samplePagesMax(pageCount: number): number {
  if (pageCount < 1) return 0
  return Math.min(SAMPLE_PAGES_MAX, Math.max(1, Math.floor(pageCount / 3)))
}

/**
 * The rule that a choice of pages (from 1) breaks: the pages exist, each occurs once, and they are
 * few enough.
 */
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
 * The pages of a sample (from 1), in order: as many of the chosen ones as are allowed, which may
 * have been chosen for another file; if none are chosen, the first ones.
 */
export function samplePagesOf(chosen: readonly number[] | null, pageCount: number): number[] {
  const most = samplePagesMax(pageCount)
  const pages = [...new Set(chosen)].filter((page) => page >= 1 && page <= pageCount)
  if (pages.length > 0) return pages.toSorted((a, b) => a - b).slice(0, most)
  return Array.from({ length: Math.min(SAMPLE_PAGES, most) }, (_, at) => at + 1)
}

/** The beginning of the paths of a sample's pictures. */
export const samplePictures = ({ documentId, key }: { documentId: number; key: string }): string =>
  `/media/samples/${documentId}-${key}/`

/** The path of the picture of a sample's page; its content never changes. */
export const samplePicture = (
  of: { documentId: number; key: string },
  page: number,
  width: SampleWidth,
): string => `${samplePictures(of)}${page}-${width}.webp`

export const TYPED_PAGES = '1, 2, 5-7'

/** The maximum number of typed pages; no document has so many. */
const TYPED_PAGES_MAX = 10_000

/** Reads pages as people write them, such as `1, 2, 5-7`; null for anything else. */
export function readPages(typed: string): number[] | null {
  const parts = plainSigns(typed)
    .split(/[,،;؛\s]+/)
    .filter((part) => part !== '')
  const pages: number[] = []
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? []
    if (!first || Number(last) < Number(first) || pages.length > TYPED_PAGES_MAX) return null
    for (let page = Number(first); page <= Number(last); page++) pages.push(page)
  }
  return pages.length > 0 ? pages : null
}
