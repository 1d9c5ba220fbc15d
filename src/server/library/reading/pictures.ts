import { SECOND_MS } from '../../../rules/durations.ts'
import type { PageLikeness } from '../../../rules/likeness.ts'
import { PAGE_WIDTH, type PageWidth } from '../../../rules/reading.ts'
import { FILE_MAX_PAGES } from '../../../rules/uploads.ts'
import type { Deps } from '../../deps.ts'
import {
  type Customer,
  ExhaustingFile,
  type Task,
  tasksOf,
  UnreadableFile,
} from '../../workers/workers.ts'
import type { CheckedPdf, PdfFault } from '../safety/check-pdf.ts'
import type { PageSize, PictureLook } from './draw-page.ts'
import { hasWords, type PageText } from './page-text.ts'
import type { OutlineEntry } from './pdf-tasks.ts'

export interface Pdf {
  readonly storageKey: string
  readonly sha256: string
}

/** A page by its number from 1: the size of its picture, and the text that it shows. */
interface ShownPage extends PageSize {
  readonly page: number
  readonly text: string
}

/** The texts of a document's first pages, and whether any page has one. */
interface Beginning {
  readonly texts: readonly string[]
  readonly hasText: boolean
}

export type Pictures = ReturnType<typeof picturesFor>

const task = tasksOf<typeof import('./pdf-tasks.ts')>(new URL('./pdf-tasks.ts', import.meta.url))
const CHECK = task('checkDocument', { processorMs: 12 * SECOND_MS })
const SIZES = task('pageSizes')
/** A page that takes longer is no page that a phone could show. */
const PICTURE = task('pagePicture', { processorMs: 8 * SECOND_MS })
const TEXTS = task('pageTexts')
const LIKENESSES = task('pageLikenesses')
const OUTLINE = task('outline')
const FIND = task('findInTexts')

/** The versions of what is drawn and of texts; increase one to have these made again. */
const DRAWING = 2
const READING = 3

/**
 * How many pages are read for their text in one job, and stored in one file: each is drawn, which
 * takes 30 ms, and some 400 ms if it is a scan.
 */
const TEXTS_AT_ONCE = 10

/** How many pages count as the beginning of a document. */
const BEGINNING = 10

type Parts = Pick<Deps, 'files' | 'workers'>

/** Made once and kept. Throws the errors of the workers. */
export function picturesFor({ files, workers }: Parts, customer: Customer) {
  const nameOf = ({ sha256 }: Pdf, name: string, version = DRAWING) =>
    `previews/${sha256}/v${version}-${name}`
  const nameOfTexts = (pdf: Pdf, at: number) => nameOf(pdf, `texts-${at}.json`, READING)

  async function work<Input, Output>(
    of: Task<Input & { path: string }, Output>,
    { storageKey, sha256 }: Pdf,
    input: Input,
    part?: number,
  ): Promise<Output> {
    const path = await files.localPath(storageKey)
    if (path === null) throw new UnreadableFile('the file is not there')
    const file = { sha256, ...(part !== undefined && { part }) }
    return workers.run(of, { ...input, path }, { ...customer, file })
  }

  async function kept<T>(name: string, make: () => Promise<T>): Promise<T> {
    const text = await files.made.kept(name, async () => Buffer.from(JSON.stringify(await make())))
    return JSON.parse(String(text))
  }

  const sizes = (pdf: Pdf): Promise<PageSize[]> =>
    kept(nameOf(pdf, 'sizes.json'), () => work(SIZES, pdf, { most: FILE_MAX_PAGES }))

  const countTextFiles = async (pdf: Pdf) => Math.ceil((await sizes(pdf)).length / TEXTS_AT_ONCE)

  async function textFiles(pdf: Pdf): Promise<string[]> {
    const count = await countTextFiles(pdf)
    const paths = []
    for (let at = 0; at < count; at++) {
      await textFile(pdf, at)
      paths.push(files.made.pathOf(nameOfTexts(pdf, at)))
    }
    return paths
  }

  const textFile = (pdf: Pdf, at: number): Promise<Buffer | null> =>
    files.made.kept(nameOfTexts(pdf, at), async () => {
      const input = { from: at * TEXTS_AT_ONCE, most: TEXTS_AT_ONCE }
      try {
        return Buffer.from(await work(TEXTS, pdf, input, at))
      } catch (error) {
        if (!(error instanceof ExhaustingFile)) throw error
        // Pages that nobody can draw show nothing; the others of the file are still read.
        const none: PageText = { shown: '', found: '' }
        return Buffer.from(JSON.stringify(Array(TEXTS_AT_ONCE).fill(none)))
      }
    })

  /** The text of a page, from 1, that exists. */
  async function pageTextOf(pdf: Pdf, page: number): Promise<PageText> {
    const texts = await textFile(pdf, Math.floor((page - 1) / TEXTS_AT_ONCE))
    return JSON.parse(String(texts))[(page - 1) % TEXTS_AT_ONCE]
  }

  return {
    sizes,
    textFiles,
    /** In a small file of its own: the texts of a thick book are megabytes. */
    beginning: (pdf: Pdf): Promise<Beginning> =>
      kept(nameOf(pdf, 'beginning.json', READING), async () => {
        const count = await countTextFiles(pdf)
        let texts: readonly string[] = []
        for (let at = 0; at < count; at++) {
          const read: PageText[] = JSON.parse(String(await textFile(pdf, at)))
          const all = read.map(({ found }) => found)
          if (at === 0) texts = all.slice(0, BEGINNING)
          if (all.some(hasWords)) return { texts, hasText: true }
        }
        return { texts, hasText: false }
      }),
    /** The picture of a page, from 1; null if there is no such page. */
    async page(pdf: Pdf, page: number, width: PageWidth = PAGE_WIDTH): Promise<Buffer | null> {
      if (page < 1 || page > (await sizes(pdf)).length) return null
      return files.made.kept(nameOf(pdf, `${page}-${width}.webp`), async () =>
        Buffer.from(await work(PICTURE, pdf, { page, width, format: 'webp' as const }, page)),
      )
    },
    /** What may be found on a page, from 1; null if there is no such page. */
    async text(pdf: Pdf, page: number): Promise<string | null> {
      if (page < 1 || page > (await sizes(pdf)).length) return null
      return (await pageTextOf(pdf, page)).found
    },
    async find(pdf: Pdf, wanted: string) {
      const input = { paths: await textFiles(pdf), pagesPerFile: TEXTS_AT_ONCE, wanted }
      return workers.run(FIND, input, { ...customer, file: { sha256: pdf.sha256 } })
    },
    /** The picture of a page in another look; not stored. */
    async draw(pdf: Pdf, page: number, look: PictureLook): Promise<Buffer> {
      return Buffer.from(await work(PICTURE, pdf, { page, ...look }, page))
    },
    /** The sizes and the shown texts of the existing pages among these, counted from 1. */
    async shown(pdf: Pdf, pages: readonly number[]): Promise<ShownPage[]> {
      const all = await sizes(pdf)
      const shown: ShownPage[] = []
      for (const page of pages) {
        const size = all[page - 1]
        if (size) shown.push({ page, ...size, text: (await pageTextOf(pdf, page)).shown })
      }
      return shown
    },
    /** The likeness of so many pages, from 1; not stored. */
    likenesses: (pdf: Pdf, first: number, most: number): Promise<PageLikeness[]> =>
      work(LIKENESSES, pdf, { from: first - 1, most }, first),
    outline: (pdf: Pdf): Promise<OutlineEntry[]> =>
      kept(nameOf(pdf, 'outline.json'), () => work(OUTLINE, pdf, {})),
  }
}

/** What the shop finds in a PDF (absolute path): its number of pages, or why it is refused. */
export async function checkedPdf(
  { workers }: Pick<Deps, 'workers'>,
  { path, sha256 }: { path: string; sha256: string },
  customer: Customer,
): Promise<CheckedPdf | PdfFault> {
  try {
    return await workers.run(CHECK, { path }, { ...customer, file: { sha256 } })
  } catch (error) {
    if (error instanceof ExhaustingFile) return 'pdf_too_complex'
    if (error instanceof UnreadableFile) return 'pdf_damaged'
    throw error
  }
}
