import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeWhole } from '../../files/write-whole.ts'
import { compressBrotli, compressGzip, decompressBrotli } from '../serving/compression.ts'
import { Representation } from '../serving/representation.ts'
import { HotPages } from './hot-pages.ts'
import { Invalidations } from './invalidations.ts'
import {
  contentHash,
  decodeMeta,
  decodePage,
  encodePage,
  type PageMeta,
  type StoredPage,
} from './page-file.ts'
import { removeDirectoriesBut } from './remove-directories.ts'
import { TagLists } from './tag-lists.ts'

export interface PageStoreOptions {
  /** `<DATA_DIR>/pages`: one directory a build lies in it, those of other builds are removed. */
  directory: string
  /** Names what the pages were made by: pages of another build are not read. */
  buildId: string
  /** Bound of the pages in memory; 64 MB. */
  memoryBytes?: number
  /** Bounds of the pages with a query, which are kept in memory only; 1000, 32 MB. */
  queries?: { pages: number; bytes: number }
  /** Brotli's, 0–11; 8, since 9 takes nine times as long as 8 for half a percent. */
  quality?: number
  /** Told of pages that could not be written (a full disk); they are served all the same. */
  report?: (message: string, error: unknown) => void
}

/** Brotli's for a page with a query, which is asked for less often: a third of the time. */
const QUERY_QUALITY = 5

/** Enough of a page's file to know its tags and its time. */
const META_BYTES = 4096

/** A page fresh from rendering. */
export interface RenderedPage {
  /** With its query, in its one spelling, where it has one. */
  path: string
  status: number
  body: Buffer
  tags: readonly string[]
  headers: Readonly<Record<string, string>>
  /** `store.clock` when its rendering began. */
  clock: number
}

/**
 * Pages on disk and, the ones asked for, in memory. A page is whole and of its time, or it is not
 * there: half-written, damaged and stale ones are not returned. Deleting it all only costs time.
 */
export class PageStore {
  readonly #directory: string
  readonly #unfinished: string
  readonly #quality: number
  readonly #report: (message: string, error: unknown) => void
  readonly #hot: HotPages
  readonly #queries: HotPages
  readonly #tagLists: TagLists
  readonly #invalidations: Invalidations

  constructor(options: PageStoreOptions) {
    const { directory, buildId, memoryBytes = 64 << 20, quality = 8 } = options
    const { queries = { pages: 1000, bytes: 32 << 20 } } = options
    this.#directory = join(directory, buildId)
    this.#unfinished = join(this.#directory, 'unfinished')
    this.#quality = quality
    this.#report = options.report ?? console.error
    this.#hot = new HotPages(memoryBytes)
    this.#queries = new HotPages(queries.bytes, queries.pages)
    this.#tagLists = new TagLists(join(this.#directory, 'tags'))
    // What a crash left there is nobody's.
    rmSync(this.#unfinished, { recursive: true, force: true })
    mkdirSync(this.#unfinished, { recursive: true })
    this.#invalidations = new Invalidations(join(this.#directory, 'invalidations.log'))
    this.#removeOthers()
  }

  /** Rises with every invalidation. */
  get clock(): number {
    return this.#invalidations.clock
  }

  /** A page in memory; no promise, so that the request is answered at once. */
  hot(path: string): Representation | undefined {
    return this.#hot.get(path) ?? this.#queries.get(path)
  }

  /** Whether something made at `clock` of what these tags stand for is out of date. */
  isStale(made: { tags: readonly string[]; clock: number }): boolean {
    return this.#invalidations.isStale(made)
  }

  /** How much the pages with a query take. */
  get queries(): { pages: number; bytes: number } {
    return this.#queries.size
  }

  /** A page from memory or disk, or undefined where it has to be rendered. */
  async get(path: string): Promise<Representation | undefined> {
    const hot = this.hot(path)
    if (hot || path.includes('?')) return hot
    const page = await this.#read(path)
    return this.#isFresh(page) ? this.#keep(page) : undefined
  }

  /** Whether a page is there and fresh, by the first bytes of its file. */
  async has(path: string): Promise<boolean> {
    const meta = await this.#readMeta(path)
    return meta?.path === path && !this.isStale(meta)
  }

  /**
   * Compresses a page, writes it and returns it ready to be sent; one with a query stays in memory.
   * Where one of its tags changed since its rendering began it is not kept, and `isStale` says so.
   */
  async put(rendered: RenderedPage): Promise<{ page: Representation; isStale: boolean }> {
    const { body, ...meta } = rendered
    const isKept = !rendered.path.includes('?')
    const quality = isKept ? this.#quality : Math.min(this.#quality, QUERY_QUALITY)
    const brotli = await compressBrotli(body, quality)
    const hash = contentHash(body)
    const page: StoredPage = { ...meta, hash, length: body.length, brotli }
    if (this.#isFresh(page) && isKept) await this.#write(page)
    // A tag may have changed while the file was written.
    const isStale = !this.#isFresh(page)
    return { page: isStale ? represent(page) : this.#keep(page), isStale }
  }

  /** From now on no page with one of these tags is returned until it is put again. */
  invalidate(tags: readonly string[]): void {
    const dropped = new Set(tags)
    this.#hot.drop(dropped)
    this.#queries.drop(dropped)
    this.#invalidations.add(tags)
  }

  /** Notes tags that will be invalidated within a minute; a restart in between does it. */
  announce(tags: readonly string[]): void {
    this.#invalidations.announce(tags)
  }

  /** Paths of the pages that carry one of the tags; some may carry it no longer. */
  pagesWith(tags: readonly string[]): Promise<string[]> {
    return this.#tagLists.pagesWith(tags)
  }

  async remove(path: string): Promise<void> {
    this.#hot.delete(path)
    this.#queries.delete(path)
    if (path.includes('?')) return
    await rm(this.#fileOf(path), { force: true })
  }

  /** Forgets every page at once; the files are put aside and removed behind. */
  clear(): void {
    this.#hot.clear()
    this.#queries.clear()
    this.#invalidations.addAll()
    const aside = join(dirname(this.#directory), `old-${randomUUID()}`)
    for (const name of ['tags', 'html']) {
      if (!existsSync(join(this.#directory, name))) continue
      mkdirSync(aside, { recursive: true })
      renameSync(join(this.#directory, name), join(aside, name))
    }
    this.#removeOthers()
  }

  #removeOthers() {
    removeDirectoriesBut(this.#directory).catch((error) => {
      this.#report('Pages of older builds cannot be removed.', error)
    })
  }

  /** To be asked right before a page is used: no await may come between. */
  #isFresh(page: StoredPage | undefined): page is StoredPage {
    return page !== undefined && !this.#invalidations.isStale(page)
  }

  async #read(path: string): Promise<StoredPage | undefined> {
    try {
      return decodePage(await readFile(this.#fileOf(path)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#report(`The stored page ${path} cannot be read.`, error)
      }
      return undefined
    }
  }

  async #readMeta(path: string): Promise<PageMeta | undefined> {
    const file = await open(this.#fileOf(path)).catch(() => undefined)
    if (!file) return
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(META_BYTES),
        0,
        META_BYTES,
        0,
      )
      const meta = decodeMeta(buffer.subarray(0, bytesRead))
      return meta ?? (bytesRead < META_BYTES ? undefined : await this.#read(path))
    } finally {
      await file.close()
    }
  }

  async #write(page: StoredPage) {
    try {
      const file = this.#fileOf(page.path)
      const listed = (await this.#readMeta(page.path))?.tags ?? []
      const unlisted = page.tags.filter((tag) => !listed.includes(tag))
      await this.#tagLists.add(page.path, unlisted)
      // Not waited for until it is on the disk: a page that a power loss damages is rendered again.
      const options = { temporary: join(this.#unfinished, randomUUID()), flush: false }
      await writeWhole(file, encodePage(page), options)
    } catch (error) {
      this.#report(`The page ${page.path} cannot be stored.`, error)
    }
  }

  #keep(page: StoredPage): Representation {
    const representation = represent(page)
    const { path, tags, length, brotli } = page
    // As brotli, gzip (a little larger) and plain, should somebody ask for all three.
    const bytes = length + 3 * brotli.length
    const pages = path.includes('?') ? this.#queries : this.#hot
    pages.set({ path, representation, tags, bytes })
    return representation
  }

  /** Never made from the path itself, so no path leads out of the store. */
  #fileOf(path: string): string {
    const name = createHash('sha256').update(path).digest('hex')
    return join(this.#directory, 'html', name.slice(0, 2), name.slice(2, 42))
  }
}

function represent({ status, hash, headers, brotli }: StoredPage): Representation {
  return new Representation({
    status,
    hash,
    headers,
    bodies: { br: brotli },
    make: {
      encodings: ['gzip', 'identity'],
      body: async (encoding) => {
        const html = await decompressBrotli(brotli)
        return encoding === 'gzip' ? compressGzip(html, 6) : html
      },
    },
  })
}
