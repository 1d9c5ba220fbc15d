import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Config, realBecause } from './config.ts'
import { prepareDataDirectory } from './database/data-directory.ts'
import { startEmbedded } from './database/embedded.ts'
import { openListener } from './database/listen.ts'
import { migrate } from './database/migrate.ts'
import { type Database, openDatabase } from './database/pool.ts'
import { StartError } from './database/start-error.ts'
import { type DemoAccount, demoAccounts, fillDemoShop } from './demo/demo-shop.ts'
import { isEmptyShop } from './demo/write-shop.ts'
import type { Deps } from './deps.ts'
import { readSecret } from './http/secret.ts'
import { installJobs, openJobs } from './jobs/jobs.ts'
import { openGateway } from './payments/open-gateway.ts'
import { type CachedPages, openAnnouncements } from './publishing/publishing.ts'
import { startWork } from './work.ts'

/** Prints a line for the operator. */
export type Say = (line: string) => void

/** Everything behind the pages, ready: a migrated database, the secret, the demo shop. */
export interface Backend {
  readonly deps: Deps
  /** The demo accounts, when this shop has them. */
  readonly demoAccounts: readonly DemoAccount[]
  /**
   * Names who is told of changed pages, in whichever process they changed; resolves when they know
   * of all that changed before.
   */
  publishTo(pages: CachedPages): Promise<void>
  /** Does the jobs that wait, until it is closed. */
  startWork(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the backend: the embedded database or `DATABASE_URL`'s, migrated; an empty
 * one is filled with the demo shop where that is wanted. Throws a `StartError` with one line for
 * what an operator must mend.
 */
export async function openBackend(given: Config, say: Say): Promise<Backend> {
  const opened: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of opened.splice(0).reverse()) await step()
  }
  try {
    const config = await withPort({ ...given, dataDir: prepareDataDirectory(given.dataDir) })
    let connection: Parameters<typeof migrate>[0] | null = config.databaseUrl
    if (connection === null) {
      const embedded = await startEmbedded({ dataDir: config.dataDir, log: faultsOnly(say) })
      opened.push(() => embedded.stop())
      connection = embedded.connection
    }
    await migrate(connection)
    const database = openDatabase(connection, { log: say })
    opened.push(() => database.close())
    await refuseOpenDemo(config, database)
    const listener = openListener(connection, { log: say })
    opened.push(() => listener.close())
    await installJobs(database)
    const jobs = await openJobs({ database, report: say })
    opened.push(() => jobs.stop())
    // Whoever had them was on this directory before, and is gone.
    if (config.databaseUrl === null) await jobs.release()
    // The pages are rendered with this API, so it is there before them.
    const publisher = openAnnouncements({
      database,
      listener,
      file: join(config.dataDir, 'pages-heard.json'),
      log: say,
    })
    opened.push(() => publisher.close())

    const deps: Deps = {
      config,
      database,
      listener,
      publisher,
      jobs,
      gateway: openGateway(config.payment, { database, siteUrl: config.siteUrl, now: Date.now }),
      report: say,
      secret: await readSecret(config),
      now: Date.now,
    }
    if (config.demo) await fill(deps, say)
    const accounts = await demoAccounts(database)
    return {
      deps,
      demoAccounts: accounts,
      publishTo: (pages) => publisher.publishTo(pages),
      async startWork() {
        opened.push(await startWork(deps))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function fill(deps: Deps, say: Say): Promise<void> {
  const startedAt = performance.now()
  if (!(await fillDemoShop(deps))) return
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`Filled the empty shop with the demo catalogue in ${seconds} s.`)
}

/** `PORT=0`: a free port is chosen before anything is rendered, since pages carry the address. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, config.host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
  return { ...config, port, siteUrl: config.siteUrl.replace(/:0$/, `:${port}`) }
}

const PRIVATELY = 'HOST=127.0.0.1 without SITE_URL and NODE_ENV to have it for this machine alone'

/** Everybody knows the demo accounts' password, and a proxy may stand before a loopback address. */
async function refuseOpenDemo(config: Config, database: Database): Promise<void> {
  const reality = realBecause(config)
  if (reality === null) return
  // Before it is filled: a shop that must not open keeps an empty database for the real one.
  if (config.demo && (await isEmptyShop(database.kysely))) {
    throw new StartError(
      `${reality}, and this empty shop would get the demo accounts, whose password everybody knows: use DEMO=0, or ${PRIVATELY}.`,
    )
  }
  if ((await demoAccounts(database)).length === 0) return
  throw new StartError(
    `${reality}, and this shop has the demo accounts, whose password everybody knows: use another DATA_DIR or DATABASE_URL with DEMO=0, or ${PRIVATELY}.`,
  )
}

/** Of the database server's log an operator needs what went wrong. */
function faultsOnly(say: Say): Say {
  return (line) => {
    if (/^\s*(?:LOG|NOTICE|DETAIL|HINT|STATEMENT|CONTEXT):/.test(line)) return
    // A connection that we closed, and that was not quite gone when we stopped the server.
    if (/terminating connection due to administrator command/.test(line)) return
    say(line)
  }
}
