import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { LOCALES } from '../../../i18n/locales.ts'
import type { Allowance } from '../../http/attempt-counter.ts'
import { clientAddress } from '../../http/client-address.ts'
import { addressKey, isLocal } from '../../http/rate-limits.ts'
import { destinationOf, type PageTarget, siblingOf, targetOf } from '../addresses/destinations.ts'
import { type KnownPage, rulesOf } from '../addresses/page-table.ts'
import type { Representation } from '../answers/representation.ts'
import { type MissingPages, PageRenderer, type RenderPage } from '../rendering/page-renderer.ts'
import { busyPages, plainBusy } from '../rendering/plain-answers.ts'
import { createRefresher, type Refresher } from '../rendering/refresher.ts'
import { RenderAhead } from '../rendering/render-ahead.ts'
import {
  PAYMENT_STEPS,
  type RenderingBounds,
  RenderingBudget,
  TooManyRenderings,
  VISITORS,
} from '../rendering/rendering-budget.ts'
import { RequestCounts } from '../rendering/request-counts.ts'
import type { PageStore } from '../store/page-store.ts'
import type { PrerenderedPages } from './prerendered-pages.ts'
import type { StaticFiles } from './static-files.ts'
import { Throttle } from './throttle.ts'

export interface PublishedPagesOptions {
  store: PageStore
  files: StaticFiles
  /** Pages that depend on the build alone. */
  prerendered?: PrerenderedPages
  render: RenderPage
  /** Whether the site has a page of this path; without it any path may be one. */
  isPage?: (path: string) => boolean
  /** How many pages that do not exist are remembered, so that they cost no rendering again; 10 000. */
  missingPagesMax?: number
  /** Where it is kept which pages are asked for most; nowhere. */
  countsFile?: string
  visitors?: RenderingBounds
  unthrottled?: Allowance
  /** Sent with what is neither a page nor a file. */
  headers?: Readonly<Record<string, string>>
  /** How long `changedSoon` gathers, in milliseconds; a minute. */
  gatherFor?: number
  /** Takes what failed in the background or in a page. */
  report?: (message: string, error: unknown) => void
}

/** Lists paths, each time anew. */
export type PathSource = () => Iterable<string> | AsyncIterable<string>

/** Paths that other parts of the shop answer. */
const ELSEWHERE = new RegExp(
  `^/(?:(?:api|ws|media)(?=[/?]|$)|(?:robots\\.txt|sitemap[\\w-]*\\.xml|(?:(?:${LOCALES.join('|')})/)?rss\\.xml)(?=\\?|$))`,
)

/** For so long after a request there are visitors, in milliseconds. */
const VISIT = 1000

/** Answers requests for pages and files: from memory, from the disk, or by rendering. */
export class PublishedPages {
  readonly #options: PublishedPagesOptions
  readonly #missingPages: MissingPages | undefined
  readonly #counts: RequestCounts | undefined
  readonly #renderer: PageRenderer
  readonly #visitors: RenderingBudget
  readonly #paymentSteps = new RenderingBudget(PAYMENT_STEPS)
  readonly #throttle: Throttle
  readonly #ahead: RenderAhead
  readonly #refresher: Refresher
  /**
   * Pages with these tags are stale from now on and rendered again behind; a request in between
   * waits for the new page. Resolves when all are rendered, never rejects. Call it after the commit.
   */
  readonly changed: Refresher['changed']
  /** The same for what changes by the minute: gathered for up to a minute, also over a restart. */
  readonly changedSoon: Refresher['changedSoon']
  /** Publishes now what `changedSoon` has gathered. */
  readonly flush: Refresher['flush']
  readonly #busyPages: PrerenderedPages
  readonly #plainBusy: Representation
  #visitedAt = Number.NEGATIVE_INFINITY
  #allPaths: PathSource = () => []

  constructor(options: PublishedPagesOptions) {
    const { store, render, missingPagesMax = 10_000, countsFile } = options
    const { visitors = VISITORS, gatherFor = 60_000, report = console.error } = options
    this.#options = options
    const missingPages: MissingPages | undefined =
      missingPagesMax > 0 ? new LRUCache({ max: missingPagesMax }) : undefined
    this.#missingPages = missingPages
    this.#counts = countsFile === undefined ? undefined : new RequestCounts(countsFile)
    this.#renderer = new PageRenderer({ store, missingPages, render, report })
    this.#visitors = new RenderingBudget(visitors)
    this.#throttle = new Throttle(options.unthrottled)
    this.#plainBusy = plainBusy(options.headers)
    this.#busyPages = busyPages(options.prerendered)
    this.#ahead = new RenderAhead({
      render: (key) => this.#renderAhead(key),
      isBusy: () => !this.#visitors.isIdle || !this.#paymentSteps.isIdle,
      isVisited: () => performance.now() - this.#visitedAt < VISIT,
      onError: (path, error) => report(`The page ${path} could not be rendered ahead.`, error),
    })
    const [ahead, counts] = [this.#ahead, this.#counts]
    const renderAll = () => void this.renderAll()
    this.#refresher = createRefresher({ store, ahead, counts, renderAll, gatherFor, report })
    this.changed = this.#refresher.changed
    this.changedSoon = this.#refresher.changedSoon
    this.flush = this.#refresher.flush
  }

  /** Answers a GET or HEAD for a page or a file; false where another part of the shop does. */
  handle(req: IncomingMessage, res: ServerResponse): boolean | Promise<boolean> {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const url = req.url ?? '/'
    this.#visitedAt = performance.now()
    const hot = this.#options.store.hot(url) ?? this.#options.prerendered?.get(url)
    if (hot) {
      this.#count(url)
      return hot.send(req, res)
    }
    if (ELSEWHERE.test(url)) return false
    return this.#options.files(req, res) || this.#answer(url, req, res)
  }

  /** Every page is stale from now on, and rendered when it is asked for. */
  async everythingChanged(): Promise<void> {
    this.#options.store.clear()
  }

  /**
   * Renders and stores those of these pages that are missing or stale, behind the visitors and those
   * that are asked for most first; goes on where it was ended. Resolves to how many these were.
   * Without an argument those that were given last.
   */
  renderAll(paths = this.#allPaths): Promise<number> {
    this.#allPaths = paths
    return this.#ahead.all(this.#mostWantedFirst(paths()))
  }

  /** Resolves when nothing is rendered in the background; what was gathered waits on disk. */
  async stop(): Promise<void> {
    this.#refresher.stop()
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
    const prerendered = this.#options.prerendered?.get(path)
    if (prerendered) return prerendered
    const miss = this.#missingPages?.get(path)
    if (miss && !store.isStale(miss)) {
      return this.#renderer.substitute(path, '404')
    }
    const budget = isPaymentStep ? this.#paymentSteps : this.#visitors
    try {
      const page =
        (await this.#stored(path + search)) ??
        (await this.#renderer.fresh(target, missing, (work) => budget.run(address, work)))
      if (page.status === 200) this.#count(path + search)
      return page
    } catch (error) {
      if (error instanceof TooManyRenderings) return this.#busyPage(path)
      throw error
    }
  }

  /** A stored page; one whose `maxAge` is over, but not its `swr`, is rendered again behind. */
  async #stored(key: string): Promise<Representation | undefined> {
    const found = await this.#options.store.lookUp(key)
    if (found?.isExpired) void this.#ahead.now([key])
    return found?.page
  }

  /** "Too many at once" in the language of a path; prerendered, so that nothing is rendered now. */
  #busyPage(path: string): Representation {
    return this.#busyPages.get(siblingOf(path, 'busy')) ?? this.#plainBusy
  }

  async #renderAhead(key: string): Promise<boolean> {
    if (this.#options.prerendered?.has(key) || (await this.#options.store.has(key))) return false
    const target = targetOf(key)
    await this.#renderer.fresh(target, rulesOf(target.path)?.missing ?? [])
    return true
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

  #count(key: string): void {
    if (this.#counts && !key.includes('?')) this.#counts.add(key)
  }
}
