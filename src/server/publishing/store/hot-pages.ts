import { LRUCache } from 'lru-cache'
import { EVERY_PAGE_TAG, pathOfTag } from '../../../rules/page-tags.ts'
import type { Representation } from '../answers/representation.ts'
import { isOver } from './page-file.ts'

interface HotPage {
  representation: Representation
  tags: readonly string[]
  /** The most that the page can come to hold, in all encodings. */
  bytes: number
  /** Milliseconds since 1970; undefined for most pages. */
  freshUntil?: number | undefined
  servedUntil?: number | undefined
}

/** The pages in memory, ready to be sent; bounded, those not requested for longest go first. */
export class HotPages {
  readonly #pages: LRUCache<string, HotPage>

  constructor(maxBytes: number, maxPages = 0) {
    const sizeCalculation = ({ bytes }: HotPage) => bytes
    this.#pages = new LRUCache({ max: maxPages, maxSize: maxBytes, sizeCalculation })
  }

  /** How many there are, and the most bytes that they can come to hold. */
  get size(): { pages: number; bytes: number } {
    return { pages: this.#pages.size, bytes: this.#pages.calculatedSize }
  }

  get(path: string): Representation | undefined {
    const page = this.#pages.get(path)
    return page && !isOver(page.freshUntil) ? page.representation : undefined
  }

  /** A page whose time is over but that may still be served while it is rendered again. */
  expired(path: string): Representation | undefined {
    const page = this.#pages.peek(path)
    return page && !isOver(page.servedUntil) ? page.representation : undefined
  }

  set({ path, ...page }: HotPage & { path: string }): void {
    this.#pages.set(path, page)
  }

  delete(path: string): void {
    this.#pages.delete(path)
  }

  /** Drops the pages that carry one of these tags. */
  drop(tags: ReadonlySet<string>): void {
    if (tags.has(EVERY_PAGE_TAG)) this.clear()
    for (const tag of tags) {
      const path = pathOfTag(tag)
      if (path !== undefined) this.delete(path)
    }
    for (const [path, page] of [...this.#pages]) {
      if (page.tags.some((tag) => tags.has(tag))) this.delete(path)
    }
  }

  clear(): void {
    this.#pages.clear()
  }
}
