import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { SECOND_MS } from '../../../rules/durations.ts'
import { EVERY_PAGE_TAG, pathTag } from '../../../rules/page-tags.ts'
import { readTextIfThere, writeWholeSync } from '../../files/files.ts'
import {
  compressBrotli,
  compressGzip,
  compressZstd,
  decompressZstd,
} from '../answers/compression.ts'
import { contentHash } from '../answers/etags.ts'
import { Representation } from '../answers/representation.ts'
import { isOver, type PageMeta, pageFilesIn, type StoredPage } from './page-files.ts'

export interface PageStoreOptions {
  /** `<DATA_DIR>/pages`, with one directory per build; those of other builds are removed. */
  directory: string
  /** Identifies the build and the settings; pages of others are not read. */
  buildId: string
  /** The bound of the pages in memory; by default 64 MB. */
  memoryBytes?: number
  /** Receives errors of writing, such as a full disk; those pages are served all the same. */
  report?: (message: string, error: unknown) => void
}

/** For the first request: takes 2.3 ms for a page. */
const QUICK_BROTLI = 6
/** For a page that is requested again: takes 40 ms and makes it 8 % smaller; 11 takes 100 ms for 1 % more. */
const SMALL_BROTLI = 10
/**
 * How often a page is made smaller (ms): a client that requests many pages twice takes 4 % of a
 * processor.
 */
const SHRINK_EVERY_MS = SECOND_MS
const GZIP_LEVEL = 6

export interface RenderedResponse {
  status: number
  body: Buffer
  headers: Readonly<Record<string, string>>
  /** Without a tag and a `maxAge` the page is not stored. */
  tags: readonly string[]
  /** Seconds for which it is fresh; by default until one of its tags changes. */
  maxAge?: number | undefined
}

export interface RenderedPage extends RenderedResponse {
  /** Includes its normalised query, if it has one. */
  path: string
  clock: number
}

export type PageStore = ReturnType<typeof openPageStore>

/**
 * Pages on disk and, once requested, in memory. Only whole and current pages are returned, never
 * half-written, damaged or stale ones. Deleting the store only costs time.
 */
export function openPageStore(options: PageStoreOptions) {
  const { buildId, memoryBytes = 64 << 20, report = console.error } = options
  const directory = join(options.directory, buildId)
  const memory = createHotPages(memoryBytes)
  const files = pageFilesIn(directory, report)
  const { isStale, ...invalidations } = openInvalidations(join(directory, 'invalidations.log'))
  let shrunkAt = Number.NEGATIVE_INFINITY

  /** Whether a page is current. Check it right before using the page, with no await in between. */
  function isCurrent({ path, tags, clock, freshUntil }: PageMeta): boolean {
    return (
      !isOver(freshUntil) && !isStale({ tags: [...tags, pathTag(path), EVERY_PAGE_TAG], clock })
    )
  }

  function shrink(stored: Buffer): Promise<Buffer> | undefined {
    if (performance.now() - shrunkAt < SHRINK_EVERY_MS) return
    shrunkAt = performance.now()
    return decompressZstd(stored).then((html) => compressBrotli(html, SMALL_BROTLI))
  }

  function keep(page: StoredPage): Representation {
    const representation = represent(page, shrink)
    memory.set(page.path, { ...page, representation })
    return representation
  }

  return {
    /** A clock that ticks with every invalidation. */
    clock: invalidations.clock,
    /** Whether something made at `clock` from data with these tags is out of date. */
    isStale,
    /** A page in memory; not a promise, so that the request is answered synchronously. */
    hot: memory.get,
    /** A page in memory, or one that it has replaced, by the hash of its text. */
    find: memory.find,
    /** A page from memory or disk, or undefined if it has to be rendered. */
    async get(path: string): Promise<Representation | undefined> {
      const ready = memory.get(path)
      if (ready) return ready
      const page = await files.read(path)
      return page && isCurrent(page) ? keep(page) : undefined
    },
    /** The version on disk, even if it is out of date: for when no new one can be rendered. */
    async former(path: string): Promise<Representation | undefined> {
      const page = await files.read(path)
      return page && represent(page, shrink)
    },
    /**
     * Compresses and stores a page and returns it ready to be sent. If one of its tags has changed
     * since its rendering began, it is not stored and `isStale` is true.
     */
    async put(rendered: RenderedPage): Promise<{ page: Representation; isStale: boolean }> {
      const { body: html, maxAge, ...meta } = rendered
      const page = {
        ...meta,
        hash: contentHash(html),
        freshUntil: maxAge === undefined ? undefined : Date.now() + maxAge * 1000,
        body: await compressZstd(html),
      }
      // Most searches are never requested again: writing each would be a fifth of the work for it.
      if (isCurrent(page) && !page.path.includes('?')) await files.write(page)
      // A tag may have changed while the file was written.
      const isStale = !isCurrent(page)
      return { page: isStale ? represent(page, shrink) : keep(page), isStale }
    },
    /** Writes a page with a query to the disk, which is worth it for those that are rendered ahead. */
    async write(path: string): Promise<void> {
      const page = memory.stored(path)
      if (page) await files.write(page)
    },
    /**
     * From now on, pages with one of these tags are not returned until they are put again. Returns
     * the paths of those in memory, the last requested first.
     */
    invalidate(tags: readonly string[]): string[] {
      invalidations.add(tags)
      return memory.drop(new Set(tags))
    },
    /**
     * Notes tags that will be invalidated within a minute; a restart in between invalidates them.
     */
    invalidateSoon: invalidations.addSoon,
    async remove(path: string): Promise<void> {
      memory.delete(path)
      await files.remove(path)
    },
    clear(): void {
      memory.drop(new Set([EVERY_PAGE_TAG]))
      invalidations.addAll()
      files.clear()
    },
  }
}

function represent(
  { status, hash, headers, body: stored }: StoredPage,
  shrink: (stored: Buffer) => Promise<Buffer> | undefined,
): Representation {
  return new Representation({
    status,
    hash,
    headers,
    bodies: {},
    async make(encoding) {
      const html = await decompressZstd(stored)
      if (encoding === 'identity') return html
      return encoding === 'br' ? compressBrotli(html, QUICK_BROTLI) : compressGzip(html, GZIP_LEVEL)
    },
    shrink: () => shrink(stored),
    madeFromBytes: stored.length,
    isDictionary: status === 200 && isPublic(headers),
  })
}

/**
 * Whether every visitor gets this page and no cache is told more about it than to ask each time. A
 * page whose address holds a secret sends no referrer; one that a CDN keeps is the same for every
 * browser.
 */
function isPublic(headers: Readonly<Record<string, string>>): boolean {
  return (
    headers['cache-control'] === 'no-cache' &&
    headers['referrer-policy'] !== 'no-referrer' &&
    (headers['content-type']?.startsWith('text/html') ?? false)
  )
}

interface HotPage extends StoredPage {
  representation: Representation
}

/**
 * Keeps pages in memory, at most `maxBytes`; the least recently requested are dropped first. Those
 * that a newer one replaced stay as dictionaries, since browsers still have them.
 */
function createHotPages(maxBytes: number) {
  /** Current pages by their path, replaced ones by a key without a slash. */
  const pages = new LRUCache<string, HotPage>({
    maxSize: maxBytes,
    sizeCalculation: ({ representation }) => representation.bytes,
    dispose({ representation: { hash } }, key, reason) {
      if (reason !== 'set' && keys.get(hash) === key) keys.delete(hash)
    },
  })
  /** Where the page with a hash is. */
  const keys = new Map<string, string>()

  function place(key: string, page: HotPage): void {
    const { representation } = page
    pages.set(key, page)
    if (representation.isDictionary) keys.set(representation.hash, key)
    representation.onGrowth = () => {
      // A new object, since the cache weighs an object once.
      if (pages.peek(key)?.representation === representation) pages.set(key, { ...page })
    }
  }

  function replace(path: string): void {
    const page = pages.peek(path)
    if (!page) return
    pages.delete(path)
    const { hash, isDictionary } = page.representation
    if (isDictionary) place(`replaced ${hash}`, page)
  }

  return {
    get(path: string): Representation | undefined {
      const page = pages.get(path)
      return page && !isOver(page.freshUntil) ? page.representation : undefined
    },
    /** What is stored of a page; it does not count as a request. */
    stored: (path: string): StoredPage | undefined => pages.peek(path),
    /** The page whose text has this hash, current or replaced. */
    find(hash: string): Representation | undefined {
      const page = pages.get(keys.get(hash) ?? '')
      return page?.representation.hash === hash ? page.representation : undefined
    },
    set(path: string, page: HotPage): void {
      if (pages.peek(path)?.representation.hash !== page.representation.hash) replace(path)
      place(path, page)
    },
    delete: (path: string) => void pages.delete(path),
    /** Drops the current pages with one of these tags; returns their paths, the last requested first. */
    drop(tags: ReadonlySet<string>): string[] {
      const isDropped = (path: string, page: HotPage) =>
        path.startsWith('/') &&
        (tags.has(EVERY_PAGE_TAG) ||
          tags.has(pathTag(path)) ||
          page.tags.some((tag) => tags.has(tag)))
      const dropped = [...pages].flatMap(([path, page]) => (isDropped(path, page) ? [path] : []))
      for (const path of dropped) replace(path)
      return dropped
    },
  }
}

/** Represents every tag. */
const ALL = '*'

/**
 * Records in the log `file` when each tag changed, in ticks of the store's own clock. Marking a tag
 * writes one line, however many pages carry it, before the call returns. If the log is missing or
 * damaged, everything up to now is stale.
 */
function openInvalidations(file: string) {
  const changedAt = new Map<string, number>()
  let clock = 0

  function mark(tag: string, at: number): void {
    changedAt.set(tag, at)
    clock = Math.max(clock, at)
  }

  function append(lines: string[]): void {
    try {
      appendFileSync(file, lines.join(''))
    } catch (error) {
      // A change that cannot be logged must not be lost: without a log, everything is stale.
      rmSync(file, { force: true })
      console.error('The log of changed pages cannot be written; it will be begun again.', error)
    }
  }

  function add(tags: readonly string[]): void {
    const at = clock + 1
    for (const tag of tags) mark(tag, at)
    append(tags.map((tag) => `${at} ${encodeURIComponent(tag)}\n`))
  }

  function rewrite(soon: Iterable<string> = []): void {
    const lines = [...changedAt].map(([tag, at]) => `${at} ${encodeURIComponent(tag)}\n`)
    for (const tag of soon) lines.push(`soon ${encodeURIComponent(tag)}\n`)
    writeWholeSync(file, lines.join(''))
  }

  /** The tags noted but not marked; undefined if the log is missing or damaged. */
  function readEntries(): string[] | undefined {
    const text = readTextIfThere(file) ?? ''
    // Includes the ticks of a damaged log, so that new ones are later than any in it.
    for (const [, at] of text.matchAll(/^(\d{1,16}) /gm)) clock = Math.max(clock, Number(at))
    const lines = text.split('\n')
    // The last piece is empty, or a line truncated by a crash.
    if (lines.pop() !== '') return
    // A log begins with the time before which everything is stale; otherwise its beginning is lost.
    if (!/^\d+ \*$/.test(lines[0] ?? '')) return
    const soon = new Set<string>()
    for (const line of lines) {
      const [, at, encoded] = /^(\d+|soon) (\S+)$/.exec(line) ?? []
      if (at === undefined || encoded === undefined) return
      const tag = decodeURIComponent(encoded)
      if (at === 'soon') soon.add(tag)
      else {
        soon.delete(tag)
        mark(tag, Number(at))
      }
    }
    if (lines.length > 2 * changedAt.size + 100) rewrite(soon)
    return [...soon]
  }

  const left = readEntries()
  if (left === undefined) {
    changedAt.clear()
    // Later than any tick of a lost log: ticks count changes, and each takes longer than a
    // microsecond.
    const microseconds = Math.floor((performance.timeOrigin + performance.now()) * 1000)
    mark(ALL, Math.max(microseconds, clock + 1))
    rewrite()
  } else if (left.length > 0) {
    // Tags that were being collected when the process ended are due.
    add(left)
  }

  return {
    clock: () => clock,
    add,
    addAll: () => add([ALL]),
    /**
     * Notes that these tags will be marked within a minute, so that a crash in between does not
     * lose them.
     */
    addSoon: (tags: readonly string[]) =>
      append(tags.map((tag) => `soon ${encodeURIComponent(tag)}\n`)),
    isStale(made: { tags: readonly string[]; clock: number }): boolean {
      const isLater = (tag: string) => (changedAt.get(tag) ?? 0) > made.clock
      return isLater(ALL) || made.tags.some(isLater)
    },
  }
}
