import { join } from 'node:path'
import { EVERY_PAGE_TAG, pathOfTag, pathTag } from '../../../rules/page-tags.ts'
import { compressBrotli, compressGzip, decompressBrotli } from '../answers/compression.ts'
import { Representation } from '../answers/representation.ts'
import { createHotPages, type HotPages } from './hot-pages.ts'
import { openInvalidations } from './invalidations.ts'
import { contentHash, isOver, type StoredPage } from './page-file.ts'
import { pageFilesIn } from './page-files.ts'

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

export type PageStore = ReturnType<typeof openPageStore>

/**
 * Pages on disk and, the ones asked for, in memory. A page is whole and of its time, or it is not
 * there: half-written, damaged and stale ones are not returned. Deleting it all only costs time.
 */
export function openPageStore(options: PageStoreOptions) {
  const { buildId, memoryBytes = 64 << 20, quality = 8, report = console.error } = options
  const { queries: bounds = { pages: 1000, bytes: 32 << 20 } } = options
  const directory = join(options.directory, buildId)
  const hot = createHotPages(memoryBytes)
  const queries = createHotPages(bounds.bytes, bounds.pages)
  const files = pageFilesIn(directory, report)
  const { isStale, ...invalidations } = openInvalidations(join(directory, 'invalidations.log'))

  const memoryFor = (path: string): HotPages => (path.includes('?') ? queries : hot)

  /** Whether nothing that a page shows changed. To be asked right before its use: no await may come between. */
  function isTrue(page: StoredPage | undefined): page is StoredPage {
    if (page === undefined) return false
    const { path, tags, clock } = page
    return !isStale({ tags: [...tags, pathTag(path), EVERY_PAGE_TAG], clock })
  }

  function keep(page: StoredPage): Representation {
    const representation = represent(page)
    const { path, tags, length, brotli, freshUntil, servedUntil } = page
    // As brotli, gzip (a little larger) and plain, should somebody ask for all three.
    const bytes = length + 3 * brotli.length
    memoryFor(path).set(path, { representation, tags, bytes, freshUntil, servedUntil })
    return representation
  }

  /** A page in memory; no promise, so that the request is answered at once. */
  const inMemory = (path: string) => hot.get(path) ?? queries.get(path)

  /** A page from memory or disk; `isExpired`: its time is over, but it may be served while it is rendered again. */
  async function lookUp(
    path: string,
  ): Promise<{ page: Representation; isExpired: boolean } | undefined> {
    const ready = inMemory(path)
    if (ready) return { page: ready, isExpired: false }
    const pages = memoryFor(path)
    const expired = pages.expired(path)
    if (expired) return { page: expired, isExpired: true }
    if (pages === queries) return
    const page = await files.read(path)
    if (!isTrue(page) || isOver(page.servedUntil)) return
    return { page: keep(page), isExpired: isOver(page.freshUntil) }
  }

  return {
    /** Rises with every invalidation. */
    clock: invalidations.clock,
    /** Whether something made at `clock` of what these tags stand for is out of date. */
    isStale,
    hot: inMemory,
    /** How much the pages with a query take. */
    queries: queries.size,
    lookUp,
    /** A page from memory or disk, or undefined if it has to be rendered. */
    async get(path: string): Promise<Representation | undefined> {
      const found = await lookUp(path)
      return found?.isExpired ? undefined : found?.page
    },
    /** Whether a page was stored before, fresh or not. */
    wasStored: async (path: string) => (await files.read(path)) !== undefined,
    /** Whether a page is on the disk and fresh. */
    async has(path: string): Promise<boolean> {
      const page = await files.read(path)
      return isTrue(page) && !isOver(page.freshUntil)
    },
    /**
     * Compresses a page, writes it and returns it ready to be sent; one with a query stays in memory.
     * Where one of its tags changed since its rendering began it is not kept, and `isStale` says so.
     */
    async put(rendered: RenderedPage): Promise<{ page: Representation; isStale: boolean }> {
      const { body, maxAge, swr = 0, ...meta } = rendered
      const isOnDisk = !rendered.path.includes('?')
      const freshUntil = maxAge === undefined ? undefined : Date.now() + maxAge * 1000
      const servedUntil = freshUntil && freshUntil + swr * 1000
      const brotli = await compressBrotli(
        body,
        isOnDisk ? quality : Math.min(quality, QUERY_QUALITY),
      )
      const hash = contentHash(body)
      const page = { ...meta, hash, length: body.length, brotli, freshUntil, servedUntil }
      if (isTrue(page) && isOnDisk) await files.write(page)
      // A tag may have changed while the file was written.
      return isTrue(page)
        ? { page: keep(page), isStale: false }
        : { page: represent(page), isStale: true }
    },
    /** From now on no page with one of these tags is returned until it is put again. */
    invalidate(tags: readonly string[]): void {
      const dropped = new Set(tags)
      hot.drop(dropped)
      queries.drop(dropped)
      invalidations.add(tags)
    },
    /** Notes tags that will be invalidated within a minute; a restart in between does it. */
    invalidateSoon: invalidations.addSoon,
    /** Paths of the pages that carry one of the tags; some may carry it no longer. */
    async pagesWith(tags: readonly string[]): Promise<string[]> {
      const paths = new Set(await files.pagesWith(tags))
      for (const path of tags.flatMap((tag) => pathOfTag(tag) ?? [])) {
        if (await files.read(path)) paths.add(path)
      }
      return [...paths]
    },
    async remove(path: string): Promise<void> {
      memoryFor(path).delete(path)
      if (!path.includes('?')) await files.remove(path)
    },
    /** Forgets every page at once. */
    clear(): void {
      hot.clear()
      queries.clear()
      invalidations.addAll()
      files.clear()
    },
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
