import type { LRUCache } from 'lru-cache'
import { pathTag } from '../../../rules/page-tags.ts'
import { sharedWork } from '../../shared-work.ts'
import { type PageTarget, siblingOf } from '../addresses/destinations.ts'
import type { Representation } from '../answers/representation.ts'
import type { PageStore } from '../store/page-store.ts'
import type { Outcome, RenderedResponse } from './page-cache.ts'
import { SERVER_ERROR, unstored } from './plain-answers.ts'

/** Renders a page by way of the `PageCache`, which stores it. */
export type RenderPage = (target: PageTarget) => Promise<Outcome>

/** Pages that turned out not to exist: one of `tags` changes when such a page comes to be. */
export type MissingPages = LRUCache<string, { tags: readonly string[]; clock: number }>

export interface PageRendererOptions {
  store: PageStore
  missingPages: MissingPages | undefined
  render: RenderPage
  report: (message: string, error: unknown) => void
}

/** Begins a rendering when its turn comes, or refuses it. */
export type Turn = (work: () => Promise<Representation>) => Promise<Representation>

/** How often a page is rendered again because its data changed while it was. */
const ATTEMPTS = 5

const atOnce: Turn = (work) => work()

/** Renders pages, each once for everybody who waits for it; where that fails, finds the page to send instead. */
export class PageRenderer {
  readonly #options: PageRendererOptions
  readonly #once = sharedWork<Representation>()

  constructor(options: PageRendererOptions) {
    this.#options = options
  }

  /** Renders a page and stores it. `missing`: the tags that change when a page that is not there comes to be. */
  fresh(
    target: PageTarget,
    missing: readonly string[],
    turn: Turn = atOnce,
  ): Promise<Representation> {
    return this.#once(target.path + target.search, () =>
      turn(() => this.#renderAndStore(target, missing)),
    )
  }

  /** The page that says that there is none, or that something failed, in the language of a path. */
  async substitute(path: string, name: '404' | 'error'): Promise<Representation> {
    const sibling = siblingOf(path, name)
    return (await this.#options.store.get(sibling)) ?? this.fresh({ path: sibling, search: '' }, [])
  }

  async #renderAndStore(target: PageTarget, missing: readonly string[]): Promise<Representation> {
    const { store, missingPages } = this.#options
    const { path } = target
    for (let attempt = 1; ; attempt++) {
      const { clock } = store
      const outcome = await this.#render(target)
      if (!outcome.page) {
        const { rendered } = outcome
        if (rendered.status === 404 && missing.length > 0) {
          missingPages?.set(path, { tags: [...missing, pathTag(path)], clock })
        }
        return this.#present(path, rendered)
      }
      if (!outcome.isStale || attempt === ATTEMPTS) return outcome.page
    }
  }

  async #render(target: PageTarget): Promise<Outcome> {
    try {
      return await this.#options.render(target)
    } catch (error) {
      this.#options.report(`The page ${target.path} failed.`, error)
      return { rendered: { status: 500, body: Buffer.alloc(0), headers: {}, tags: [] } }
    }
  }

  /** What is sent for a rendering that is not stored: itself, or the page about what went wrong. */
  async #present(path: string, rendered: RenderedResponse): Promise<Representation> {
    const { status } = rendered
    if (status === 404 && path !== siblingOf(path, '404')) return this.substitute(path, '404')
    if (status < 500) return unstored(rendered)
    if (path === siblingOf(path, 'error')) return SERVER_ERROR
    const errorPage = await this.substitute(path, 'error')
    return errorPage.status === 200 ? errorPage.as(status) : SERVER_ERROR
  }
}
