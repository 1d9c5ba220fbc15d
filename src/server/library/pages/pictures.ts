import { join } from 'node:path'
import { PAGE_WIDTH, type PageWidth } from '../../../rules/reading.ts'
import { FILE_MAX_PAGES } from '../../../rules/uploads.ts'
import type { Storage } from '../../files/files.ts'
import { keptFile } from './kept-files.ts'
import type { OutlineEntry } from './outline.ts'
import {
  type PageSize,
  type PictureLook,
  type ReadPage,
  type Renderer,
  UnreadablePdf,
} from './renderer.ts'

/** A stored PDF, identified by its content. */
export interface Pdf {
  readonly storageKey: string
  readonly sha256: string
}

/** The texts of a document's first pages, and whether any page has one. */
export interface Beginning {
  readonly texts: readonly string[]
  readonly hasText: boolean
}

export type Pictures = ReturnType<typeof picturesIn>

/**
 * How many pages are read for their text at a time, so that no other job waits long for the thread.
 */
const TEXTS_AT_ONCE = 100

/** How many pages count as the beginning of a document. */
const BEGINNING = 10

/**
 * Once this many characters are read, the other pages of a document are skipped: a thick book has
 * half as many.
 */
const TEXT_MAX_LENGTH = 6_000_000

/**
 * The pages of PDFs as pictures, drawn once and stored in `DATA_DIR/previews/<sha256>`. Throws the
 * errors of the renderer: `UnreadablePdf`, `RendererBusy`.
 */
export function picturesIn(dataDir: string, storage: Storage, renderer: Renderer) {
  const fileOf = ({ sha256 }: Pdf, name: string) => join(dataDir, 'previews', sha256, name)

  async function pathOf({ storageKey }: Pdf): Promise<string> {
    const path = await storage.localPath(storageKey)
    if (path === null) throw new UnreadablePdf('the file is not there')
    return path
  }

  /** The result of `read` for a PDF, stored as JSON under this name. */
  async function kept<T>(pdf: Pdf, name: string, read: (path: string) => Promise<T>): Promise<T> {
    const text = await keptFile(fileOf(pdf, name), async () =>
      Buffer.from(JSON.stringify(await read(await pathOf(pdf)))),
    )
    return JSON.parse(String(text))
  }

  /** The sizes of the pages' pictures, in order. */
  const sizes = (pdf: Pdf): Promise<PageSize[]> =>
    kept(pdf, 'sizes.json', async (path) => {
      const job = { kind: 'sizes', path, most: FILE_MAX_PAGES } as const
      return (await renderer.run<'sizes'>(job)).sizes
    })

  async function readTexts(path: string): Promise<string[]> {
    const texts: string[] = []
    for (let length = 0; ; ) {
      const job = { kind: 'texts', path, from: texts.length, most: TEXTS_AT_ONCE } as const
      const answer = await renderer.run<'texts'>(job)
      texts.push(...answer.texts)
      length += answer.texts.reduce((sum, text) => sum + text.length, 0)
      const isRead = answer.texts.length < TEXTS_AT_ONCE || texts.length >= FILE_MAX_PAGES
      if (isRead || length > TEXT_MAX_LENGTH) return texts
    }
  }

  /** The text of each page in reading order; '' for a page without text. */
  const texts = (pdf: Pdf): Promise<string[]> => kept(pdf, 'text.json', readTexts)

  /**
   * The beginning of the texts, stored in a separate small file: the texts of a thick book are
   * megabytes.
   */
  const beginning = (pdf: Pdf): Promise<Beginning> =>
    kept(pdf, 'beginning.json', async () => {
      const all = await texts(pdf)
      return { texts: all.slice(0, BEGINNING), hasText: all.some(hasWords) }
    })

  return {
    sizes,
    beginning,
    /** The picture of a page, from 1, drawn for this account; null if there is no such page. */
    async page(
      pdf: Pdf,
      page: number,
      { width = PAGE_WIDTH, account }: { width?: PageWidth; account: number },
    ): Promise<Buffer | null> {
      if (page < 1 || page > (await sizes(pdf)).length) return null
      return keptFile(fileOf(pdf, `${page}-${width}.webp`), async () => {
        const job = {
          kind: 'picture',
          path: await pathOf(pdf),
          page,
          width,
          format: 'webp',
        } as const
        return Buffer.from((await renderer.run<'picture'>(job, account)).bytes)
      })
    },
    /**
     * The text of a page, from 1; null if there is no such page. Stored in a separate file, so that
     * reading one page does not require reading all.
     */
    async text(pdf: Pdf, page: number): Promise<string | null> {
      const bytes = await keptFile(fileOf(pdf, `${page}.txt`), async () => {
        const text = (await texts(pdf))[page - 1]
        return text === undefined ? null : Buffer.from(text)
      })
      return bytes && String(bytes)
    },
    /** The picture of a page in another look; not stored. */
    async draw(pdf: Pdf, page: number, look: PictureLook): Promise<Buffer> {
      const job = { kind: 'picture', path: await pathOf(pdf), page, ...look } as const
      return Buffer.from((await renderer.run<'picture'>(job)).bytes)
    },
    /** The sizes and texts of the existing pages among these, counted from 1; not stored. */
    async read(pdf: Pdf, pages: readonly number[]): Promise<ReadPage[]> {
      const path = await pathOf(pdf)
      return (await renderer.run<'read'>({ kind: 'read', path, pages })).pages
    },
    texts,
    /** The PDF's own table of contents; empty if it has none. */
    outline: (pdf: Pdf): Promise<OutlineEntry[]> =>
      kept(pdf, 'outline.json', async (path) => {
        return (await renderer.run<'outline'>({ kind: 'outline', path })).entries
      }),
  }
}

/** Whether a text contains anything that a search could find. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** The number of pages of a PDF on disk. Throws `UnreadablePdf`. */
export async function pageCount(renderer: Renderer, path: string): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER
  return (await renderer.run<'sizes'>({ kind: 'sizes', path, most })).sizes.length
}
