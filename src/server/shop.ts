import { inspect } from 'node:util'
import { createApi } from '../client/api.ts'
import { httpTransport } from '../client/http.ts'
import { listCategories } from '../contract/references.ts'
import { SECOND_MS } from '../rules/durations.ts'
import { SITE_TAG } from '../rules/page-tags.ts'
import { buildApp, openBackend } from './backend.ts'
import { LASTING_PATHS, pagePaths } from './catalogue/catalogue.ts'
import { type Config, pageSettings } from './config/config.ts'
import type { DemoAccount } from './demo/demo.ts'
import { followSite, openFront } from './front/front.ts'
import { apiOfPages } from './http/in-process.ts'
import { createMetrics } from './metrics/metrics.ts'
import { type Build, ensureBuild, openPublishing } from './publishing/publishing.ts'
import { ROUTES } from './routes.ts'
import { noteAddress } from './shop-address.ts'
import type { Say } from './terminal.ts'

export interface Shop {
  /** Such as `http://127.0.0.1:4321`. */
  readonly url: string
  /** The demo accounts, when this shop has them. */
  readonly demoAccounts: readonly DemoAccount[]
  /** Finishes what is in flight, within `STOP_GRACE_MS`, and closes everything. */
  stop(): Promise<void>
}

/**
 * Starts the whole shop: builds where there is no up-to-date build, opens the backend, listens, and
 * renders missing and stale pages in the background. Throws a `StartError` with one line that says
 * what the operator has to fix.
 */
export async function startShop(given: Config, say: Say): Promise<Shop> {
  const build = await ensureBuild()
  const report = (message: string, error: unknown) =>
    say(`${message} ${error instanceof Error ? error.stack : inspect(error)}`, 'error')
  if (given.apiOrigin !== null) return startFront(given, given.apiOrigin, build, report)

  const backend = await openBackend(given, say)
  const { deps } = backend
  const { config, database } = deps
  try {
    const pages = await openPublishing({
      ...pagesOf(config),
      cdn: config.cdn,
      build,
      api: apiOfPages(ROUTES, deps, (error) => report('A page could not read.', error)),
      invalidate: deps.publisher.changed,
      countPage: deps.visits.page,
      counts: deps.metrics.pages,
      onReady: (...made) => deps.metrics.onAnswer('page', ...made),
      report,
    })
    await backend.publishTo(pages)
    const app = await buildApp(deps, {
      pages: pages.handle,
    })
    const url = await app.listen()
    try {
      noteAddress(config, url)
    } catch (error) {
      report('The address of the shop could not be noted.', error)
    }
    await backend.startWork()
    void pages
      .renderAll(() => pagePaths(database))
      .then((rendered) => {
        if (rendered > 0) say(`Rendered ${rendered} pages.`)
      })
    return {
      url,
      demoAccounts: backend.demoAccounts,
      async stop() {
        await Promise.all([app.drain(config.drainSeconds * SECOND_MS), backend.settle()])
        await Promise.all([pages.stop(), app.stop()])
        await backend.close()
      },
    }
  } catch (error) {
    await backend.close()
    throw error
  }
}

type Report = (message: string, error: unknown) => void

/** The options of the pages that do not depend on where their data comes from. */
function pagesOf(config: Config) {
  const { dataDir, siteUrl, keepsPages, trustedProxies } = config
  return { dataDir, siteUrl, keepsPages, trustedProxies, settings: pageSettings(config) }
}

async function startFront(
  config: Config,
  apiOrigin: string,
  build: Build,
  report: Report,
): Promise<Shop> {
  const transport = httpTransport(apiOrigin)
  const backend = createApi(transport)
  const site = followSite((lacks) => createApi(transport, lacks), {
    changed: () => void opened.then((pages) => pages.changed([SITE_TAG])),
  })
  const { api } = site
  const metrics = createMetrics()
  const opened = openPublishing({
    ...pagesOf(config),
    build,
    api,
    isForeign: true,
    counts: metrics.pages,
    onReady: (...made) => metrics.onAnswer('page', ...made),
    report,
  })
  const pages = await opened
  const front = await openFront({
    host: config.host,
    port: config.port,
    apiOrigin,
    siteUrl: config.siteUrl,
    pages: pages.handle,
    trustedProxies: config.trustedProxies,
    // The cheapest call of the contract.
    checkBackend: () => backend(listCategories, {}),
    metrics,
    metricsToken: config.metricsToken,
    report,
  })
  void site.begun.then(() => pages.renderAll(() => LASTING_PATHS))
  return {
    url: front.url,
    demoAccounts: [],
    async stop() {
      await front.drain(config.drainSeconds * SECOND_MS)
      site.stop()
      await Promise.all([pages.stop(), front.stop()])
    },
  }
}
