import type { PageStore } from '../store/page-store.ts'
import type { RenderAhead } from './render-ahead.ts'
import type { RequestCounts } from './request-counts.ts'

export interface RefresherOptions {
  store: PageStore
  ahead: RenderAhead
  counts: RequestCounts | undefined
  /** How long `changedSoon` gathers, in milliseconds. */
  gatherFor: number
  report: (message: string, error: unknown) => void
}

/** Keeps the stored pages true: marks what changed as stale and has it rendered again behind. */
export class Refresher {
  readonly #options: RefresherOptions
  readonly #gathered = new Set<string>()
  #gathering: NodeJS.Timeout | undefined

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /** See `PublishedPages.changed`. */
  async changed(tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return
    const { store, ahead, report } = this.#options
    store.invalidate(tags)
    try {
      const paths = await store.pagesWith(tags)
      await ahead.now(paths.sort((a, b) => this.#countOf(b) - this.#countOf(a)))
    } catch (error) {
      // Those pages stay stale, so the next request renders them.
      report(`Pages with ${tags.join(', ')} could not be rendered ahead.`, error)
    }
  }

  /** See `PublishedPages.changedSoon`. */
  changedSoon(tags: readonly string[]): void {
    const added = tags.filter((tag) => !this.#gathered.has(tag))
    if (added.length === 0) return
    this.#options.store.invalidateSoon(added)
    for (const tag of added) this.#gathered.add(tag)
    this.#gathering ??= setTimeout(() => this.flush(), this.#options.gatherFor).unref()
  }

  /** Marks now what `changedSoon` has gathered; resolves when it is rendered again. */
  flush(): Promise<void> {
    this.stop()
    const tags = [...this.#gathered]
    this.#gathered.clear()
    return this.changed(tags)
  }

  /** What was gathered waits on the disk for the next start. */
  stop(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
  }

  #countOf(path: string): number {
    return this.#options.counts?.of(path) ?? 0
  }
}
