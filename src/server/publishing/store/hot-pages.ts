import { pathOfTag } from '../../../rules/page-tags.ts'
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
  wasAsked: boolean
}

/** The pages in memory, ready to be sent; bounded, those not asked for go first. */
export class HotPages {
  readonly #pages = new Map<string, HotPage>()
  readonly #maxBytes: number
  readonly #maxPages: number
  #bytes = 0

  constructor(maxBytes: number, maxPages = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes
    this.#maxPages = maxPages
  }

  /** How many there are, and the most bytes that they can come to hold. */
  get size(): { pages: number; bytes: number } {
    return { pages: this.#pages.size, bytes: this.#bytes }
  }

  get(path: string): Representation | undefined {
    const page = this.#pages.get(path)
    if (!page || isOver(page.freshUntil)) return
    page.wasAsked = true
    return page.representation
  }

  /** A page whose time is over but that may still be served while it is rendered again. */
  expired(path: string): Representation | undefined {
    const page = this.#pages.get(path)
    return page && !isOver(page.servedUntil) ? page.representation : undefined
  }

  set(page: Omit<HotPage, 'wasAsked'> & { path: string }): void {
    const { path, ...hot } = page
    this.delete(path)
    this.#pages.set(path, { ...hot, wasAsked: false })
    this.#bytes += page.bytes
    this.#makeRoom()
  }

  delete(path: string): void {
    this.#bytes -= this.#pages.get(path)?.bytes ?? 0
    this.#pages.delete(path)
  }

  /** Drops the pages that carry one of these tags. */
  drop(tags: ReadonlySet<string>): void {
    for (const tag of tags) {
      const path = pathOfTag(tag)
      if (path !== undefined) this.delete(path)
    }
    for (const [path, page] of this.#pages) {
      if (page.tags.some((tag) => tags.has(tag))) this.delete(path)
    }
  }

  clear(): void {
    this.#pages.clear()
    this.#bytes = 0
  }

  /** Second chance: the oldest page goes, unless it was asked for since its last turn. */
  #makeRoom() {
    while (this.#bytes > this.#maxBytes || this.#pages.size > this.#maxPages) {
      const [oldest] = this.#pages
      if (!oldest) return
      const [path, page] = oldest
      if (page.wasAsked) {
        this.#pages.delete(path)
        this.#pages.set(path, { ...page, wasAsked: false })
      } else this.delete(path)
    }
  }
}
