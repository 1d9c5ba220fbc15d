import { ASSETS_CACHE, ASSETS_MAX, SHELLS_CACHE } from './keeping.ts'

/** Files of the build that a page or a script names in quotes; fonts in sheets are not, the preloaded ones are. */
const NAMED = /["'`](?:\/?_astro\/|\.\/)([\w.~-]+\.\w+)["'`]|["'](\/_texts\/[\w-]+)["']/g

/** Whether an answer may be kept: complete, of this shop, and not made for one visitor. */
export function isKeepable({ status, type, redirected, headers }: Response): boolean {
  const caching = headers.get('cache-control') ?? ''
  return status === 200 && type === 'basic' && !redirected && !/private|no-store/.test(caching)
}

/** Removes the oldest entries of a cache beyond so many. */
export async function trim(cache: Cache, max: number): Promise<void> {
  const requests = await cache.keys()
  await Promise.all(requests.slice(0, -max).map((request) => cache.delete(request)))
}

/** Puts an answer at the end of a cache, whose beginning is trimmed. */
export async function putLast(cache: Cache, address: string, response: Response): Promise<void> {
  await cache.delete(address, { ignoreVary: true })
  await cache.put(address, response)
}

/** A file of the build: the kept one, or that of the network, which is kept from then on. */
export async function assetAt(address: string | Request): Promise<Response> {
  const cache = await caches.open(ASSETS_CACHE)
  const kept = await cache.match(address, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(address)
  // What has another address when it changes says so.
  if (isKeepable(response) && /immutable/.test(response.headers.get('cache-control') ?? '')) {
    await cache.put(address, response.clone())
    await trim(cache, ASSETS_MAX)
  }
  return response
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
    const response = await assetAt(path)
    // A file in use is none of those that are trimmed first.
    if (response.ok) await putLast(assets, path, response.clone())
    if (path.endsWith('.js')) await keepNamedIn(await response.text(), seen)
  }
}
