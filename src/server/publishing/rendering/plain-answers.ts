import { siblingOf } from '../addresses/destinations.ts'
import { compressBrotli, compressGzip } from '../answers/compression.ts'
import { compressZstd, type Dictionaries } from '../answers/dictionary.ts'
import { Representation } from '../answers/representation.ts'
import { contentHash } from '../store/page-file.ts'
import type { RenderedResponse } from './page-cache.ts'
import { RETRY_AFTER } from './rendering-budget.ts'

const TEXT = 'text/plain; charset=utf-8'

/** The answer where even the page about a failure cannot be rendered. */
export const SERVER_ERROR = new Representation({
  status: 500,
  hash: 'error',
  headers: { 'content-type': TEXT, 'cache-control': 'no-store' },
  bodies: { identity: Buffer.from('Internal Server Error') },
})

const BUSY_HEADERS = { 'retry-after': String(RETRY_AFTER), 'cache-control': 'no-store' }

/**
 * The answer to a browser that prefetches a page which would have to be rendered: the visitor may never look
 * at it, and prefetching must not use up their budget of renderings.
 */
export const NOT_AHEAD = new Representation({
  status: 503,
  hash: 'not-ahead',
  headers: { 'content-type': TEXT, 'cache-control': 'no-store' },
  bodies: { identity: Buffer.alloc(0) },
})

/** The answer "too many at once" in each language, from the prerendered pages that say so. */
export function busyPages(pages: ReadonlyMap<string, Representation> = new Map()) {
  const named = [...pages].filter(([path]) => path === siblingOf(path, 'busy'))
  return new Map(named.map(([path, page]) => [path, page.as(429, BUSY_HEADERS)]))
}

/** The answer "too many at once" in plain text, where there is no such page. */
export function plainBusy(headers: Readonly<Record<string, string>> = {}): Representation {
  return new Representation({
    status: 429,
    hash: 'busy',
    headers: { ...headers, ...BUSY_HEADERS, 'content-type': TEXT },
    bodies: { identity: Buffer.from(`Too Many Requests: try again in ${RETRY_AFTER} seconds.`) },
  })
}

/** The answer for a response that is sent only once, and is therefore compressed quickly. */
export function unstored(
  path: string,
  { status, body, headers }: RenderedResponse,
  dictionaries: Dictionaries,
): Representation {
  const offer = dictionaries.offer(path)
  return new Representation({
    status,
    hash: contentHash(body),
    headers,
    bodies: { identity: body },
    ...(body.length > 500 && {
      make: {
        encodings: ['br', 'gzip'],
        body: (form) =>
          form === 'br'
            ? compressBrotli(body, 4)
            : form === 'gzip'
              ? compressGzip(body, 5)
              : compressZstd(body, form === 'identity' ? undefined : form),
      },
      ...(offer && { offer, find: dictionaries.find }),
    }),
  })
}
