import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pathIn, splitPath } from '../../i18n/paths.ts'
import type { CdnConfig } from '../config/config.ts'
import { httpsOnly } from '../http/headers.ts'
import type { Build } from './build/builds.ts'
import type { RenderPage } from './rendering/page-renderer.ts'
import { createPageCache } from './rendering/page-renderer.ts'
import { VISITORS } from './rendering/rendering-budget.ts'
import { shareReads } from './rendering/shared-reads.ts'
import {
  type PublishedPages,
  type PublishedPagesOptions,
  publishPages,
} from './serving/published-pages.ts'
import { prerenderedPages, staticFiles } from './serving/static-files.ts'
import { FOUND_HEADER, FOUND_NOTHING, isOfficePage, loadSite } from './site/site.ts'
import { openPageStore } from './store/page-store.ts'

export { isPaymentStep } from './addresses/addresses.ts'
export { type Build, currentBuild, ensureBuild, isThere } from './build/builds.ts'
export { PURGE_EVERY_MS, purgeChanges, purgeEveryPage } from './cdn/cdn.ts'
export { type CachedPages, changePages, noteChanges, openAnnouncements } from './changes/changes.ts'
export type { PublishedPages } from './serving/published-pages.ts'
export { loadBuild } from './site/site.ts'

interface PublishingOptions extends Pick<PublishedPagesOptions, 'counts' | 'onReady'> {
  readonly build: Build
  readonly dataDir: string
  /** The proxies that may name their clients. */
  readonly trustedProxies: readonly string[]
  /** The site's origin, such as `https://karras.tn`. */
  readonly siteUrl: string
  readonly api: App.ServerLocals['api']
  /** The settings that pages show; pages stored under other settings are not used. */
  readonly settings: Omit<App.ServerLocals, 'api'>
  /** Announces to every process that a page has invalidated these tags. */
  readonly invalidate?: (tags: readonly string[]) => void
  /** The CDN that keeps the public pages; by default none. */
  readonly cdn?: CdnConfig | null
  /** Whether browsers store pages for use without a network; by default they do. */
  readonly keepsPages?: boolean
  /** Whether the data comes from another backend, which does not announce its changes. */
  readonly isForeign?: boolean
  readonly report: (message: string, error: unknown) => void
  /** Counts a page that is sent; `isEmpty` for the page of a search that found nothing. */
  readonly countPage?: (request: IncomingMessage, path: string, isEmpty: boolean) => void
}

export async function openPublishing(options: PublishingOptions): Promise<PublishedPages> {
  const { build, siteUrl, api, settings, isForeign = false, report, countPage } = options
  // Another backend does not announce its changes, so a CDN could not be purged.
  const cdn = (!isForeign && options.cdn) || null
  const directory = join(options.dataDir, 'pages')
  const buildId = `${build.sourcesHash}-${keyOf([siteUrl, settings, ...(cdn ? [cdn.seconds] : [])])}`
  const headers = httpsOnly(siteUrl)
  const store = openPageStore({ directory, buildId, report })
  const invalidate = options.invalidate ?? ((tags) => void pages.changed(tags))
  const cache = createPageCache({ store, invalidate, isForeign })
  const { serverDirectory, clientDirectory } = build
  // Reads from another backend are in memory already.
  const locals = { api: isForeign ? api : shareReads(api, store), ...settings }
  const site = await loadSite({ serverDirectory, siteUrl, cache, locals, cdn })
  const files = staticFiles(clientDirectory, headers, options.keepsPages)
  const prerendered = prerenderedPages(clientDirectory, headers)
  const pages: PublishedPages = publishPages({
    store,
    files,
    prerendered,
    headers,
    trustedProxies: options.trustedProxies,
    report,
    counts: options.counts,
    onReady: options.onReady,
    ...(countPage && {
      onPage: (request, path, page) =>
        countPage(request, path, page.header(FOUND_HEADER) === FOUND_NOTHING),
    }),
    ...site,
    ...(isForeign && { render: withoutOffice(site.render) }),
    ...(isForeign && FOREIGN),
  })
  return pages
}

/**
 * Each view of a page is a rendering, which mostly waits for the backend. A page that did not exist may
 * appear unannounced, so missing pages are not remembered.
 */
const FOREIGN = { missingPagesMax: 0, visitors: { ...VISITORS, atOnce: 16 } }

/** Another backend has no office here: each of its pages is the one that says so. */
function withoutOffice(render: RenderPage): RenderPage {
  return (target) => {
    if (!isOfficePage(target.path)) return render(target)
    return render({ ...target, path: pathIn(splitPath(target.path).locale, '/office/elsewhere') })
  }
}

function keyOf(settings: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12)
}
