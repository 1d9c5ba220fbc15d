import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { EVERY_PAGE_TAG, pathOfTag, pathTag } from '../../../rules/page-tags.ts'
import { compressZstd, type Dictionaries, NO_DICTIONARIES } from '../answers/dictionary.ts'
import type { Representation } from '../answers/representation.ts'
import { createHotPages, type HotPages } from './hot-pages.ts'
import { openInvalidations } from './invalidations.ts'
import { type Effort, pageBodies, pagePresenter } from './page-bodies.ts'
import { contentHash, hasQuery, isOver, type PageMeta, type StoredPage } from './page-file.ts'
import { pageFilesIn } from './page-files.ts'

export interface PageStoreOptions {
  /** `<DATA_DIR>/pages`, with one directory per build; those of other builds are removed. */
  directory: string
  /** Identifies the build and the settings; pages of others are not read. */
  buildId: string
  /** The bound of the pages in memory; by default 64 MB. */
  memoryBytes?: number
  /** The bounds of pages with a query in memory; by default 1000 and 32 MB. */
  queries?: { pages: number; bytes: number }
  /** The dictionaries for compressing pages; by default none. */
  dictionaries?: Dictionaries
  /** Receives errors of writing, such as a full disk; those pages are served all the same. */
  report?: (message: string, error: unknown) => void
}

/**
 * The compression of a new page: with brotli for its first request, with zstd for the store. There
 * are many pages with a query, and most are requested once: their settings take half the time and
 * give 3 and 7 % more bytes.
 */
const PROMPT: Effort = { brotli: 7, zstd: 10 }
const PROMPT_QUERY: Effort = { brotli: 5, zstd: 6 }

/**
 * How many pages with a query are worth rendering again when they change, before they are
 * requested.
 */
const RENDERED_QUERIES = 30

/** How many paths whose files need not be read again are remembered. */
const OUTDATED = 500

/** A newly rendered page. */
export interface RenderedPage {
  /** Includes its normalised query, if it has one. */
  path: string
  status: number
  body: Buffer
  tags: readonly string[]
  headers: Readonly<Record<string, string>>
  /** The value of `store.clock` when its rendering began. */
  clock: number
  /**
   * Seconds for which it is fresh, and for which it may be served after that; by default forever.
   */
  maxAge?: number | undefined
  swr?: number | undefined
}

export type PageStore = ReturnType<typeof openPageStore>

/**
 * Pages on disk and, once requested, in memory. Only whole and current pages are returned, never
 * half-written, damaged or stale ones. Deleting the store only costs time.
 */
export function openPageStore(options: PageStoreOptions) {
  const { buildId, memoryBytes = 64 << 20, report = console.error } = options
  const { dictionaries = NO_DICTIONARIES } = options
  const { queries: bounds = { pages: 1000, bytes: 32 << 20 } } = options
  const directory = join(options.directory, buildId)
  const hot = createHotPages(memoryBytes)
  const queries = createHotPages(bounds.bytes, bounds.pages)
  const files = pageFilesIn(directory, report)
  const { isStale, ...invalidations } = openInvalidations(join(directory, 'invalidations.log'))

  /** Paths whose files contain no current page, with the tags of what they contain. */
  const outdated = new LRUCache<string, { tags: readonly string[] | undefined }>({ max: OUTDATED })
  const present = pagePresenter(dictionaries, report)

  const memoryFor = (path: string): HotPages => (hasQuery(path) ? queries : hot)
  const promptly = (path: string) => (hasQuery(path) ? PROMPT_QUERY : PROMPT)

  /** Whether a page is current. Check it right before using the page, with no await in between. */
  function isCurrent<Page extends PageMeta>(page: Page | undefined): page is Page {
    if (page === undefined) return false
    const { path, tags, clock } = page
    return !isStale({ tags: [...tags, pathTag(path), EVERY_PAGE_TAG], clock })
  }

  function keep(page: PageMeta, representation: Representation): Representation {
    const { path, tags, freshUntil, servedUntil } = page
    memoryFor(path).set(path, { representation, tags, freshUntil, servedUntil })
    return representation
  }

  /**
   * A page from the disk that is current or expired. A path whose page was found missing or stale,
   * or whose dictionary is gone, is not read again until its page is put.
   */
  async function read(path: string): Promise<StoredPage | undefined> {
    if (outdated.has(path)) return
    const page = await files.read(path)
    const token = page?.dictionary
    if (isCurrent(page) && (token === undefined || dictionaries.find(token))) return page
    outdated.set(path, { tags: page?.tags })
    return
  }

  /** The tags of the page that a path had before, current or not; undefined if there was none. */
  async function formerTags(path: string): Promise<readonly string[] | undefined> {
    const page = await read(path)
    return page ? page.tags : outdated.get(path)?.tags
  }

  /** Makes a page ready to be sent; `rendered` is its HTML if that was just made. */
  function represent(page: StoredPage, rendered?: Buffer): Representation {
    const { body, dictionary: token } = page
    const dictionary = token === undefined ? undefined : dictionaries.find(token)
    const bodies = pageBodies({ form: dictionary ?? 'zstd', body }, promptly(page.path), rendered)
    return present(page, bodies, { compressed: dictionary && { dictionary, body } })
  }

  /**
   * Makes a new page with a query ready to be sent. The page is written to the disk only at its
   * second request: most are never requested again, and compressing and writing the file would be
   * much of the work for the first request.
   */
  function representUnwritten(page: PageMeta, html: Buffer): Representation {
    const bodies = pageBodies({ form: 'identity', body: html }, promptly(page.path))
    return present(page, bodies, {
      async onOften() {
        const dictionary = dictionaries.offer(page.path)?.dictionary
        const body = await bodies.stored(dictionary)
        if (!isCurrent(page)) return
        await files.write({ ...page, dictionary: dictionary?.token, body }, [])
        outdated.delete(page.path)
      },
    })
  }

  /** A page in memory; not a promise, so that the request is answered synchronously. */
  const inMemory = (path: string) => hot.get(path) ?? queries.get(path)

  /** A page from memory or disk; `isExpired`: it may be served while it is rendered again. */
  async function lookUp(
    path: string,
  ): Promise<{ page: Representation; isExpired: boolean } | undefined> {
    const ready = inMemory(path)
    if (ready) return { page: ready, isExpired: false }
    const pages = memoryFor(path)
    const expired = pages.expired(path)
    if (expired) return { page: expired, isExpired: true }
    const page = await read(path)
    if (!isCurrent(page) || isOver(page.servedUntil)) return
    return { page: keep(page, represent(page)), isExpired: isOver(page.freshUntil) }
  }

  return {
    /** A clock that ticks with every invalidation. */
    clock: invalidations.clock,
    /** Whether something made at `clock` from data with these tags is out of date. */
    isStale,
    hot: inMemory,
    /** The number and size of the pages with a query. */
    queries: queries.size,
    lookUp,
    /** A page from memory or disk, or undefined if it has to be rendered. */
    async get(path: string): Promise<Representation | undefined> {
      const found = await lookUp(path)
      return found?.isExpired ? undefined : found?.page
    },
    /** Whether a page was stored before, fresh or not. */
    wasStored: async (path: string) => (await formerTags(path)) !== undefined,
    /** Whether a page is stored and fresh. */
    async has(path: string): Promise<boolean> {
      if (hasQuery(path) && queries.get(path)) return true
      const page = await read(path)
      return isCurrent(page) && !isOver(page.freshUntil)
    },
    /**
     * Compresses and stores a page and returns it ready to be sent. If one of its tags has changed
     * since its rendering began, it is not stored and `isStale` is true.
     */
    async put(rendered: RenderedPage): Promise<{ page: Representation; isStale: boolean }> {
      const { body: html, maxAge, swr = 0, ...meta } = rendered
      const freshUntil = maxAge === undefined ? undefined : Date.now() + maxAge * 1000
      const servedUntil = freshUntil && freshUntil + swr * 1000
      const page = { ...meta, hash: contentHash(html), freshUntil, servedUntil }
      if (hasQuery(page.path)) {
        const isStale = !isCurrent(page)
        const made = representUnwritten(page, html)
        return { page: isStale ? made : keep(page, made), isStale }
      }
      const dictionary = dictionaries.offer(page.path)?.dictionary
      const body = await compressZstd(html, dictionary, PROMPT.zstd)
      const stored = { ...page, dictionary: dictionary?.token, body }
      if (isCurrent(page)) {
        await files.write(stored, (await formerTags(page.path)) ?? [])
        outdated.delete(page.path)
      }
      // A tag may have changed while the file was written.
      const isStale = !isCurrent(page)
      const made = represent(stored, html)
      // A page that is rendered before anyone requests it does not displace requested ones.
      return { page: !isStale && hot.hasRoom() ? keep(page, made) : made, isStale }
    },
    /**
     * From now on, pages with one of these tags are not returned until they are put again. Returns
     * the paths of the most recently requested ones with a query.
     */
    invalidate(tags: readonly string[]): string[] {
      const dropped = new Set(tags)
      hot.drop(dropped)
      const requested = queries.drop(dropped).slice(0, RENDERED_QUERIES)
      invalidations.add(tags)
      return requested
    },
    /**
     * Notes tags that will be invalidated within a minute; a restart in between invalidates them.
     */
    invalidateSoon: invalidations.addSoon,
    /** The paths of the pages with one of the tags; some may no longer carry it. */
    async pagesWith(tags: readonly string[]): Promise<string[]> {
      const paths = new Set(await files.pagesWith(tags))
      for (const path of tags.flatMap((tag) => pathOfTag(tag) ?? [])) {
        if (await files.read(path)) paths.add(path)
      }
      return [...paths]
    },
    async remove(path: string): Promise<void> {
      memoryFor(path).delete(path)
      await files.remove(path)
      outdated.delete(path)
    },
    /** Drops all pages at once. */
    clear(): void {
      hot.clear()
      queries.clear()
      outdated.clear()
      invalidations.addAll()
      files.clear()
    },
  }
}
