import type { ExtendableEvent } from './events.ts'
import { ASSETS_CACHE, ASSETS_MAX, PAGES_CACHE, PAGES_MAX, SHELLS_CACHE } from './keeping.ts'

/** Files of the build that a page or a script names in quotes; fonts in sheets are not, the preloaded ones are. */
const NAMED = /["'`](?:\/?_astro\/|\.\/)([\w.~-]+\.\w+)["'`]|["'](\/_texts\/[\w-]+)["']/g

/** What of an answer says whether it may be kept. */
type Answer = Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>

/**
 * Whether an answer may be kept: complete, of this shop, and not made for one visitor. Of a public page that was
 * sent by a dictionary, the encoding alone is private (`answers/representation.ts`).
 */
export function isKeepable({ status, type, redirected, headers }: Answer): boolean {
  const caching = headers.get('cache-control') ?? ''
  const isCoded = caching === 'private, max-age=0' && headers.get('content-encoding') === 'dcz'
  const isForOne = caching.includes('private') && !isCoded
  return status === 200 && type === 'basic' && !redirected && !isForOne && !/no-store/.test(caching)
}

/** Removes the oldest entries of a cache until at most `max` remain. */
export async function trim(cache: Cache, max: number): Promise<void> {
  const requests = await cache.keys()
  await Promise.all(requests.slice(0, -max).map((request) => cache.delete(request)))
}

/** Puts an answer at the end of a cache, whose beginning is trimmed. */
export async function putLast(cache: Cache, address: string, response: Response): Promise<void> {
  await cache.delete(address, { ignoreVary: true })
  await cache.put(address, response)
}

/**
 * A file of the build: the kept one, or that of the network, which is kept from then on. The answer waits for no
 * disk, nor fails where none is left.
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

/** What has another address when it changes says so. */
const isAsset = (response: Response) =>
  isKeepable(response) && /immutable/.test(response.headers.get('cache-control') ?? '')

async function keepAsset(cache: Cache, address: string | Request, response: Response) {
  await cache.put(address, response)
  await trim(cache, ASSETS_MAX)
}

/** Keeps a shell and all that it can load, so that every part of it works without a network. */
export async function keepShell(path: string): Promise<void> {
  const response = await fetch(path, { cache: 'no-cache' })
  if (!isKeepable(response)) throw new Error(`${path} cannot be kept: ${response.status}`)
  await keepNamedIn(await response.clone().text(), new Set())
  const shells = await caches.open(SHELLS_CACHE)
  await shells.put(path, response)
}

async function keepNamedIn(text: string, seen: Set<string>): Promise<void> {
  const names: string[] = []
  for (const [, file, texts] of text.matchAll(NAMED)) {
    const path = texts ?? `/_astro/${file}`
    if (seen.has(path)) continue
    seen.add(path)
    names.push(path)
  }
  const assets = await caches.open(ASSETS_CACHE)
  for (const path of names) {
    const response = (await assets.match(path, { ignoreVary: true })) ?? (await fetch(path))
    // A file in use is none of those that are trimmed first.
    if (isAsset(response)) await putLast(assets, path, response.clone())
    if (path.endsWith('.js')) await keepNamedIn(await response.text(), seen)
  }
  await trim(assets, ASSETS_MAX)
}

/** Keeps pages that were visited before the worker was there, as the browser's own cache has them: without a byte. */
export async function keepVisited(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(PAGES_CACHE)
  for (const address of addresses) {
    const asked = fetch(address, { cache: 'only-if-cached', mode: 'same-origin' })
    const response = await asked.catch(() => null)
    if (response && isKeepable(response)) await putLast(cache, address, response)
  }
  await trim(cache, PAGES_MAX)
}
