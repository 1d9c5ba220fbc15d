import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Api, createApi } from '../client/api.ts'
import { httpTransport } from '../client/http.ts'
import { listCategories } from '../contract/catalogue.ts'
import { buildApp, openBackend } from './backend.ts'
import { LASTING_PATHS, pagePaths } from './catalogue/page-paths.ts'
import { type Config, pageSettings } from './config.ts'
import type { DemoAccount } from './demo/demo.ts'
import { ofAnotherBackend, openFront } from './front/front.ts'
import { httpsOnly } from './http/headers.ts'
import { inProcess } from './http/in-process.ts'
import { type Build, ensureBuild } from './publishing/build/builds.ts'
import { PublishedPages, type PublishedPagesOptions } from './publishing/serving/published-pages.ts'
import { staticFiles } from './publishing/serving/static-files.ts'
import { loadSite, type Site } from './publishing/site/site.ts'
import { PageStore } from './publishing/store/page-store.ts'
import { ROUTES } from './routes.ts'
import type { Say } from './terminal.ts'

/** A shop that listens. */
export interface Shop {
  /** Such as `http://127.0.0.1:4321`. */
  readonly url: string
  /** The demo accounts, when this shop has them. */
  readonly demoAccounts: readonly DemoAccount[]
  /** Finishes what is in flight (10 s at most) and closes everything. */
  stop(): Promise<void>
}

/**
 * Starts the whole shop: builds where there is no up-to-date build, opens the backend, listens, and
 * renders behind what is missing or stale. Throws a `StartError` with one line for what an operator
 * must mend.
 */
export async function startShop(given: Config, say: Say): Promise<Shop> {
  const build = await ensureBuild()
  const report = (message: string, error: unknown) =>
    say(`${message} ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  if (given.apiOrigin !== null) return startFront(given, given.apiOrigin, build, report)

  const backend = await openBackend(given, say)
  const { deps } = backend
  const { config, database } = deps
  try {
    const api = createApi(
      inProcess(ROUTES, deps, (error) => report('A page could not read.', error)),
    )
    const publisher = await publisherOf(config, build, api, report)
    await backend.publishTo(publisher)
    const app = await buildApp(deps, {
      pages: async (request, response) => publisher.handle(request, response),
    })
    const url = await app.listen()
    await backend.startWork()
    void publisher.renderAll(pagePaths(database)).then((rendered) => {
      if (rendered > 0) say(`Rendered ${rendered} pages.`)
    })
    return {
      url,
      demoAccounts: backend.demoAccounts,
      async stop() {
        await Promise.all([publisher.stop(), app.stop()])
        await backend.close()
      },
    }
  } catch (error) {
    await backend.close()
    throw error
  }
}

type Report = (message: string, error: unknown) => void

async function publisherOf(
  config: Config,
  build: Build,
  api: Api,
  report: Report,
  changes: (site: Site) => Partial<PublishedPagesOptions> = () => ({}),
): Promise<PublishedPages> {
  const { siteUrl } = config
  const site = await loadSite({
    serverDirectory: build.serverDirectory,
    siteUrl,
    api,
    ...pageSettings(config),
  })
  const directory = join(config.dataDir, 'pages')
  const headers = httpsOnly(siteUrl)
  return new PublishedPages({
    store: new PageStore({ directory, buildId: `${build.stamp}-${settingsKey(config)}`, report }),
    files: staticFiles(build.clientDirectory, headers),
    countsFile: join(directory, 'most-wanted.json'),
    headers,
    report,
    ...site,
    ...changes(site),
  })
}

async function startFront(
  config: Config,
  apiOrigin: string,
  build: Build,
  report: Report,
): Promise<Shop> {
  const api = createApi(httpTransport(apiOrigin))
  const publisher = await publisherOf(config, build, api, report, ofAnotherBackend)
  const front = await openFront({
    host: config.host,
    port: config.port,
    apiOrigin,
    siteUrl: config.siteUrl,
    pages: async (request, response) => publisher.handle(request, response),
    // The lightest call of the contract.
    checkBackend: () => api(listCategories, {}),
    report,
  })
  void publisher.renderAll(LASTING_PATHS)
  return {
    url: front.url,
    demoAccounts: [],
    async stop() {
      await Promise.all([publisher.stop(), front.stop()])
    },
  }
}

/** Pages carry the shop's address and its settings, so that with others they are other pages. */
function settingsKey(config: Config): string {
  return createHash('sha256')
    .update(JSON.stringify([config.siteUrl, pageSettings(config)]))
    .digest('hex')
    .slice(0, 12)
}
