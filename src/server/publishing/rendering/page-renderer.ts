import { compressBrotli, compressGzip } from '../serving/compression.ts'
import { siblingOf } from '../serving/destinations.ts'
import { Representation } from '../serving/representation.ts'
import type { PageTarget, RenderedResponse, RenderPage } from '../site/site.ts'
import { contentHash } from '../store/page-file.ts'
import type { PageStore } from '../store/page-store.ts'
import type { MissingPages } from './missing-pages.ts'

export interface PageRendererOptions {
  store: PageStore
  missingPages: MissingPages
  render: RenderPage
  report: (message: string, error: unknown) => void
}

/** Begins a rendering when its turn has come; may refuse it. */
export type Turn = (work: () => Promise<Representation>) => Promise<Representation>

/** How often a page is rendered again because its data changed while it was. */
const ATTEMPTS = 5

const atOnce: Turn = (work) => work()

const serverError = new Representation({
  status: 500,
  hash: 'error',
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  bodies: { identity: Buffer.from('Internal Server Error') },
})

/** Renders pages and stores those that may be. */
export class PageRenderer {
  readonly #options: PageRendererOptions
  readonly #underWay = new Map<string, Promise<Representation>>()

  constructor(options: PageRendererOptions) {
    this.#options = options
  }

  /**
   * One rendering of a page at a time, however many ask for it. `missing`: what is announced when a
   * page that does not exist comes to be.
   */
  fresh(
    target: PageTarget,
    missing: readonly string[],
    turn: Turn = atOnce,
  ): Promise<Representation> {
    const key = target.path + target.search
    let rendering = this.#underWay.get(key)
    if (!rendering) {
      rendering = turn(() => this.#renderAndStore(target, missing)).finally(() =>
        this.#underWay.delete(key),
      )
      this.#underWay.set(key, rendering)
    }
    return rendering
  }

  /** The page that says that there is none, or that something failed, in the language of a path. */
  async substitute(path: string, name: '404' | 'error'): Promise<Representation> {
    const sibling = siblingOf(path, name)
    return (await this.#options.store.get(sibling)) ?? this.fresh({ path: sibling, search: '' }, [])
  }

  async #renderAndStore(target: PageTarget, missing: readonly string[]): Promise<Representation> {
    const { store, missingPages } = this.#options
    const { path } = target
    const key = path + target.search
    const isNotFoundPage = path === siblingOf(path, '404')
    for (let attempt = 1; ; attempt++) {
      const { clock } = store
      const rendered = await this.#render(target)
      const isGood = [200, 301].includes(rendered.status) || isNotFoundPage
      if (rendered.status === 404 && missing.length > 0)
        missingPages.add(path, { tags: missing, clock })
      if (!isGood || rendered.tags.length === 0) {
        await store.remove(key)
        return this.#present(path, rendered)
      }
      const { page, isStale } = await store.put({ clock, ...rendered, path: key })
      if (!isStale || attempt === ATTEMPTS) return page
    }
  }

  async #render(target: PageTarget): Promise<RenderedResponse> {
    try {
      return await this.#options.render(target)
    } catch (error) {
      this.#options.report(`The page ${target.path} failed.`, error)
      return { status: 500, body: Buffer.alloc(0), headers: {}, tags: [] }
    }
  }

  /** What is sent for a rendering that is not stored: itself, or the page about what went wrong. */
  async #present(path: string, rendered: RenderedResponse): Promise<Representation> {
    const { status } = rendered
    if (status === 404 && path !== siblingOf(path, '404')) return this.substitute(path, '404')
    if (status < 500) return unstored(rendered)
    if (path === siblingOf(path, 'error')) return serverError
    const errorPage = await this.substitute(path, 'error')
    return errorPage.status === 200 ? errorPage.as(status) : serverError
  }
}

function unstored({ status, body, headers }: RenderedResponse): Representation {
  return new Representation({
    status,
    hash: contentHash(body),
    headers,
    bodies: { identity: body },
    make: {
      encodings: body.length > 500 ? ['br', 'gzip'] : [],
      // Sent once, so compressed quickly.
      body: (encoding) => (encoding === 'br' ? compressBrotli(body, 4) : compressGzip(body, 5)),
    },
  })
}
