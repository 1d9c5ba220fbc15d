// Offers a page as the dictionary of the next one, and reads which one a browser names (RFC 9842).
import type { IncomingMessage } from 'node:http'
import { acceptsDcz } from './compression.ts'

/** A body as what differs from a page that the browser has (RFC 9842). */
export interface Difference {
  /** The hash of that page. */
  from: string
  body: Buffer
}

/**
 * Headers by which Chromium keeps a page as a dictionary for a day; it asks for a changed page all
 * the same. Only that browser's own cache may keep them. Answers in shared caches suit every
 * browser, so `vary` does not name `sec-ch-ua`: the service worker's requests lack it, and would not
 * find what its browser has.
 */
export const OFFER = {
  'cache-control': 'private, max-age=0, stale-while-revalidate=86400',
  'cdn-cache-control': 'no-store',
  'use-as-dictionary': 'match="/*", match-dest=("document")',
}

/**
 * Whether a request is a navigation of Chromium. Other browsers would show the old page first where
 * `stale-while-revalidate` is set (Firefox), and have no such dictionaries.
 */
export const takesDictionaries = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['sec-fetch-dest'] === 'document' &&
  (headers['sec-ch-ua']?.includes('"Chromium"') ?? false)

/** The hash of the page that a browser has and offers as a dictionary; undefined for most requests. */
export function namedDictionary(req: IncomingMessage): Buffer | undefined {
  const { 'available-dictionary': token, 'accept-encoding': accepted } = req.headers
  if (typeof token !== 'string' || !acceptsDcz(accepted) || !takesDictionaries(req)) return
  const [, base64] = /^\s*:([A-Za-z0-9+/]{43}=):\s*$/.exec(token) ?? []
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}
