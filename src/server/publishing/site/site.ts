import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CdnConfig } from '../../config/cdn.ts'
import { inProduction } from '../../config/environment.ts'
import { httpsOnly } from '../../http/headers.ts'
import { damagedBuild } from '../build/builds.ts'
import type { Outcome, PageCache, RenderedResponse } from '../rendering/page-cache.ts'
import type { RenderPage } from '../rendering/page-renderer.ts'
import { cacheOptionsOf, type RenderingCache, type renderingCache } from './cache-provider.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { cachingOf, framingOf, pageHeaders } from './page-headers.ts'

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

/** The part of Astro's `App` that is used here; the build's entry is not typed. */
interface BuiltSite {
  app: {
    manifest: { routes: { routeData: Route }[] }
    render(
      request: Request,
      options: { locals: App.ServerLocals; routeData: Route },
    ): Promise<Response>
  }
  inlineScripts: string[]
  inlineStyles: string[]
  renderingCache: typeof renderingCache
}

/** A route of the built site; `pathname` is set if it has no parameters. */
interface Route {
  type: string
  prerender: boolean
  pathname?: string
  pattern: RegExp
}

/**
 * Loads the built site, which determines which paths are its pages, and renders them in this
 * process.
 */
export async function loadSite(options: SiteOptions) {
  const { serverDirectory, siteUrl, cache, locals, cdn = null } = options
  const built = await importBuilt(join(serverDirectory, 'entry.mjs'))
  const { app, renderingCache } = built
  const policyOf = contentSecurityPolicy(built.inlineScripts, built.inlineStyles)
  const secure = httpsOnly(siteUrl)
  const routeOf = routesOf(app.manifest.routes.map((route) => route.routeData))

  async function read(
    path: string,
    response: Response,
    rendering: RenderingCache,
  ): Promise<RenderedResponse> {
    const { status } = response
    const handedOver = response.headers.get('content-length') === '0' ? rendering.body : undefined
    // Work that began during the rendering may outlive it and keeps its context in memory.
    delete rendering.body
    const body = handedOver ?? Buffer.from(await response.arrayBuffer())
    const policy = policyOf(body, framingOf(response.headers))
    const options = { tags: [], ...cacheOptionsOf(response.headers) }
    const page = { path, status, body, ...options }
    const headers = { ...pageHeaders(body, policy, response.headers), ...cachingOf(page, cdn) }
    return { status, body, headers: { ...headers, ...secure }, ...options }
  }

  const render: RenderPage = async ({ path, search }) => {
    const request = new Request(siteUrl + path + search)
    const routeData = routeOf(path)
    if (!routeData || routeData.prerender) return { rendered: NOT_FOUND }
    let outcome: Outcome | undefined
    const rendering: RenderingCache = {
      async respond(next) {
        outcome = await cache.answer(path + search, async () =>
          read(path + search, await next(), rendering),
        )
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
    return outcome ?? { rendered: await read(path + search, response, rendering) }
  }
  return { isPage: (path: string) => routeOf(path) !== undefined, render }
}

const NOT_FOUND: RenderedResponse = { status: 404, body: Buffer.alloc(0), headers: {}, tags: [] }

/**
 * Finds the page or endpoint of a path without trying all patterns: there is one for each page and
 * language, and few have parameters.
 */
function routesOf(routes: readonly Route[]): (path: string) => Route | undefined {
  const pages = routes.filter(({ type }) => type === 'page' || type === 'endpoint')
  const fixed = new Map(pages.flatMap((route) => (route.pathname ? [[route.pathname, route]] : [])))
  const open = pages.filter(({ pathname }) => !pathname)
  return (path) => fixed.get(path) ?? open.find(({ pattern }) => pattern.test(path))
}

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
