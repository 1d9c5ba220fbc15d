import type { CacheProvider } from 'astro'

/**
 * Astro's cache provider (bundled into the site): it hands the tags of `Astro.cache.set()` to the
 * publisher as a header, which never leaves this process. Storing, serving and invalidating are the
 * page store's, which stands in front of Astro so that a stored page is answered without it.
 */
export default function tagHeaders(): CacheProvider {
  return {
    name: 'karras-page-store',
    setHeaders: ({ tags = [] }) => new Headers({ [TAGS_HEADER]: tags.map(encode).join(',') }),
    async invalidate() {
      throw new Error('Pages are invalidated by the publisher: publisher.changed(tags).')
    },
  }
}

const TAGS_HEADER = 'cache-tag'
const encode = encodeURIComponent

/** The tags that a rendered page carries. */
export function tagsOf(headers: Headers): string[] {
  const tags = headers.get(TAGS_HEADER)
  return tags ? tags.split(',').map(decodeURIComponent) : []
}
