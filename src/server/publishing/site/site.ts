import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Api } from '../../../client/api.ts'
import { LOCALES } from '../../../i18n/locales.ts'
import type { CdnConfig } from '../../config/config.ts'
import { inProduction } from '../../config/environment.ts'
import { httpsOnly } from '../../http/headers.ts'
import { PAGE_SECURITY_HEADERS, policyOf } from '../answers/content-security-policy.ts'
import { type Build, damagedBuild, PAGE_SCRIPTS } from '../build/builds.ts'
import { cdnHeaders } from '../cdn/cdn.ts'
import type { Outcome, PageCache, RenderPage } from '../rendering/page-renderer.ts'
import type { RenderedPage, RenderedResponse } from '../store/page-store.ts'
import { cacheOptionsOf, type RenderingCache } from './cache-provider.ts'

interface SiteOptions {
  /** `dist/server` of the build. */
  serverDirectory: string
  /** The origin that pages write into absolute links. */
  siteUrl: string
  cache: PageCache
  /** `Astro.locals` of every page, through which it reads data. */
  locals: App.ServerLocals
  cdn?: CdnConfig | null
}

/** What the build's entry exports, which is not typed. */
type BuiltSite = typeof import('./entry.ts')

interface LoadedBuild extends BuiltSite {
  /** `Astro.locals.scripts` */
  scripts: readonly string[]
}

/**
 * Loads the built site, which determines which paths are its pages, and renders them in this
 * process.
 */
export async function loadSite(options: SiteOptions) {
  const { serverDirectory, siteUrl, cache, locals, cdn = null } = options
  const { app, renderingCache, scripts } = await loadBuild({ serverDirectory })
  const secure = httpsOnly(siteUrl)

  async function readRendered(path: string, response: Response): Promise<RenderedResponse> {
    const { status } = response
    const body = Buffer.from(await response.arrayBuffer())
    const policy = policyOf(body, response.headers.get('content-security-policy') ?? undefined)
    const options = { tags: [], ...cacheOptionsOf(response.headers) }
    const page = { path, status, body, ...options }
    const headers = { ...pageHeaders(body, policy, response.headers), ...cachingOf(page, cdn) }
    return { status, body, headers: { ...headers, ...secure }, ...options }
  }

  const render: RenderPage = async ({ path, search }) => {
    const request = new Request(siteUrl + path + search)
    const routeData = app.match(request)
    if (!routeData) return { rendered: NOT_FOUND }
    let outcome: Outcome | undefined
    const rendering: RenderingCache = {
      async respond(next) {
        outcome = await cache.answer(path + search, async () =>
          readRendered(path + search, await next()),
        )
        // We send the page ourselves. A body, even an empty one, keeps Astro from sending an error
        // page.
        return new Response('')
      },
      invalidate: (options) => cache.invalidate(options),
    }
    const { api, isUnavailable } = watched(locals.api)
    const response = await renderingCache.run(rendering, () =>
      app.render(request, { locals: { ...locals, api, scripts }, routeData }),
    )
    if (outcome) return outcome
    // For a page that throws, Astro's own answer bypasses the cache.
    const rendered = await readRendered(path + search, response)
    return { rendered: isUnavailable() ? { ...rendered, status: 503 } : rendered }
  }
  const isPage = (path: string) => app.match(new Request(siteUrl + path), true) !== undefined
  return { isPage, render }
}

/**
 * The API for one rendering, which notes whether the backend was away. Pages are compiled
 * separately from the server and have their own `ApiError`.
 */
function watched(api: Api): { api: Api; isUnavailable: () => boolean } {
  let isUnavailable = false
  return {
    async api(...call) {
      try {
        return await api(...call)
      } catch (error) {
        if (error instanceof Error && 'status' in error && AWAY.includes(error.status))
          isUnavailable = true
        throw error
      }
    },
    isUnavailable: () => isUnavailable,
  }
}

/** The statuses of a backend that is away: no answer came, or somebody in between says so. */
const AWAY: readonly unknown[] = [0, 502, 503, 504]

const NOT_FOUND: RenderedResponse = { status: 404, body: Buffer.alloc(0), headers: {}, tags: [] }

/** Loads the code of a build. */
export async function loadBuild({
  serverDirectory,
}: Pick<Build, 'serverDirectory'>): Promise<LoadedBuild> {
  try {
    const scripts = JSON.parse(await readFile(join(serverDirectory, PAGE_SCRIPTS), 'utf8'))
    return await inProduction(async () => {
      await import('react/jsx-runtime')
      const site: BuiltSite = await import(pathToFileURL(join(serverDirectory, 'entry.mjs')).href)
      return { ...site, scripts }
    })
  } catch (error) {
    throw damagedBuild(dirname(serverDirectory), error)
  }
}

/** The header by which the shop's page reports a search by words alone that found nothing. */
export const FOUND_HEADER = 'karras-found'
export const FOUND_NOTHING = 'nothing'

/** Headers of a response that a page may set and that are sent on. */
const PASSED_ON = ['location', 'last-modified', FOUND_HEADER]

/** In the head of pages whose address holds a secret: see `layouts/Essentials.astro`. */
const TELLS_NO_REFERRER = '<meta name="referrer" content="no-referrer"'

/**
 * The headers of a page. `policy` is its content security policy; `given` are the headers that it
 * was rendered with.
 */
export function pageHeaders(body: Buffer, policy: string, given: Headers = new Headers()) {
  const type = given.get('content-type') ?? 'text/html'
  const headers: Record<string, string> = {
    'content-type': type === 'text/html' ? 'text/html; charset=utf-8' : type,
    // Stored by browsers, but revalidated each time, so that a page is never older than its data.
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    ...PAGE_SECURITY_HEADERS,
    // Browsers request fonts and icons before they have read the policy in the page.
    ...(body.includes(TELLS_NO_REFERRER) && { 'referrer-policy': 'no-referrer' }),
  }
  for (const name of PASSED_ON) {
    const value = given.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

/**
 * The headers in place of the usual `cache-control`: who may keep a page besides the browser that
 * requested it.
 */
function cachingOf(
  page: Omit<RenderedPage, 'headers' | 'clock'>,
  cdn: CdnConfig | null,
): Readonly<Record<string, string>> | undefined {
  if (isOfficePage(page.path)) return { 'cache-control': 'no-store' }
  // A page that is not stored is made for one visitor, such as the steps of a payment.
  if (page.tags.length === 0 && page.maxAge === undefined) {
    return { 'cache-control': 'private, no-cache' }
  }
  const isPublic = page.status === 200 && !page.body.includes(TELLS_NO_REFERRER)
  return cdn && isPublic ? cdnHeaders(cdn, page) : undefined
}

const OFFICE = new RegExp(`^/(?:(?:${LOCALES.join('|')})/)?office(?:[/?]|$)`)

/** Whether a page is the staff's, which no cache of a shared computer may keep. */
export const isOfficePage = (path: string): boolean => OFFICE.test(path)
