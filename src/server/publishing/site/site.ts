import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CdnConfig } from '../../config/cdn.ts'
import { inProduction } from '../../config/environment.ts'
import { httpsOnly } from '../../http/headers.ts'
import { policyOf } from '../answers/content-security-policy.ts'
import { damagedBuild } from '../build/builds.ts'
import type { Outcome, PageCache } from '../rendering/page-cache.ts'
import type { RenderPage } from '../rendering/page-renderer.ts'
import type { RenderedResponse } from '../store/page-store.ts'
import { cacheOptionsOf, type RenderingCache } from './cache-provider.ts'
import { cachingOf, pageHeaders } from './page-headers.ts'

interface SiteOptions {
  /** `dist/server` of the build. */
  serverDirectory: string
  /** The origin that pages write into absolute links. */
  siteUrl: string
  /** The store behind `Astro.cache`. */
  cache: PageCache
  /** `Astro.locals` of every page, through which it reads data. */
  locals: App.ServerLocals
  /** The CDN that keeps the public pages; by default none. */
  cdn?: CdnConfig | null
}

/** What the build's entry exports, which is not typed. */
type BuiltSite = typeof import('./entry.ts')

/**
 * Loads the built site, which determines which paths are its pages, and renders them in this
 * process.
 */
export async function loadSite(options: SiteOptions) {
  const { serverDirectory, siteUrl, cache, locals, cdn = null } = options
  const { app, renderingCache } = await importBuilt(join(serverDirectory, 'entry.mjs'))
  const secure = httpsOnly(siteUrl)

  async function read(path: string, response: Response): Promise<RenderedResponse> {
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
        outcome = await cache.answer(path + search, async () => read(path + search, await next()))
        // We send the page ourselves. A body, even an empty one, keeps Astro from sending an error
        // page.
        return new Response('')
      },
      invalidate: (options) => cache.invalidate(options),
    }
    const response = await renderingCache.run(rendering, () =>
      app.render(request, { locals: { ...locals }, routeData }),
    )
    // For a page that throws, Astro's own answer bypasses the cache.
    return outcome ?? { rendered: await read(path + search, response) }
  }
  const isPage = (path: string) => app.match(new Request(siteUrl + path), true) !== undefined
  return { isPage, render }
}

const NOT_FOUND: RenderedResponse = { status: 404, body: Buffer.alloc(0), headers: {}, tags: [] }

async function importBuilt(file: string): Promise<BuiltSite> {
  try {
    return await inProduction(async () => {
      await import('react/jsx-runtime')
      return import(pathToFileURL(file).href)
    })
  } catch (error) {
    throw damagedBuild(dirname(dirname(file)), error)
  }
}
