import type { IncomingMessage, ServerResponse } from 'node:http'
import { inTurns } from './background.ts'
import { compressBrotli, compressGzip } from './compression.ts'
import { contentHash } from './page-file.ts'
import type { PageStore } from './page-store.ts'
import { Representation } from './representation.ts'
import type { PageTarget, RenderedResponse, RenderPage } from './site.ts'
import type { StaticFiles } from './static-files.ts'
import { destinationOf, siblingOf } from './targets.ts'

export interface PublisherOptions {
  store: PageStore
  files: StaticFiles
  render: RenderPage
  /** How long `changedSoon` gathers, in milliseconds; a minute. */
  gatherFor?: number
  /** Told of what failed in the background or in a page. */
  report?: (message: string, error: unknown) => void
}

/** Paths that the publisher leaves to others. */
const ELSEWHERE =
  /^\/(?:(?:api|ws|media)(?=[/?]|$)|(?:robots\.txt|sitemap[\w-]*\.xml|(?:(?:fr|en)\/)?rss\.xml)(?=\?|$))/

/** How often a page is rendered again because its data changed while it was. */
const ATTEMPTS = 5

const serverError = new Representation({
  status: 500,
  hash: 'error',
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  bodies: { identity: Buffer.from('Internal Server Error') },
})

/** Serves pages and files, renders what is missing, and keeps what is stored true. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #rendering = new Map<string, Promise<Representation>>()
  readonly #gathered = new Set<string>()
  #gathering: NodeJS.Timeout | undefined
  #background: Promise<unknown> = Promise.resolve()

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /** Answers a GET or HEAD for a page or a file; false where it is not for us (`/api`, `/ws`, POST). */
  handle(req: IncomingMessage, res: ServerResponse): boolean | Promise<boolean> {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const url = req.url ?? '/'
    const hot = this.#options.store.hot(url)
    if (hot) return hot.send(req, res)
    if (ELSEWHERE.test(url)) return false
    return this.#options.files(req, res) || this.#answer(url, req, res)
  }

  /**
   * Pages with these tags are stale from now on and rendered again in the background; a request in
   * between waits for the new page. Resolves when all are rendered, never rejects. Call it after the
   * commit.
   */
  changed(tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return Promise.resolve()
    this.#options.store.invalidate(tags)
    const refreshed = this.#refresh(tags)
    this.#background = Promise.all([this.#background, refreshed])
    return refreshed
  }

  /** The same for what changes by the minute: gathered for up to a minute, also over a restart. */
  changedSoon(tags: readonly string[]): void {
    const added = tags.filter((tag) => !this.#gathered.has(tag))
    if (added.length === 0) return
    this.#options.store.announce(added)
    for (const tag of added) this.#gathered.add(tag)
    this.#gathering ??= setTimeout(() => this.flush(), this.#options.gatherFor ?? 60_000).unref()
  }

  /** Every page is stale from now on, and rendered when it is asked for. */
  everythingChanged(): Promise<void> {
    return this.#options.store.clear()
  }

  /** Publishes now what `changedSoon` has gathered. */
  flush(): Promise<void> {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const tags = [...this.#gathered]
    this.#gathered.clear()
    return this.changed(tags)
  }

  /** Renders and stores those of these pages that are missing or stale; resumes where it was ended. */
  async prerenderAll(
    paths: Iterable<string> | AsyncIterable<string>,
  ): Promise<{ rendered: number; failed: string[] }> {
    const { store } = this.#options
    const failed: string[] = []
    let rendered = 0
    await inTurns(paths, async (path) => {
      if (await store.has(path)) return
      rendered++
      if ((await this.#fresh(path)).status >= 500) failed.push(path)
    })
    return { rendered, failed }
  }

  /** Resolves when nothing is being rendered in the background; what was gathered waits on disk. */
  async stop(): Promise<void> {
    clearTimeout(this.#gathering)
    await this.#background
  }

  async #answer(url: string, req: IncomingMessage, res: ServerResponse): Promise<true> {
    const destination = destinationOf(url)
    if (destination.kind === 'redirect') {
      res.writeHead(301, { location: destination.to }).end()
      return true
    }
    const page =
      destination.kind === 'page'
        ? await this.#pageOf(destination.target)
        : await this.#page(siblingOf(destination.path, '404'))
    return page.send(req, res)
  }

  /** With a query a page is rendered for this request alone, and never stored. */
  async #pageOf(target: PageTarget): Promise<Representation> {
    if (target.search === '') return this.#page(target.path)
    return this.#present(target.path, await this.#render(target))
  }

  async #page(path: string): Promise<Representation> {
    return (await this.#options.store.get(path)) ?? this.#fresh(path)
  }

  /** One rendering of a page at a time, however many ask for it. */
  #fresh(path: string): Promise<Representation> {
    let rendering = this.#rendering.get(path)
    if (!rendering) {
      rendering = this.#renderAndStore(path).finally(() => this.#rendering.delete(path))
      this.#rendering.set(path, rendering)
    }
    return rendering
  }

  async #renderAndStore(path: string): Promise<Representation> {
    const { store } = this.#options
    for (let attempt = 1; ; attempt++) {
      const { clock } = store
      const rendered = await this.#render({ path, search: '' })
      const isNotFoundPage = path === siblingOf(path, '404')
      const isGood = rendered.status === 200 || (rendered.status === 404 && isNotFoundPage)
      if (!isGood || rendered.tags.length === 0) {
        await store.remove(path)
        return this.#present(path, rendered)
      }
      const { page, isStale } = await store.put({ path, clock, ...rendered })
      if (!isStale || attempt === ATTEMPTS) return page
    }
  }

  async #render(target: PageTarget): Promise<RenderedResponse> {
    try {
      return await this.#options.render(target)
    } catch (error) {
      this.#report(`The page ${target.path} failed.`, error)
      return { status: 500, body: Buffer.alloc(0), headers: {}, tags: [] }
    }
  }

  /** What is sent for a rendering that is not stored: itself, or the page about what went wrong. */
  async #present(path: string, rendered: RenderedResponse): Promise<Representation> {
    const { status } = rendered
    if (status === 404 && path !== siblingOf(path, '404')) return this.#page(siblingOf(path, '404'))
    if (status < 500) return unstored(rendered)
    const errorPath = siblingOf(path, 'error')
    if (path === errorPath) return serverError
    const errorPage = await this.#page(errorPath)
    return errorPage.status === 200 ? errorPage.withStatus(status) : serverError
  }

  async #refresh(tags: readonly string[]): Promise<void> {
    const { store } = this.#options
    try {
      await inTurns(await store.pagesWith(tags), async (path) => {
        if (!(await store.has(path))) await this.#fresh(path)
      })
    } catch (error) {
      // Those pages stay stale, so the next request renders them.
      this.#report(`Pages with ${tags.join(', ')} could not be rendered ahead.`, error)
    }
  }

  #report(message: string, error: unknown) {
    if (this.#options.report) this.#options.report(message, error)
    else console.error(message, error)
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
