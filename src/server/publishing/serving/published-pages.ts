import type { IncomingMessage, ServerResponse } from 'node:http'
import { LOCALES } from '../../../i18n/locales.ts'
import { SECOND_MS } from '../../../rules/durations.ts'
import { EMPTY_REQUEST_ID } from '../../../rules/error-page.ts'
import { noPages, type PageCounts } from '../../../rules/page-sources.ts'
import { EVERY_PAGE_TAG } from '../../../rules/page-tags.ts'
import type { Allowance } from '../../http/attempt-counter.ts'
import { addressKey, clientAddressBehind, isLocal } from '../../http/client-address.ts'
import { REQUEST_ID, requestIdsFrom } from '../../http/request-id.ts'
import {
  destinationOf,
  type KnownPage,
  type PageTarget,
  rulesOf,
  siblingOf,
  targetOf,
} from '../addresses/addresses.ts'
import { createDifferences } from '../answers/differences.ts'
import type { Representation } from '../answers/representation.ts'
import { createPageRenderer, plainText, type RenderPage } from '../rendering/page-renderer.ts'
import { createRenderAhead, type PathSource } from '../rendering/render-ahead.ts'
import {
  createRenderingBudget,
  createThrottle,
  PAYMENT_STEPS,
  RETRY_AFTER,
  type RenderingBounds,
  TooManyRenderings,
  VISITORS,
} from '../rendering/rendering-budget.ts'
import type { PageStore } from '../store/page-store.ts'
import type { PrerenderedPages, StaticFiles } from './static-files.ts'

export interface PublishedPagesOptions {
  store: PageStore
  files: StaticFiles
  prerendered?: PrerenderedPages
  render: RenderPage
  /** Whether the site has a page with this path; by default any path may be one. */
  isPage?: (path: string) => boolean
  /** How many missing pages are remembered, to be rendered once; by default 10 000. */
  missingPagesMax?: number
  visitors?: RenderingBounds
  unthrottled?: Allowance
  /** Counts the pages that are sent. */
  counts?: PageCounts
  /** Called when a page that was not in memory is ready to be sent; the time is in seconds. */
  onReady?: (method: string, status: number, seconds: number) => void
  /** Called with each page that exists, before it is sent. */
  onPage?: (request: IncomingMessage, path: string, page: Representation) => void
  headers?: Readonly<Record<string, string>>
  /** The proxies that may name their clients; by default those of this machine. */
  trustedProxies?: readonly string[]
  /** How long `changedSoon` collects changes, in milliseconds; by default a minute. */
  gatherFor?: number
  report?: (message: string, error: unknown) => void
}

/** Paths that other parts of the shop answer. */
const ELSEWHERE = new RegExp(
  `^/(?:(?:api|ws|media|t|d)(?:[/?]|$)|(?:robots\\.txt|sitemap[\\w-]*\\.xml|(?:(?:${LOCALES.join('|')})/)?rss\\.xml)(?:\\?|$))`,
)

const BUSY_HEADERS = { 'retry-after': String(RETRY_AFTER), 'cache-control': 'no-store' }

/**
 * The answer to a browser that prefetches a page which would have to be rendered: the visitor may never look
 * at it, and prefetching must not use up their budget of renderings.
 */
const NOT_AHEAD = plainText(503, '', { 'cache-control': 'no-store' })

export type PublishedPages = ReturnType<typeof publishPages>

/** Answers requests for pages and files: from memory, from the disk, or by rendering. */
export function publishPages(options: PublishedPagesOptions) {
  const { store, files, prerendered, render, missingPagesMax = 10_000 } = options
  const { visitors = VISITORS, gatherFor = 60_000, report = console.error } = options
  const { isPage = () => true, headers = {}, onPage, onReady } = options
  const { counts = noPages() } = options
  const { trustedProxies = ['loopback'] } = options
  const addressOf = clientAddressBehind(trustedProxies)
  const { idOf } = requestIdsFrom(trustedProxies)
  const renderer = createPageRenderer({ store, render, missingPagesMax, report })
  const differences = createDifferences({ find: store.find, addressOf })
  const forVisitors = createRenderingBudget(visitors)
  const forPaymentSteps = createRenderingBudget(PAYMENT_STEPS)
  const hold = createThrottle(options.unthrottled)
  const busy = busyPages()
  const busyInPlainText = plainText(
    429,
    `Too Many Requests: try again in ${RETRY_AFTER} seconds.`,
    { ...headers, ...BUSY_HEADERS },
  )
  const ahead = createRenderAhead({
    render: renderIfNeeded,
    isBusy: () => !forVisitors.isIdle() || !forPaymentSteps.isIdle(),
    onError: (path, error) => report(`The page ${path} could not be rendered ahead.`, error),
  })
  let allPaths: PathSource = () => []
  const gathered = new Set<string>()
  let gathering: NodeJS.Timeout | undefined

  /** The answer "too many at once" in each language, from the prerendered pages that say so. */
  function busyPages() {
    const named = [...(prerendered ?? [])].filter(([path]) => path === siblingOf(path, 'busy'))
    return new Map(named.map(([path, page]) => [path, page.as(429, BUSY_HEADERS)]))
  }

  function send(page: Representation, req: IncomingMessage, res: ServerResponse) {
    const difference = differences(page, req)
    return difference instanceof Promise
      ? difference.then((made) => page.send(req, res, made))
      : page.send(req, res, difference)
  }

  /** Sends the page about a failure, with the id by which its reader can ask about the request. */
  async function sendFailure(
    page: Representation,
    path: string,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<true> {
    const id = idOf(req)
    report(`Instead of ${path}, the page about a failure was sent to the request`, id)
    const shown = EMPTY_REQUEST_ID.replace('><', `>${id}<`)
    const named = await page.changed((html) => html.replace(EMPTY_REQUEST_ID, shown), {
      [REQUEST_ID]: id,
    })
    return named.send(req, res)
  }

  async function answer(url: string, req: IncomingMessage, res: ServerResponse): Promise<true> {
    const destination = destinationOf(url, isPage)
    if (destination.kind === 'redirect') {
      res.writeHead(301, { ...headers, location: destination.to }).end()
      return true
    }
    const { path } = destination.kind === 'page' ? destination.target : destination
    const ip = addressOf(req)
    const address = isLocal(ip) ? null : addressKey(ip)
    const isAhead = req.headers['sec-purpose'] !== undefined
    const startedAt = performance.now()
    const page = await (destination.kind === 'page'
      ? pageFor(address, destination.target, destination.rules, isAhead)
      : missingPage(path))
    if (page !== NOT_AHEAD)
      onReady?.(req.method ?? '', page.status, (performance.now() - startedAt) / SECOND_MS)
    if (onPage && page.status === 200 && destination.kind === 'page') {
      onPage(req, path, page)
    }
    if (address !== null) await hold(address)
    return page.status === 500 ? sendFailure(page, path, req, res) : send(page, req, res)
  }

  function missingPage(path: string): Promise<Representation> {
    counts.missing++
    return renderer.substitute(path, '404')
  }

  async function pageFor(
    address: string | null,
    target: PageTarget,
    { missing, isPaymentStep }: KnownPage,
    isAhead: boolean,
  ): Promise<Representation> {
    const { path, search } = target
    const known = prerendered?.get(path) ?? store.hot(path + search)
    if (known) {
      counts.memory++
      return known
    }
    if (renderer.isMissing(path)) return missingPage(path)
    const stored = await store.get(path + search)
    if (stored) {
      counts.disk++
      return stored
    }
    if (isAhead) {
      counts.refused++
      return NOT_AHEAD
    }
    const budget = isPaymentStep ? forPaymentSteps : forVisitors
    try {
      const page = await renderer.fresh(target, missing, (work) => budget.run(address, work))
      counts.rendered++
      return page.status === 503 ? ((await formerOf(path + search)) ?? page) : page
    } catch (error) {
      if (!(error instanceof TooManyRenderings)) throw error
      counts.refused++
      // The page is prerendered, so that nothing is rendered now.
      return busy.get(siblingOf(path, 'busy')) ?? busyInPlainText
    }
  }

  /** A page as it was before its data changed, sent while the database cannot be read. */
  async function formerOf(key: string): Promise<Representation | undefined> {
    const page = await store.former(key)
    return page?.as(page.status, { 'cache-control': 'no-store' })
  }

  async function renderIfNeeded(key: string): Promise<boolean> {
    if (prerendered?.has(key) || (await store.get(key))) return false
    const target = targetOf(key)
    await renderer.fresh(target, rulesOf(target.path)?.missing ?? [])
    if (target.search) await store.write(key)
    return true
  }

  async function changed(tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return
    const inMemory = store.invalidate(tags)
    if (tags.includes(EVERY_PAGE_TAG)) void ahead.all(allPaths())
    else await ahead.now(inMemory)
  }

  function flush(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    const tags = [...gathered]
    gathered.clear()
    return changed(tags)
  }

  return {
    /**
     * Marks pages with these tags as stale and renders those in memory again in the background; a
     * request in between waits for the new page. Resolves when all are rendered, never rejects. Call
     * it after the commit.
     */
    changed,
    /**
     * Does the same for frequent changes, which it collects for up to a minute, even across a
     * restart.
     */
    changedSoon(tags: readonly string[]): void {
      const added = tags.filter((tag) => !gathered.has(tag))
      if (added.length === 0) return
      store.invalidateSoon(added)
      for (const tag of added) gathered.add(tag)
      gathering ??= setTimeout(flush, gatherFor).unref()
    },
    /**
     * Answers a GET or HEAD for a page or a file; false if another part of the shop has to answer.
     */
    handle(req: IncomingMessage, res: ServerResponse): boolean | Promise<boolean> {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false
      const url = req.url ?? '/'
      const hot = store.hot(url) ?? prerendered?.get(url)
      if (hot) {
        counts.memory++
        if (onPage && hot.status === 200) onPage(req, url, hot)
        return send(hot, req, res)
      }
      if (ELSEWHERE.test(url)) return false
      return files(req, res) || answer(url, req, res)
    },
    /** Marks every page as stale; each is rendered on request. */
    async everythingChanged(): Promise<void> {
      store.clear()
    },
    /**
     * Renders and stores the missing and stale ones of these pages in the background; after a restart
     * it continues where it stopped. Resolves to their number.
     */
    renderAll(paths: PathSource): Promise<number> {
      allPaths = paths
      return ahead.all(paths())
    },
    /**
     * Resolves when nothing is being rendered in the background; collected changes wait on disk.
     */
    async stop(): Promise<void> {
      clearTimeout(gathering)
      await ahead.stop()
    },
  }
}
