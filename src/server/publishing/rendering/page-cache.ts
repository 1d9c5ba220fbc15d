import { pathTag, SITE_TAG } from '../../../rules/page-tags.ts'
import { siblingOf } from '../addresses/destinations.ts'
import type { Representation } from '../answers/representation.ts'
import type { PageStore, RenderedResponse } from '../store/page-store.ts'

/** A page ready to be sent, or a response that was not stored. */
export type Outcome =
  | { page: Representation; isStale: boolean }
  | { page?: undefined; rendered: RenderedResponse }

interface PageCacheOptions {
  store: PageStore
  /** Announces to every process that these tags changed. */
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
      await store.remove(path)
      return { rendered }
    },
    /** Marks as stale the pages with one of the tags, and the page of exactly this path, in every process. */
    async invalidate({ path, tags = [] }: { path?: string; tags?: string | string[] }) {
      invalidate([...[tags].flat(), ...(path === undefined ? [] : [pathTag(path)])])
    },
  }
}
