import { LRUCache } from 'lru-cache'
import { pathTag, SITE_TAG } from '../../../rules/page-tags.ts'
import { sharedWork } from '../../concurrency/shared-work.ts'
import { type PageTarget, siblingOf } from '../addresses/addresses.ts'
import { compressBrotli, compressGzip } from '../answers/compression.ts'
import { contentHash } from '../answers/etags.ts'
import { Representation } from '../answers/representation.ts'
import type { PageStore, RenderedResponse } from '../store/page-store.ts'

/** Renders a page through the `PageCache`, which stores it. */
export type RenderPage = (target: PageTarget) => Promise<Outcome>

interface PageRendererOptions {
  store: PageStore
  render: RenderPage
  /** How many missing pages are remembered, to be rendered once. */
  missingPagesMax: number
  report: (message: string, error: unknown) => void
}

/** Starts a rendering when its turn comes, or refuses it. */
type Turn = (work: () => Promise<Representation>) => Promise<Representation>

/** How often a page is rendered again because its data changed meanwhile. */
const ATTEMPTS = 5

const atOnce: Turn = (work) => work()

const FAILURE = { 'cache-control': 'no-store' }
const UNAVAILABLE_HEADERS = { ...FAILURE, 'retry-after': '5' }

/** The answer where even the page about a failure cannot be rendered. */
const SERVER_ERROR = plainText(500, 'Internal Server Error', FAILURE)
/** The same while the data cannot be read, as during a failover of the database. */
const UNAVAILABLE = plainText(503, 'Service Unavailable', UNAVAILABLE_HEADERS)

/** Renders pages, each once for all requests that wait for it; after a failure, finds the page to send instead. */
export function createPageRenderer({
  store,
  render,
  missingPagesMax,
  report,
}: PageRendererOptions) {
  const once = sharedWork<Representation>()
  /** Pages found not to exist; one of their `tags` changes when such a page is created. */
  const missingPages = new LRUCache<string, { tags: readonly string[]; clock: number }>({
    maxSize: Math.max(missingPagesMax, 1),
    sizeCalculation: () => 1,
  })

  /** Renders a page and stores it; `missing` are the tags that change when a missing page is created. */
  function fresh(
    target: PageTarget,
    missing: readonly string[],
    turn: Turn = atOnce,
  ): Promise<Representation> {
    return once(target.path + target.search, () => turn(() => renderAndStore(target, missing)))
  }

  /** The page for a missing page or a failure, in the language of a path. */
  async function substitute(path: string, name: '404' | 'error'): Promise<Representation> {
    const sibling = siblingOf(path, name)
    return (await store.get(sibling)) ?? fresh({ path: sibling, search: '' }, [])
  }

  async function renderAndStore(
    target: PageTarget,
    missing: readonly string[],
  ): Promise<Representation> {
    const { path } = target
    for (let attempt = 1; ; attempt++) {
      const clock = store.clock()
      const outcome = await renderOrReport(target)
      if (!outcome.page) {
        const { rendered } = outcome
        if (rendered.status === 404 && missing.length > 0 && missingPagesMax > 0) {
          missingPages.set(path, { tags: [...missing, pathTag(path)], clock })
        }
        return presentPage(path, rendered)
      }
      if (!outcome.isStale || attempt === ATTEMPTS) return outcome.page
    }
  }

  async function renderOrReport(target: PageTarget): Promise<Outcome> {
    try {
      return await render(target)
    } catch (error) {
      report(`The page ${target.path} failed.`, error)
      return { rendered: { status: 500, body: Buffer.alloc(0), headers: {}, tags: [] } }
    }
  }

  /** The answer for a rendering that is not stored: itself, or the page about what went wrong. */
  async function presentPage(path: string, rendered: RenderedResponse): Promise<Representation> {
    const { status } = rendered
    if (status === 404 && path !== siblingOf(path, '404')) return substitute(path, '404')
    // A page that answers 503 and has a text says itself what could not be read.
    if (status < 500 || (status === 503 && rendered.body.length > 0)) return unstored(rendered)
    const failure = status === 503 ? UNAVAILABLE : SERVER_ERROR
    if (path === siblingOf(path, 'error')) return failure
    const errorPage = await substitute(path, 'error')
    return errorPage.status === 200
      ? errorPage.as(status, status === 503 ? UNAVAILABLE_HEADERS : FAILURE)
      : failure
  }

  return {
    fresh,
    substitute,
    /** Whether a page is remembered not to exist. */
    isMissing(path: string): boolean {
      const miss = missingPages.get(path)
      return miss !== undefined && !store.isStale(miss)
    },
  }
}

/** The answer for a response that is sent only once, and is therefore compressed quickly. */
function unstored({ status, body, headers }: RenderedResponse): Representation {
  return new Representation({
    status,
    hash: contentHash(body),
    headers,
    bodies: { identity: body },
    ...(body.length > 500 && {
      make: (encoding) => (encoding === 'br' ? compressBrotli(body, 4) : compressGzip(body, 5)),
    }),
  })
}

export function plainText(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): Representation {
  return new Representation({
    status,
    hash: String(status),
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    bodies: { identity: Buffer.from(text) },
  })
}

/** A page ready to be sent, or a response that was not stored. */
export type Outcome =
  | { page: Representation; isStale: boolean }
  | { page?: undefined; rendered: RenderedResponse }

interface PageCacheOptions {
  store: PageStore
  invalidate: (tags: readonly string[]) => void
  /** Whether nobody announces changes of data, so that only pages that depend on the build alone are stored. */
  isForeign?: boolean
}

export type PageCache = ReturnType<typeof createPageCache>

/** The rules of Astro's route caching, on the page store. */
export function createPageCache({ store, invalidate, isForeign = false }: PageCacheOptions) {
  function isStorable(path: string, { status, tags, maxAge }: RenderedResponse): boolean {
    const isNotFoundPage = status === 404 && path === siblingOf(path, '404')
    if (status !== 200 && status !== 301 && !isNotFoundPage) return false
    if (isForeign && !tags.every((tag) => tag === SITE_TAG)) return false
    return maxAge === undefined ? tags.length > 0 : maxAge > 0
  }

  return {
    /**
     * Returns the stored page of a path, or renders and stores it. `isStale`: its data changed while it
     * was rendered, so that it is not stored.
     */
    async answer(path: string, render: () => Promise<RenderedResponse>): Promise<Outcome> {
      const stored = await store.get(path)
      if (stored) return { page: stored, isStale: false }
      const clock = store.clock()
      const rendered = await render()
      if (isStorable(path, rendered)) return store.put({ ...rendered, path, clock })
      // While its data cannot be read, the former version is better than none.
      if (rendered.status !== 503) await store.remove(path)
      return { rendered }
    },
    /** Marks as stale the pages with one of the tags, and the page of exactly this path, in every process. */
    async invalidate({ path, tags = [] }: { path?: string; tags?: string | string[] }) {
      invalidate([...[tags].flat(), ...(path === undefined ? [] : [pathTag(path)])])
    },
  }
}
