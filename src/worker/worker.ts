// The service worker, `/sw.js`, which keeps pages and files for offline use; see
// docs/architecture/browser.md#offline.
import { LOCALES } from '../i18n/locales.ts'
import { inLanguage, splitPath } from '../i18n/paths.ts'
import { DAY_MS } from '../rules/durations.ts'
import { isOutOfSpace, PAGES_CACHE, type ShellsAnswer, type ToWorker } from '../rules/offline.ts'
import { type FetchEvent, type InstallEvent, type MessageEvent, scope } from './events.ts'
import {
  assetAt,
  isKeepable,
  keepingOf,
  keepPage,
  keepShell,
  keepVisited,
  PATIENCE_MS,
  putLast,
  SHELLS_CACHE,
} from './keeping.ts'

/** Path prefixes that the worker never handles: API calls, pictures, and the office's pages. */
const ELSEWHERE = ['api', 'ws', 'media', 'office', ...officesIn()]
const isElsewhere = (path: string) => ELSEWHERE.some((name) => `${path}/`.startsWith(`/${name}/`))
const isAsset = /^\/_(?:astro|texts)\//

function officesIn(): string[] {
  return LOCALES.map((locale) => `${locale}/office`)
}

const offlinePage = (pathname: string) => inLanguage(splitPath(pathname).locale, '/offline')

scope.addEventListener('install', (event) => {
  event.waitUntil(install(event))
})

async function install(event: InstallEvent): Promise<void> {
  const elsewhere = ELSEWHERE.flatMap((name) => [
    { urlPattern: `/${name}` },
    { urlPattern: `/${name}/*` },
  ])
  await event.addRoutes?.([{ condition: { or: elsewhere }, source: 'network' }])
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const needed = new Set(windows.map(({ url }) => offlinePage(new URL(url).pathname)))
  await Promise.all([...needed].map(keepShell))
  // Renew the shells of the previous build, whose scripts' names have changed; a shell that fails
  // stays as it was.
  const kept = await (await caches.open(SHELLS_CACHE)).keys()
  const others = kept.map(({ url }) => new URL(url).pathname).filter((path) => !needed.has(path))
  await Promise.allSettled(others.map(keepShell))
  // No need to wait for old tabs: pages come from the network first, and files are named by their
  // content.
  await scope.skipWaiting()
}

scope.addEventListener('activate', (event) => {
  // Without static routing, a page that the worker does not answer would be requested twice.
  const { InstallEvent: type } = globalThis as { InstallEvent?: { prototype: object } }
  if (type && 'addRoutes' in type.prototype) {
    event.waitUntil(scope.registration.navigationPreload?.enable() ?? Promise.resolve())
  }
})

scope.addEventListener('message', (event) => {
  const { keep, visited } = (event.data ?? {}) as ToWorker
  if (Array.isArray(keep)) event.waitUntil(answerKeep(event, keep.map(String)))
  if (Array.isArray(visited)) event.waitUntil(keepVisited(visited.flatMap(visitOf)))
})

async function answerKeep({ ports }: MessageEvent, paths: readonly string[]): Promise<void> {
  const shells = paths.filter((path) => keepingOf(splitPath(path).path, '')?.as === 'shell')
  const answer: ShellsAnswer = await Promise.all(shells.map(keepShell)).then(
    () => 'kept',
    (error) => (isOutOfSpace(error) ? 'full' : 'failed'),
  )
  ports[0]?.postMessage(answer)
}

type Visit = NonNullable<ToWorker['visited']>[number]

/** The visit under the path that its page is kept under, if it is of this shop and kept at all. */
function visitOf({ url, since }: Visit): Visit[] {
  if (!URL.canParse(url)) return []
  const { origin, pathname, search } = new URL(url)
  const { locale, path } = splitPath(pathname)
  const keeping = origin === scope.location.origin ? keepingOf(path, search) : null
  return keeping?.as === 'page' ? [{ url: inLanguage(locale, keeping.path), since }] : []
}

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return
  if (isElsewhere(url.pathname)) return
  if (isAsset.test(url.pathname)) {
    event.respondWith(assetAt(event, request))
  } else if (request.mode === 'navigate') event.respondWith(answerPage(event, url))
})

/** Whether a page is being prefetched; it reports its visit once it is opened. */
const isAhead = ({ headers }: Request) => headers.get('sec-purpose')?.startsWith('prefetch')

const wait = (ms: number) => new Promise<'late'>((done) => setTimeout(done, ms, 'late'))

async function answerPage(event: FetchEvent, url: URL): Promise<Response> {
  const since = Date.now()
  const { locale, path } = splitPath(url.pathname)
  const network = event.preloadResponse.then((preloaded) => preloaded ?? fetch(event.request))
  network.catch(() => {}) // the result is handled below
  const keeping = keepingOf(path, url.search)
  const address = keeping && inLanguage(locale, keeping.path)
  const cache = await caches.open(keeping?.as === 'page' ? PAGES_CACHE : SHELLS_CACHE)
  if (address && !isAhead(event.request)) {
    const stored = network.then(async (response) => {
      if (!isKeepable(response)) return
      const kept = response.clone()
      if (keeping?.as === 'page') await keepPage(cache, address, { response: kept, since })
      else await putLast(cache, address, kept)
    })
    event.waitUntil(stored.catch(() => {}))
  }
  event.waitUntil(network.then(() => keepOfflinePage(url.pathname)).catch(() => {}))
  const kept = address && (await cache.match(address, { ignoreVary: true }))
  try {
    const first = await Promise.race(kept ? [network, wait(PATIENCE_MS)] : [network])
    if (first !== 'late') return first
  } catch {
    if (!kept) return offline(url.pathname)
  }
  return keeping?.as === 'page' ? marked(kept as Response) : (kept as Response)
}

/** In the language of a visited page, once a day: the shop may have been renamed. */
async function keepOfflinePage(pathname: string): Promise<void> {
  const path = offlinePage(pathname)
  const kept = await (await caches.open(SHELLS_CACHE)).match(path)
  const age = Date.now() - Date.parse(kept?.headers.get('date') ?? '')
  if (!(age < DAY_MS)) await keepShell(path)
}

async function offline(pathname: string): Promise<Response> {
  const page = await caches.match(offlinePage(pathname), { ignoreVary: true })
  return page ? marked(page, '') : Response.error()
}

/** `data-kept` on the root is when the server sent the page, or '' on the "offline" page. */
async function marked(page: Response, date = page.headers.get('date') ?? ''): Promise<Response> {
  const html = await page.text()
  const headers = new Headers(page.headers)
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
  return new Response(html.replace('<html ', `<html data-kept="${date}" `), { headers })
}
