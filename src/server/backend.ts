import { sql } from 'kysely'
import { startWork } from './background-jobs.ts'
import { fillSchoolLists } from './catalogue/catalogue.ts'
import { type ChatSettings, openSockets } from './chat/chat.ts'
import type { Config } from './config/config.ts'
import { prepareDataDirectory } from './database/data-directory.ts'
import { startEmbedded } from './database/embedded.ts'
import { openListener } from './database/listen.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/pool.ts'
import { faultsOnly } from './database/server-log.ts'
import { demoAccounts, fillDemoShop, refuseOpenDemo } from './demo/demo.ts'
import type { Deps } from './deps.ts'
import { answerTo } from './http/errors.ts'
import { readinessBy, shopChecks } from './http/health.ts'
import { freePort, listen } from './http/listen.ts'
import { TIMEOUTS } from './http/listener.ts'
import { ALLOWANCES } from './http/rate-limits.ts'
import { readSecret } from './http/secret.ts'
import { createApiServer, type ServerOptions } from './http/server.ts'
import { createDrain, stopServer } from './http/stop.ts'
import { installJobs } from './jobs/jobs.ts'
import { followDatabase, ofPages, ofReadiness, ofShop, serveMetrics } from './metrics/metrics.ts'
import { openDeps } from './open-deps.ts'
import { type CachedPages, isPaymentStep } from './publishing/publishing.ts'
import { OTHER_ADDRESSES, ROUTES } from './routes.ts'
import type { Say } from './terminal.ts'

/**
 * Opens the backend: the embedded database or `DATABASE_URL`'s, migrated; an empty one is filled
 * with the demo shop if the configuration says so. Throws a `StartError` with one line that says
 * what the operator has to fix.
 */
export async function openBackend(given: Config, say: Say) {
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
    const database = openDatabase(connection, { size: config.databasePool, log: say })
    opened.push(() => database.close())
    await refuseOpenDemo(config, database)
    const listener = openListener(config.databaseListenUrl ?? connection, { log: say })
    opened.push(() => listener.close())
    await installJobs(database)
    const secret = await readSecret(config)
    const parts = { config, database, listener, secret, say, supervise: true }
    const deps = await openDeps(parts, opened)
    // Only one process at a time uses the embedded database: the workers of these jobs are gone.
    if (config.databaseUrl === null) await deps.jobs.release()
    if (config.demo) await fill(deps, say)
    await fillSchoolLists(database)
    const accounts = await demoAccounts(database)
    return {
      deps,
      /** Set when this shop has them. */
      demoAccounts: accounts,
      /**
       * Connects the pages that receive changes, from all processes; resolves when they know of all
       * earlier changes.
       */
      publishTo: (pages: CachedPages) => deps.publisher.publishTo(pages),
      /** Writes to the disk what the embedded database would else write once nothing listens any more. */
      async settle() {
        if (config.databaseUrl !== null) return
        await sql`CHECKPOINT`.execute(database.kysely).catch(() => {})
      },
      /** Works on the jobs in the queue until the backend is closed. */
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

/**
 * For `PORT=0`: chooses a free port before anything is rendered, since pages contain the address.
 */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  return { ...config, port, siteUrl: config.siteUrl.replace(/:0$/, `:${port}`) }
}

/** Overrides of the server's options; without `pages` there is only the API. */
export interface AppOptions
  extends Partial<
    Omit<
      ServerOptions,
      'deps' | 'isNeverShed' | 'isDraining' | 'readiness' | 'metrics' | 'onAnswer'
    >
  > {
  /** Settings of the live connections. */
  readonly chat?: Partial<ChatSettings>
}

/** The backend's HTTP server and its live connections. */
export type App = Awaited<ReturnType<typeof buildApp>>

/**
 * Puts all routes and live connections into one server, which does not listen yet. The caller
 * closes `deps`.
 */
export async function buildApp(deps: Deps, { chat = {}, ...options }: AppOptions = {}) {
  const { routes = ROUTES } = options
  const { isDraining, drain } = createDrain()
  const readiness = readinessBy(shopChecks(deps))
  const { metrics } = deps
  const readDatabase = followDatabase(deps)
  const server = await createApiServer({
    isDraining,
    readiness,
    metrics: serveMetrics({
      token: deps.config.metricsToken,
      registry: metrics.registry,
      read: async () => {
        const [own, ready, shared] = await Promise.all([
          ofShop(deps, sockets.count()),
          readiness().then(ofReadiness),
          readDatabase(),
        ])
        return [...ofPages(metrics.pages), ...own, ...ready, ...shared]
      },
      report: (error) => server.log.error(error, 'metrics'),
    }),
    onAnswer: metrics.onAnswer,
    allowances: ALLOWANCES,
    timeouts: TIMEOUTS,
    log: 'stdout',
    pages: undefined,
    overloadDelay: deps.config.overloadDelay,
    ...options,
    routes,
    deps,
    // A payment under way must not be refused.
    isNeverShed: isPaymentStep,
  })
  for (const answer of OTHER_ADDRESSES) await server.register((scope) => answer(scope, deps))
  await server.ready()
  const report = (error: unknown) => {
    if (answerTo(error).isUnexpected) server.log.error({ err: error }, 'live connection')
    else server.log.warn({ cause: (error as Error).message }, 'live connection')
  }
  const sockets = openSockets(deps, chat, report)
  server.server.on('upgrade', sockets.upgrade)
  return {
    server,
    /** Live connections (`/ws`), which arrive through `server` or another server in front of it. */
    sockets,
    /**
     * Listens where the configuration says; returns the address, such as `http://127.0.0.1:4321`.
     */
    listen: () => listen(server, deps.config),
    drain: (ms: number) =>
      drain(server.server, {
        ms,
        linger: (options.timeouts ?? TIMEOUTS).linger,
        live: sockets.count,
      }),
    /** Finishes what is in flight, within `STOP_GRACE_MS`; the database stays open. */
    async stop() {
      await Promise.all([sockets.stop(), stopServer(server)])
    },
  }
}
