import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inProduction } from '../../environment.ts'
import { httpsOnly } from '../../http/headers.ts'
import { damagedBuild } from '../build/builds.ts'
import { tagsOf } from './cache-provider.ts'
import { contentSecurityPolicy, PAGE_SECURITY_HEADERS } from './content-security-policy.ts'

/** Which page: a path of this site, and a query with its `?`, or nothing. */
export interface PageTarget {
  path: string
  search: string
}

/** What rendering a page gave. */
export interface RenderedResponse {
  status: number
  body: Buffer
  headers: Record<string, string>
  /** Empty where the page must not be stored. */
  tags: string[]
}

/** The built site: which paths are its pages, and how one of them is rendered. */
export interface Site {
  isPage(path: string): boolean
  render: RenderPage
}

export type RenderPage = (target: PageTarget) => Promise<RenderedResponse>

export interface SiteOptions {
  /** `dist/server` of the build. */
  serverDirectory: string
  /** The origin that pages write into absolute links. */
  siteUrl: string
  /** What pages read data with. */
  api: App.ServerLocals['api']
  provider: App.ServerLocals['provider']
  officeUrl: App.ServerLocals['officeUrl']
}

/** The part of Astro's `App` that is used here; the build's entry is not typed. */
interface BuiltSite {
  app: {
    manifest: { routes: { routeData: Route }[] }
    match(request: Request): object | undefined
    render(
      request: Request,
      options: { locals: App.ServerLocals; routeData: object },
    ): Promise<Response>
  }
  inlineScripts: string[]
  inlineStyles: string[]
}

/** A route of the built site; `pathname` where it has no parameters. */
interface Route {
  type: string
  pathname?: string
  pattern: RegExp
}

/** Loads the built site, whose pages are rendered in this process. */
export async function loadSite({
  serverDirectory,
  siteUrl,
  ...locals
}: SiteOptions): Promise<Site> {
  const { app, inlineScripts, inlineStyles } = await importBuilt(join(serverDirectory, 'entry.mjs'))
  const policyOf = contentSecurityPolicy(inlineScripts, inlineStyles)

  const isPage = pagesOf(app.manifest.routes.map(({ routeData }) => routeData))
  const secure = httpsOnly(siteUrl)

  const render: RenderPage = async ({ path, search }) => {
    const request = new Request(siteUrl + path + search)
    const routeData = app.match(request)
    if (!routeData) return { status: 404, body: Buffer.alloc(0), headers: {}, tags: [] }
    const response = await app.render(request, { locals: { ...locals }, routeData })
    const body = Buffer.from(await response.arrayBuffer())
    return {
      status: response.status,
      body,
      headers: {
        ...headersOf(response, policyOf(body.toString(), frameOriginOf(response))),
        ...secure,
      },
      tags: tagsOf(response.headers),
    }
  }
  return { isPage, render }
}

/** Tells pages by their path alone: what is none costs neither a request of Astro's nor a rendering. */
function pagesOf(routes: readonly Route[]): (path: string) => boolean {
  const pages = routes.filter(({ type }) => type === 'page')
  const fixed = new Set(pages.flatMap(({ pathname }) => pathname ?? []))
  const patterns = pages.flatMap(({ pathname, pattern }) => (pathname ? [] : [pattern]))
  return (path) => fixed.has(path) || patterns.some((pattern) => pattern.test(path))
}

/** A page that frames another site says so in this header, which is not sent on. */
function frameOriginOf({ headers }: Response): string | undefined {
  const given = headers.get('karras-frame-origin')
  return given === null ? undefined : new URL(given).origin
}

function headersOf({ headers }: Response, policy: string): Record<string, string> {
  const type = headers.get('content-type') ?? 'text/html'
  const location = headers.get('location')
  return {
    'content-type': type === 'text/html' ? 'text/html; charset=utf-8' : type,
    // Kept, but asked about each time: a page is never older than its data.
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    ...PAGE_SECURITY_HEADERS,
    ...(location !== null && { location }),
  }
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
