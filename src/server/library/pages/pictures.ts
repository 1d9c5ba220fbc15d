import { readFile } from 'node:fs/promises'
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
import type { CheckedPdf, PdfFault } from './check-pdf.ts'
import type { PageSize, PictureLook } from './draw-page.ts'
import { hasWords } from './page-text.ts'
import type { OutlineEntry, ReadPage } from './pdf-tasks.ts'

export interface Pdf {
  readonly storageKey: string
  readonly sha256: string
}

/** The texts of a document's first pages, and whether any page has one. */
export interface Beginning {
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
const READ = task('readPages')
const LIKENESSES = task('pageLikenesses')
const OUTLINE = task('outline')
const FIND = task('findInTexts')

/** The version of what is read and drawn; increase it to have it made again. */
const READING = 2

/** How many pages are read for their text in one job, and stored in one file. */
const TEXTS_AT_ONCE = 100

/** How many pages count as the beginning of a document. */
const BEGINNING = 10

type Parts = Pick<Deps, 'files' | 'workers'>

/** Made once and kept. Throws the errors of the workers. */
export function picturesFor({ files, workers }: Parts, customer: Customer) {
  const nameOf = ({ sha256 }: Pdf, name: string) => `previews/${sha256}/v${READING}-${name}`

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

  async function kept<T>(pdf: Pdf, name: string, make: () => Promise<T>): Promise<T> {
    const text = await files.made.kept(nameOf(pdf, name), async () =>
      Buffer.from(JSON.stringify(await make())),
    )
    return JSON.parse(String(text))
  }

  const sizes = (pdf: Pdf): Promise<PageSize[]> =>
    kept(pdf, 'sizes.json', () => work(SIZES, pdf, { most: FILE_MAX_PAGES }))

  async function textFiles(pdf: Pdf): Promise<string[]> {
    const count = Math.ceil((await sizes(pdf)).length / TEXTS_AT_ONCE)
    const paths = []
    for (let at = 0; at < count; at++) {
      await textFile(pdf, at)
      paths.push(files.made.pathOf(nameOf(pdf, `texts-${at}.json`)))
    }
    return paths
  }

  const textFile = (pdf: Pdf, at: number): Promise<Buffer | null> =>
    files.made.kept(nameOf(pdf, `texts-${at}.json`), async () => {
      const input = { from: at * TEXTS_AT_ONCE, most: TEXTS_AT_ONCE }
      return Buffer.from(await work(TEXTS, pdf, input, at))
    })

  return {
    sizes,
    textFiles,
    /** In a small file of its own: the texts of a thick book are megabytes. */
    beginning: (pdf: Pdf): Promise<Beginning> =>
      kept(pdf, 'beginning.json', async () => {
        const paths = await textFiles(pdf)
        let texts: readonly string[] = []
        for (const [at, path] of paths.entries()) {
          const all: string[] = JSON.parse(String(await readFile(path)))
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
    /** The text of a page, from 1; null if there is no such page. */
    async text(pdf: Pdf, page: number): Promise<string | null> {
      if (page < 1 || page > (await sizes(pdf)).length) return null
      const texts = await textFile(pdf, Math.floor((page - 1) / TEXTS_AT_ONCE))
      return JSON.parse(String(texts))[(page - 1) % TEXTS_AT_ONCE] ?? null
    },
    async find(pdf: Pdf, wanted: string) {
      const input = { paths: await textFiles(pdf), pagesPerFile: TEXTS_AT_ONCE, wanted }
      return workers.run(FIND, input, { ...customer, file: { sha256: pdf.sha256 } })
    },
    /** The picture of a page in another look; not stored. */
    async draw(pdf: Pdf, page: number, look: PictureLook): Promise<Buffer> {
      return Buffer.from(await work(PICTURE, pdf, { page, ...look }, page))
    },
    /** The sizes and texts of the existing pages among these, counted from 1; not stored. */
    read: (pdf: Pdf, pages: readonly number[]): Promise<ReadPage[]> => work(READ, pdf, { pages }),
    /** The likeness of so many pages, from 1; not stored. */
    likenesses: (pdf: Pdf, first: number, most: number): Promise<PageLikeness[]> =>
      work(LIKENESSES, pdf, { from: first - 1, most }, first),
    outline: (pdf: Pdf): Promise<OutlineEntry[]> =>
      kept(pdf, 'outline.json', () => work(OUTLINE, pdf, {})),
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
