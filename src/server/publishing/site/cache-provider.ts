import { AsyncLocalStorage } from 'node:async_hooks'
import type { CacheOptions, CacheProvider, InvalidateOptions } from 'astro'

export interface RenderingCache {
  /** Answers from the store, or calls `next` and stores its response. */
  respond(next: () => Promise<Response>): Promise<Response>
  invalidate(options: InvalidateOptions): Promise<void>
}

/**
 * The cache of the current rendering; this module is bundled into the site, the store is outside.
 */
export const renderingCache = new AsyncLocalStorage<RenderingCache>()

/** Astro's cache provider on our page store (`cache.provider` in astro.config.mjs). */
export default function pageStoreProvider(): CacheProvider {
  return {
    name: 'karras-page-store',
    setHeaders: ({ lastModified, ...options }) =>
      new Headers({
        [OPTIONS_HEADER]: encodeURIComponent(JSON.stringify(options)),
        ...(lastModified && { 'last-modified': lastModified.toUTCString() }),
      }),
    async onRequest(_, next) {
      const cache = renderingCache.getStore()
      return cache ? cache.respond(next) : next()
    },
    async invalidate(options) {
      const cache = renderingCache.getStore()
      if (!cache) throw new Error('Only a page that is rendered can invalidate others.')
      await cache.invalidate(options)
    },
  }
}

/**
 * Carries the options from `setHeaders` to `onRequest`; Astro removes a header of this name after
 * it.
 */
const OPTIONS_HEADER = 'cache-tag'

/** The options that the route passed to `Astro.cache.set()`. */
export function cacheOptionsOf(headers: Headers): Omit<CacheOptions, 'lastModified'> {
  const options = headers.get(OPTIONS_HEADER)
  return options === null ? {} : JSON.parse(decodeURIComponent(options))
}
