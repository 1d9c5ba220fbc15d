import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Allowance } from '../../http/attempt-counter.ts'
import { clientAddress } from '../../http/client-address.ts'
import { addressKey, isLocal } from '../../http/rate-limits.ts'
import { MissingPages } from '../rendering/missing-pages.ts'
import { PageRenderer } from '../rendering/page-renderer.ts'
import { RenderAhead } from '../rendering/render-ahead.ts'
import {
  PAYMENT_STEPS,
  RETRY_AFTER,
  type RenderingBounds,
  RenderingBudget,
  TooManyRenderings,
  VISITORS,
} from '../rendering/rendering-budget.ts'
import { RequestCounts } from '../rendering/request-counts.ts'
import type { PageTarget, RenderPage } from '../site/site.ts'
import type { PageStore } from '../store/page-store.ts'
import { destinationOf, siblingOf } from './destinations.ts'
import { type KnownPage, rulesOf } from './page-table.ts'
import { Representation } from './representation.ts'
import type { StaticFiles } from './static-files.ts'
import { Throttle } from './throttle.ts'

export interface PublishedPagesOptions {
  store: PageStore
  files: StaticFiles
  render: RenderPage
  /** Which paths the site has; without it any may be one. */
  isPage?: (path: string) => boolean
  /** Which pages do not exist, as far as is known; the usual bound. */
  missingPages?: MissingPages
  /** Where it is kept which pages are asked for most; nowhere. */
  countsFile?: string
  visitors?: RenderingBounds
  unthrottled?: Allowance
  /** Of what is sent besides pages and files. */
  headers?: Readonly<Record<string, string>>
  /** How long `changedSoon` gathers, in milliseconds; a minute. */
  gatherFor?: number
  /** Told of what failed in the background or in a page. */
  report?: (message: string, error: unknown) => void
}

/** Paths that the publisher leaves to others. */
const ELSEWHERE =
  /^\/(?:(?:api|ws|media)(?=[/?]|$)|(?:robots\.txt|sitemap[\w-]*\.xml|(?:(?:fr|en)\/)?rss\.xml)(?=\?|$))/

/** For so long after a request there are visitors, in milliseconds. */
const VISIT = 1000

/** Serves pages and files, renders what is missing, and keeps what is stored true. */
export class PublishedPages {
  readonly #options: PublishedPagesOptions
  readonly #missingPages: MissingPages
  readonly #counts: RequestCounts | undefined
  readonly #renderer: PageRenderer
  readonly #visitors: RenderingBudget
  readonly #throttle: Throttle
  readonly #paymentSteps = new RenderingBudget(PAYMENT_STEPS)
  readonly #ahead: RenderAhead
  readonly #busy = new WeakMap<Representation, Representation>()
  readonly #plainBusy: Representation
  readonly #gathered = new Set<string>()
  #gathering: NodeJS.Timeout | undefined
  #visitedAt = Number.NEGATIVE_INFINITY

  constructor(options: PublishedPagesOptions) {
    const {
      store,
      render,
      missingPages = new MissingPages(),
      countsFile,
      visitors = VISITORS,
    } = options
    const report = options.report ?? console.error
    this.#options = options
    this.#missingPages = missingPages
    this.#counts = countsFile === undefined ? undefined : new RequestCounts(countsFile)
    this.#renderer = new PageRenderer({ store, missingPages, render, report })
    this.#visitors = new RenderingBudget(visitors)
    this.#throttle = new Throttle(options.unthrottled)
    this.#plainBusy = plainBusy(options.headers)
    this.#ahead = new RenderAhead({
      render: (path) => this.#renderAhead(path),
      isBusy: () => !this.#visitors.isIdle || !this.#paymentSteps.isIdle,
      isVisited: () => performance.now() - this.#visitedAt < VISIT,
      onError: (path, error) => report(`The page ${path} could not be rendered ahead.`, error),
    })
  }

  /** Answers a GET or HEAD for a page or a file; false where it is not for us (`/api`, `/ws`, POST). */
  handle(req: IncomingMessage, res: ServerResponse): boolean | Promise<boolean> {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const url = req.url ?? '/'
    this.#visitedAt = performance.now()
    const hot = this.#options.store.hot(url)
    if (hot) {
      this.#count(url)
      return hot.send(req, res)
    }
    if (ELSEWHERE.test(url)) return false
    return this.#options.files(req, res) || this.#answer(url, req, res)
  }

  /**
   * Pages with these tags are stale from now on and rendered again behind; a request in between
   * waits for the new page. Resolves when all are rendered, never rejects. Call it after the commit.
   */
  changed(tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return Promise.resolve()
    this.#options.store.invalidate(tags)
    return this.#refresh(tags)
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
  async everythingChanged(): Promise<void> {
    this.#options.store.clear()
  }

  /** Publishes now what `changedSoon` has gathered. */
  flush(): Promise<void> {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const tags = [...this.#gathered]
    this.#gathered.clear()
    return this.changed(tags)
  }

  /**
   * Renders and stores those of these pages that are missing or stale, behind the visitors and those
   * that are asked for most first; goes on where it was ended. Resolves to how many these were.
   */
  renderAll(paths: Iterable<string> | AsyncIterable<string>): Promise<number> {
    return this.#ahead.all(this.#mostWantedFirst(paths))
  }

  /** Resolves when nothing is rendered in the background; what was gathered waits on disk. */
  async stop(): Promise<void> {
    clearTimeout(this.#gathering)
    await Promise.all([this.#ahead.stop(), this.#counts?.close()])
  }

  async #answer(url: string, req: IncomingMessage, res: ServerResponse): Promise<true> {
    const destination = destinationOf(url, (path) => this.#isPage(path))
    if (destination.kind === 'redirect') {
      res.writeHead(301, { ...this.#options.headers, location: destination.to }).end()
      return true
    }
    const ip = clientAddress(req)
    const address = isLocal(ip) ? null : addressKey(ip)
    const page =
      destination.kind === 'page'
        ? await this.#pageFor(address, destination.target, destination.rules)
        : await this.#renderer.substitute(destination.path, '404')
    if (address !== null) await this.#throttle.hold(address)
    return page.send(req, res)
  }

  async #pageFor(
    address: string | null,
    target: PageTarget,
    { missing, isPaymentStep }: KnownPage,
  ): Promise<Representation> {
    const { store } = this.#options
    const { path, search } = target
    if (this.#missingPages.has(path, (made) => store.isStale(made))) {
      return this.#renderer.substitute(path, '404')
    }
    const budget = isPaymentStep ? this.#paymentSteps : this.#visitors
    try {
      const page =
        (await store.get(path + search)) ??
        (await this.#renderer.fresh(target, missing, (work) => budget.run(address, work)))
      if (page.status === 200) this.#count(path + search)
      return page
    } catch (error) {
      if (error instanceof TooManyRenderings) return this.#busyFor(path)
      throw error
    }
  }

  /** "Too many at once" in the language of a path: as it was made beforehand, nothing is rendered now. */
  async #busyFor(path: string): Promise<Representation> {
    const page = await this.#options.store.get(siblingOf(path, 'busy'))
    if (!page) return this.#plainBusy
    const busy = this.#busy.get(page) ?? page.as(429, BUSY_HEADERS)
    this.#busy.set(page, busy)
    return busy
  }

  async #renderAhead(path: string): Promise<boolean> {
    if (await this.#options.store.has(path)) return false
    await this.#renderer.fresh({ path, search: '' }, rulesOf(path)?.missing ?? [])
    return true
  }

  async #refresh(tags: readonly string[]): Promise<void> {
    try {
      const paths = await this.#options.store.pagesWith(tags)
      await this.#ahead.now(paths.sort((a, b) => this.#wanted(b) - this.#wanted(a)))
    } catch (error) {
      // Those pages stay stale, so the next request renders them.
      const report = this.#options.report ?? console.error
      report(`Pages with ${tags.join(', ')} could not be rendered ahead.`, error)
    }
  }

  async *#mostWantedFirst(paths: Iterable<string> | AsyncIterable<string>) {
    for (const path of this.#counts?.paths ?? []) {
      if (this.#isPage(path) && rulesOf(path)) yield path
    }
    yield* paths
  }

  #isPage(path: string): boolean {
    return this.#options.isPage?.(path) ?? true
  }

  #wanted(path: string): number {
    return this.#counts?.of(path) ?? 0
  }

  #count(key: string): void {
    if (this.#counts && !key.includes('?')) this.#counts.add(key)
  }
}

const BUSY_HEADERS = { 'retry-after': String(RETRY_AFTER), 'cache-control': 'no-store' }

/** Until its page was made. */
function plainBusy(headers: Readonly<Record<string, string>> = {}): Representation {
  return new Representation({
    status: 429,
    hash: 'busy',
    headers: { ...headers, ...BUSY_HEADERS, 'content-type': 'text/plain; charset=utf-8' },
    bodies: { identity: Buffer.from(`Too Many Requests: try again in ${RETRY_AFTER} seconds.`) },
  })
}
