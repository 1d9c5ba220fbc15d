import { join } from 'node:path'
import { EVERY_PAGE_TAG, pathOfTag, pathTag } from '../../../rules/page-tags.ts'
import { compressBrotli, compressGzip, decompressBrotli } from '../answers/compression.ts'
import { Representation } from '../answers/representation.ts'
import { HotPages } from './hot-pages.ts'
import { Invalidations } from './invalidations.ts'
import { contentHash, isOver, type StoredPage } from './page-file.ts'
import { PageFiles } from './page-files.ts'

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
  /** Takes what could not be written (a full disk); those pages are served all the same. */
  report?: (message: string, error: unknown) => void
}

/** Brotli's for a page with a query, which is asked for less often: a third of the time. */
const QUERY_QUALITY = 5

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
  /** Seconds for which it is fresh, and for which it is served after that; without them for good. */
  maxAge?: number | undefined
  swr?: number | undefined
}

/**
 * Pages on disk and, the ones asked for, in memory. A page is whole and of its time, or it is not
 * there: half-written, damaged and stale ones are not returned. Deleting it all only costs time.
 */
export class PageStore {
  readonly #quality: number
  readonly #hot: HotPages
  readonly #queries: HotPages
  readonly #files: PageFiles
  readonly #invalidations: Invalidations

  constructor(options: PageStoreOptions) {
    const { buildId, memoryBytes = 64 << 20, quality = 8, report = console.error } = options
    const { queries = { pages: 1000, bytes: 32 << 20 } } = options
    const directory = join(options.directory, buildId)
    this.#quality = quality
    this.#hot = new HotPages(memoryBytes)
    this.#queries = new HotPages(queries.bytes, queries.pages)
    this.#files = new PageFiles(directory, report)
    this.#invalidations = new Invalidations(join(directory, 'invalidations.log'))
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
    const found = await this.lookUp(path)
    return found?.isExpired ? undefined : found?.page
  }

  /** The same, and a page whose time is over but that may be served while it is rendered again. */
  async lookUp(path: string): Promise<{ page: Representation; isExpired: boolean } | undefined> {
    const hot = this.hot(path)
    if (hot) return { page: hot, isExpired: false }
    const pages = this.#memoryFor(path)
    const expired = pages.expired(path)
    if (expired) return { page: expired, isExpired: true }
    if (pages === this.#queries) return
    const page = await this.#files.read(path)
    if (!this.#isTrue(page) || isOver(page.servedUntil)) return
    return { page: this.#keep(page), isExpired: isOver(page.freshUntil) }
  }

  /** Whether a page is on the disk and fresh. */
  async has(path: string): Promise<boolean> {
    const page = await this.#files.read(path)
    return this.#isTrue(page) && !isOver(page.freshUntil)
  }

  /**
   * Compresses a page, writes it and returns it ready to be sent; one with a query stays in memory.
   * Where one of its tags changed since its rendering began it is not kept, and `isStale` says so.
   */
  async put(rendered: RenderedPage): Promise<{ page: Representation; isStale: boolean }> {
    const { body, maxAge, swr = 0, ...meta } = rendered
    const isOnDisk = !rendered.path.includes('?')
    const quality = isOnDisk ? this.#quality : Math.min(this.#quality, QUERY_QUALITY)
    const freshUntil = maxAge === undefined ? undefined : Date.now() + maxAge * 1000
    const servedUntil = freshUntil && freshUntil + swr * 1000
    const brotli = await compressBrotli(body, quality)
    const hash = contentHash(body)
    const page: StoredPage = { ...meta, hash, length: body.length, brotli, freshUntil, servedUntil }
    if (this.#isTrue(page) && isOnDisk) await this.#files.write(page)
    // A tag may have changed while the file was written.
    const isStale = !this.#isTrue(page)
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
  invalidateSoon(tags: readonly string[]): void {
    this.#invalidations.addSoon(tags)
  }

  /** Paths of the pages that carry one of the tags; some may carry it no longer. */
  async pagesWith(tags: readonly string[]): Promise<string[]> {
    const paths = new Set(await this.#files.pagesWith(tags))
    for (const path of tags.flatMap((tag) => pathOfTag(tag) ?? [])) {
      if (await this.#files.read(path)) paths.add(path)
    }
    return [...paths]
  }

  async remove(path: string): Promise<void> {
    this.#hot.delete(path)
    this.#queries.delete(path)
    if (!path.includes('?')) await this.#files.remove(path)
  }

  /** Forgets every page at once. */
  clear(): void {
    this.#hot.clear()
    this.#queries.clear()
    this.#invalidations.addAll()
    this.#files.clear()
  }

  /** Whether nothing that a page shows changed. To be asked right before its use: no await may come between. */
  #isTrue(page: StoredPage | undefined): page is StoredPage {
    if (page === undefined) return false
    const { path, tags, clock } = page
    return !this.isStale({ tags: [...tags, pathTag(path), EVERY_PAGE_TAG], clock })
  }

  #memoryFor(path: string): HotPages {
    return path.includes('?') ? this.#queries : this.#hot
  }

  #keep(page: StoredPage): Representation {
    const representation = represent(page)
    const { path, tags, length, brotli, freshUntil, servedUntil } = page
    // As brotli, gzip (a little larger) and plain, should somebody ask for all three.
    const bytes = length + 3 * brotli.length
    this.#memoryFor(path).set({ path, representation, tags, bytes, freshUntil, servedUntil })
    return representation
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
