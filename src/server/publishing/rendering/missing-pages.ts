/** Which pages turned out not to exist, so that asking again costs no rendering; bounded. */
export class MissingPages {
  readonly #found = new Map<string, { tags: readonly string[]; clock: number }>()
  readonly #max: number

  constructor(max = 10_000) {
    this.#max = max
  }

  /** Notes that a page is not there; one of `tags` changes when it comes to be. */
  add(path: string, miss: { tags: readonly string[]; clock: number }): void {
    this.#found.delete(path)
    this.#found.set(path, miss)
    const [oldest] = this.#found.keys()
    if (this.#found.size > this.#max && oldest !== undefined) this.#found.delete(oldest)
  }

  /** Whether a page is known not to be there; `isStale` tells when that must be looked at again. */
  has(
    path: string,
    isStale: (made: { tags: readonly string[]; clock: number }) => boolean,
  ): boolean {
    const miss = this.#found.get(path)
    if (!miss) return false
    if (!isStale(miss)) return true
    this.#found.delete(path)
    return false
  }
}
