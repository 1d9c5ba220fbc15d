import { ID_PATTERN, NUMBERED_PAGES, READER } from '../rules/numbered-pages.ts'
import { LOG_OUT_MARK, PAGES_CACHE, type ToWorker } from '../rules/offline.ts'
import { pagesWith } from '../rules/pages.ts'
import type { ExtendableEvent } from './events.ts'

/** The same for everyone: my documents, marks, the reader, "offline"; scripts read what they show. */
export const SHELLS_CACHE = 'shells'
/** Files of the build, whose names contain a hash of their content. */
const ASSETS_CACHE = 'assets'

/** The maximum number of kept public pages; the most recent ones stay. */
const PAGES_MAX = 40
/** Covers several builds, so that a page of an earlier build still finds its files. */
const ASSETS_MAX = 400

/** How long a page may take before its kept copy is shown (ms). */
export const PATIENCE_MS = 4000

const SHELLS: readonly string[] = ['/my-documents', '/marks', '/offline', READER]
const PUBLIC: ReadonlySet<string> = new Set(pagesWith('isPublic'))
const ABOUT_ONE = new RegExp(`^(${Object.values(NUMBERED_PAGES).join('|')})/${ID_PATTERN}$`)

type Keeping =
  /** Kept under this path: its own or, for a shell, the common path of all pages that it serves. */
  | { as: 'page' | 'shell'; path: string }
  /** Not kept: shown only from the network, or else "you are offline". */
  | null

/** `path` is without its language; `search` is the query with its `?`, or ''. */
export function keepingOf(path: string, search: string): Keeping {
  const page = ABOUT_ONE.exec(path)?.[1]
  if (page === NUMBERED_PAGES.reader) return { as: 'shell', path: READER }
  if (SHELLS.includes(path)) return { as: 'shell', path }
  if (path === '/shop') return { as: 'page', path: path + search }
  return PUBLIC.has(path) || page ? { as: 'page', path } : null
}

/** The build's files that a page or script names in quotes, so not those of style sheets. */
const NAMED = /["'`](?:\/?_astro\/|\.\/)([\w.~-]+\.\w+)["'`]/g

type Answer = Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>

/**
 * Whether an answer may be kept: it is complete, from this shop, and not made for one visitor. Of a
 * public page that is a dictionary only the headers are private (`answers/dictionaries.ts`).
 */
export function isKeepable({ status, type, redirected, headers }: Answer): boolean {
  const caching = headers.get('cache-control') ?? ''
  const isForOne = caching.includes('private') && !headers.has('use-as-dictionary')
  return status === 200 && type === 'basic' && !redirected && !isForOne && !/no-store/.test(caching)
}

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

/** From the browser's own cache, so that no byte is transferred. */
export async function keepVisited(visits: NonNullable<ToWorker['visited']>): Promise<void> {
  const cache = await caches.open(PAGES_CACHE)
  for (const { url, since } of visits) {
    const request = fetch(url, { cache: 'only-if-cached', mode: 'same-origin' })
    const response = await request.catch(() => null)
    if (response && isKeepable(response)) await keepPage(cache, url, { response, since })
  }
}

/**
 * Keeps a page that is open since then, unless somebody has logged out after that. `cache` was opened
 * before: a log-out from now on deletes it, with what is put into it.
 */
export async function keepPage(
  cache: Cache,
  address: string,
  { response, since }: { response: Response; since: number },
): Promise<void> {
  const logOuts = (await caches.keys()).filter((name) => name.startsWith(LOG_OUT_MARK))
  if (logOuts.some((name) => Number(name.slice(LOG_OUT_MARK.length)) >= since)) return
  await putLast(cache, address, response)
  await trim(cache, PAGES_MAX)
}
