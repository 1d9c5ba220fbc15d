import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { LOCALES } from '../../../i18n/locales.ts'
import type { Allowance } from '../../http/attempt-counter.ts'
import { addressKey, clientAddress, isLocal } from '../../http/client-address.ts'
import {
  type PageTarget,
  rememberingDestinations,
  siblingOf,
  targetOf,
} from '../addresses/destinations.ts'
import { type KnownPage, rulesOf } from '../addresses/page-table.ts'
import { type Dictionaries, NO_DICTIONARIES } from '../answers/dictionary.ts'
import type { Representation } from '../answers/representation.ts'
import {
  createPageRenderer,
  type MissingPages,
  type RenderPage,
} from '../rendering/page-renderer.ts'
import { busyPages, NOT_AHEAD, plainBusy } from '../rendering/plain-answers.ts'
import { createRefresher } from '../rendering/refresher.ts'
import { createRenderAhead } from '../rendering/render-ahead.ts'
import {
  createRenderingBudget,
  PAYMENT_STEPS,
  RENEWALS,
  type RenderingBounds,
  TooManyRenderings,
  VISITORS,
} from '../rendering/rendering-budget.ts'
import { openRequestCounts } from '../rendering/request-counts.ts'
import type { PageStore } from '../store/page-store.ts'
import type { PrerenderedPages } from './prerendered-pages.ts'
import type { StaticFiles } from './static-files.ts'
import { createThrottle } from './throttle.ts'

export interface PublishedPagesOptions {
  store: PageStore
  files: StaticFiles
  /** Pages that depend on the build alone. */
  prerendered?: PrerenderedPages
  render: RenderPage
  /** The dictionaries for compressing pages that are not stored; by default none. */
  dictionaries?: Dictionaries
  /** Whether the site has a page with this path; by default any path may be one. */
  isPage?: (path: string) => boolean
  /** How many missing pages are remembered, to be rendered once; by default 10 000. */
  missingPagesMax?: number
  /** The file that stores which pages are requested most; by default none. */
  countsFile?: string
  visitors?: RenderingBounds
  unthrottled?: Allowance
  /** Called with each page that exists, before it is sent. */
  onPage?: (request: IncomingMessage, path: string, page: Representation) => void
  /** Headers of answers that are neither a page nor a file. */
  headers?: Readonly<Record<string, string>>
  /** How many pages are rendered together in the background while there are no visitors. */
  renderedTogether?: number
  /** How long `changedSoon` collects changes, in milliseconds; by default a minute. */
  gatherFor?: number
  /** Receives failures in the background and in pages. */
  report?: (message: string, error: unknown) => void
}

/** Lists paths, starting anew at each call. */
export type PathSource = () => Iterable<string> | AsyncIterable<string>

/** Paths that other parts of the shop answer. */
const ELSEWHERE = new RegExp(
  `^/(?:(?:api|ws|media)(?:[/?]|$)|(?:robots\\.txt|sitemap[\\w-]*\\.xml|(?:(?:${LOCALES.join('|')})/)?rss\\.xml)(?:\\?|$))`,
)

/** How long after a request the shop counts as visited, in milliseconds. */
const VISIT = 1000

/** The published pages of a site. */
export type PublishedPages = ReturnType<typeof publishPages>

/** Answers requests for pages and files: from memory, from the disk, or by rendering. */
export function publishPages(options: PublishedPagesOptions) {
  const { store, files, prerendered, render, missingPagesMax = 10_000, countsFile } = options
  const { visitors = VISITORS, gatherFor = 60_000, report = console.error } = options
  const { isPage = () => true, headers = {}, onPage, dictionaries = NO_DICTIONARIES } = options
  const missingPages: MissingPages | undefined =
    missingPagesMax > 0 ? new LRUCache({ max: missingPagesMax }) : undefined
  const counts = countsFile === undefined ? undefined : openRequestCounts(countsFile)
  const renderer = createPageRenderer({ store, missingPages, render, dictionaries, report })
  const forVisitors = createRenderingBudget(visitors)
  const forPaymentSteps = createRenderingBudget(PAYMENT_STEPS)
  const forRenewals = createRenderingBudget(RENEWALS)
  const hold = createThrottle(options.unthrottled)
  const destinationOf = rememberingDestinations(isPage)
  const busy = busyPages(prerendered)
  const busyInPlainText = plainBusy(headers)
  let visitedAt = Number.NEGATIVE_INFINITY
  let allPaths: PathSource = () => []
  const ahead = createRenderAhead({
    render: renderIfNeeded,
    isBusy: () => [forVisitors, forPaymentSteps, forRenewals].some(({ isIdle }) => !isIdle()),
    isVisited: () => performance.now() - visitedAt < VISIT,
    onError: (path, error) => report(`The page ${path} could not be rendered ahead.`, error),
    together: options.renderedTogether,
  })
  const refresher = createRefresher({
    store,
    ahead,
    counts,
    renderAll: () => void renderAll(allPaths),
    gatherFor,
    report,
  })

  function count(key: string): void {
    if (!key.includes('?')) counts?.add(key)
  }

  async function answer(url: string, req: IncomingMessage, res: ServerResponse): Promise<true> {
    const destination = destinationOf(url)
    if (destination.kind === 'redirect') {
      res.writeHead(301, { ...headers, location: destination.to }).end()
      return true
    }
    const ip = clientAddress(req)
    const address = isLocal(ip) ? null : addressKey(ip)
    const isAhead = req.headers['sec-purpose'] !== undefined
    const page =
      destination.kind === 'page'
        ? await pageFor(address, destination.target, destination.rules, isAhead)
        : await renderer.substitute(destination.path, '404')
    if (onPage && page.status === 200 && destination.kind === 'page') {
      onPage(req, destination.target.path, page)
    }
    if (address !== null) await hold(address)
    return page.send(req, res)
  }

  async function pageFor(
    address: string | null,
    target: PageTarget,
    { missing, isPaymentStep }: KnownPage,
    isAhead: boolean,
  ): Promise<Representation> {
    const { path, search } = target
    const known = prerendered?.get(path)
    if (known) return known
    const miss = missingPages?.get(path)
    if (miss && !store.isStale(miss)) return renderer.substitute(path, '404')
    const key = path + search
    try {
      const stored = await storedPage(key)
      if (!stored && isAhead) return NOT_AHEAD
      const page =
        stored ??
        (await renderer.fresh(target, missing, async (work) => {
          // Pages with a query are excluded, since anyone can have any number of them stored.
          const isRenewed = search === '' && (await wasPublic(path))
          const budget = isPaymentStep ? forPaymentSteps : isRenewed ? forRenewals : forVisitors
          return budget.run(address, work)
        }))
      if (page.status === 200) count(key)
      return page
    } catch (error) {
      if (!(error instanceof TooManyRenderings)) throw error
      // The page is prerendered, so that nothing is rendered now.
      return busy.get(siblingOf(path, 'busy')) ?? busyInPlainText
    }
  }

  /** Whether a page was stored, or, where a new build has none yet, requested before. */
  async function wasPublic(path: string): Promise<boolean> {
    return (counts?.of(path) ?? 0) > 0 || store.wasStored(path)
  }

  /**
   * A stored page; one past its `maxAge`, but not its `swr`, is rendered again in the background.
   */
  async function storedPage(key: string): Promise<Representation | undefined> {
    const found = await store.lookUp(key)
    if (found?.isExpired) void ahead.now([key])
    return found?.page
  }

  async function renderIfNeeded(key: string): Promise<boolean> {
    if (prerendered?.has(key) || (await store.has(key))) return false
    const target = targetOf(key)
    await renderer.fresh(target, rulesOf(target.path)?.missing ?? [])
    return true
  }

  async function* mostRequestedFirst(paths: Iterable<string> | AsyncIterable<string>) {
    for (const path of counts?.paths() ?? []) if (isPage(path) && rulesOf(path)) yield path
    yield* paths
  }

  function renderAll(paths: PathSource): Promise<number> {
    allPaths = paths
    return ahead.all(mostRequestedFirst(paths()))
  }

  return {
    /**
     * Marks pages with these tags as stale and renders them again in the background; a request in
     * between waits for the new page. Resolves when all are rendered, never rejects. Call it after
     * the commit.
     */
    changed: refresher.changed,
    /**
     * Does the same for frequent changes, which it collects for up to a minute, even across a
     * restart.
     */
    changedSoon: refresher.changedSoon,
    /** Publishes the changes that `changedSoon` has collected. */
    flush: refresher.flush,
    /**
     * Answers a GET or HEAD for a page or a file; false if another part of the shop has to answer.
     */
    handle(req: IncomingMessage, res: ServerResponse): boolean | Promise<boolean> {
      // Set for every request, since clients of the API wait for this process as well.
      visitedAt = performance.now()
      if (req.method !== 'GET' && req.method !== 'HEAD') return false
      const url = req.url ?? '/'
      const hot = store.hot(url) ?? prerendered?.get(url)
      if (hot) {
        count(url)
        if (onPage && hot.status === 200) onPage(req, url, hot)
        return hot.send(req, res)
      }
      if (ELSEWHERE.test(url)) return false
      return files(req, res) || answer(url, req, res)
    },
    /** Marks every page as stale; each is rendered on request. */
    async everythingChanged(): Promise<void> {
      store.clear()
    },
    /**
     * Renders and stores the missing and stale ones of these pages in the background, the most
     * requested first; after a restart it continues where it stopped. Resolves to their number.
     */
    renderAll,
    /**
     * Resolves when nothing is being rendered in the background; collected changes wait on disk.
     */
    async stop(): Promise<void> {
      refresher.stop()
      await Promise.all([ahead.stop(), counts?.close()])
    },
  }
}
