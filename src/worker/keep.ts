import type { ExtendableEvent } from './events.ts'
import { ASSETS_CACHE, ASSETS_MAX, PAGES_CACHE, PAGES_MAX, SHELLS_CACHE } from './keeping.ts'

/**
 * Matches the build's files that a page or script names in quotes: not the fonts in style sheets,
 * but the preloaded ones.
 */
const NAMED = /["'`](?:\/?_astro\/|\.\/)([\w.~-]+\.\w+)["'`]/g

/** The parts of an answer that decide whether it may be kept. */
type Answer = Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>

/**
 * Whether an answer may be kept: it is complete, from this shop, and not made for one visitor. Of a
 * public page that is a dictionary only the headers are private (`answers/representation.ts`).
 */
export function isKeepable({ status, type, redirected, headers }: Answer): boolean {
  const caching = headers.get('cache-control') ?? ''
  const isForOne = caching.includes('private') && !headers.has('use-as-dictionary')
  return status === 200 && type === 'basic' && !redirected && !isForOne && !/no-store/.test(caching)
}

/** Removes the oldest entries of a cache until at most `max` remain. */
export async function trim(cache: Cache, max: number): Promise<void> {
  const requests = await cache.keys()
  await Promise.all(requests.slice(0, -max).map((request) => cache.delete(request)))
}

/** Puts an answer at the end of a cache; `trim` removes entries from the beginning. */
export async function putLast(cache: Cache, address: string, response: Response): Promise<void> {
  await cache.delete(address, { ignoreVary: true })
  await cache.put(address, response)
}

/**
 * Returns a file of the build: the kept one, or else the one from the network, which is then kept.
 * The answer does not wait for the disk, and does not fail if that is full.
 */
export async function assetAt(event: ExtendableEvent, request: Request): Promise<Response> {
  const cache = await caches.open(ASSETS_CACHE)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (isAsset(response))
    event.waitUntil(keepAsset(cache, request, response.clone()).catch(() => {}))
  return response
}

/** Whether an answer never changes under its URL, as its headers say. */
const isAsset = (response: Response) =>
  isKeepable(response) && /immutable/.test(response.headers.get('cache-control') ?? '')

async function keepAsset(cache: Cache, address: string | Request, response: Response) {
  await cache.put(address, response)
  await trim(cache, ASSETS_MAX)
}

/** Keeps a shell and everything that it can load, so that every part of it works offline. */
export async function keepShell(path: string): Promise<void> {
  const response = await fetch(path, { cache: 'no-cache' })
  if (!isKeepable(response)) throw new Error(`${path} cannot be kept: ${response.status}`)
  await keepNamedIn(await response.clone().text(), new Set())
  const shells = await caches.open(SHELLS_CACHE)
  await shells.put(path, response)
}

async function keepNamedIn(text: string, seen: Set<string>): Promise<void> {
  const names: string[] = []
  for (const [, file] of text.matchAll(NAMED)) {
    const path = `/_astro/${file}`
    if (seen.has(path)) continue
    seen.add(path)
    names.push(path)
  }
  const assets = await caches.open(ASSETS_CACHE)
  for (const path of names) {
    const response = (await assets.match(path, { ignoreVary: true })) ?? (await fetch(path))
    // Move a file in use to the end, so that it is not among the first to be trimmed.
    if (isAsset(response)) await putLast(assets, path, response.clone())
    if (path.endsWith('.js')) await keepNamedIn(await response.text(), seen)
  }
  await trim(assets, ASSETS_MAX)
}

/**
 * Keeps pages that were visited before the worker was active, from the browser's own cache, so that
 * no byte is transferred.
 */
export async function keepVisited(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(PAGES_CACHE)
  for (const address of addresses) {
    const request = fetch(address, { cache: 'only-if-cached', mode: 'same-origin' })
    const response = await request.catch(() => null)
    if (response && isKeepable(response)) await putLast(cache, address, response)
  }
  await trim(cache, PAGES_MAX)
}
