import { LRUCache } from 'lru-cache'
import { EVERY_PAGE_TAG, pathTag } from '../../../rules/page-tags.ts'
import type { Representation } from '../answers/representation.ts'
import { isOver } from './page-file.ts'

interface HotPage {
  representation: Representation
  tags: readonly string[]
  /** Milliseconds since 1970; undefined for most pages, which do not expire. */
  freshUntil?: number | undefined
  servedUntil?: number | undefined
}

/** The pages in memory, ready to be sent. */
export type HotPages = ReturnType<typeof createHotPages>

/**
 * Keeps pages in memory, at most `maxBytes` and `maxPages`; the least recently requested are
 * dropped first.
 */
export function createHotPages(maxBytes: number, maxPages = 0) {
  const pages = new LRUCache<string, HotPage>({
    max: maxPages,
    maxSize: maxBytes,
    sizeCalculation: ({ representation }) => representation.bytes,
  })

  return {
    /** The number of pages, and how many bytes they take. */
    size: () => ({ pages: pages.size, bytes: pages.calculatedSize }),
    /**
     * Whether there is room for pages that nobody has requested, without displacing requested ones.
     */
    hasRoom: () => pages.calculatedSize < 0.9 * maxBytes,
    get(path: string): Representation | undefined {
      const page = pages.get(path)
      return page && !isOver(page.freshUntil) ? page.representation : undefined
    },
    /** A page that has expired but may still be served while it is rendered again. */
    expired(path: string): Representation | undefined {
      const page = pages.peek(path)
      return page && !isOver(page.servedUntil) ? page.representation : undefined
    },
    set(path: string, page: HotPage): void {
      const { representation } = page
      pages.set(path, page)
      // A new object, since the cache weighs an object once.
      representation.onGrowth = () => {
        const kept = pages.peek(path)
        if (kept?.representation === representation) pages.set(path, { ...kept })
      }
    },
    delete: (path: string) => void pages.delete(path),
    /** Drops the pages with one of these tags; returns their paths, the last requested first. */
    drop(tags: ReadonlySet<string>): string[] {
      const isDropped = (path: string, page: HotPage) =>
        tags.has(EVERY_PAGE_TAG) ||
        tags.has(pathTag(path)) ||
        page.tags.some((tag) => tags.has(tag))
      const dropped = [...pages].filter(([path, page]) => isDropped(path, page))
      for (const [path] of dropped) pages.delete(path)
      return dropped.map(([path]) => path)
    },
    clear: () => pages.clear(),
  }
}
