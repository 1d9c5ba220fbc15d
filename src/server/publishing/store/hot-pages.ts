import { LRUCache } from 'lru-cache'
import { EVERY_PAGE_TAG, pathTag } from '../../../rules/page-tags.ts'
import type { Representation } from '../answers/representation.ts'
import { isOver, type StoredPage } from './page-files.ts'

interface HotPage extends StoredPage {
  representation: Representation
}

/**
 * Keeps pages in memory, at most `maxBytes`; the least recently requested are dropped first. Those
 * that a newer one replaced stay as dictionaries, since browsers still have them.
 */
export function createHotPages(maxBytes: number) {
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
