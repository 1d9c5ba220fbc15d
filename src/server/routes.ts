import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { accountRoutes } from './accounts/routes.ts'
import { cartRoutes } from './carts/routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { chatRoutes } from './chat/routes.ts'
import type { ChatSettings } from './chat/settings.ts'
import { openSockets, type Sockets } from './chat/sockets.ts'
import type { Deps } from './deps.ts'
import { answerTo } from './http/errors.ts'
import { type InProcess, inProcess } from './http/in-process.ts'
import { type Pages, TIMEOUTS, type Timeouts } from './http/listener.ts'
import type { LogTarget } from './http/logging.ts'
import { ALLOWANCES, type Allowances } from './http/rate-limits.ts'
import type { Route } from './http/route.ts'
import { createApiServer } from './http/server.ts'
import { stopServer } from './http/stop.ts'
import { coverRoutes } from './library/cover-routes.ts'
import { previewRoutes } from './library/preview-routes.ts'
import { libraryRoutes } from './library/routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { paymentPages } from './payments/page-routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { isPaymentStep } from './publishing/publishing.ts'
import { ratingRoutes } from './ratings/routes.ts'
import { publicFiles } from './search-engines/public-files.ts'
import { walletRoutes } from './wallet/routes.ts'
import { wishlistRoutes } from './wishlists/routes.ts'

/** Every route of the API; each call of the contract has one. */
export const ROUTES: readonly Route[] = [
  ...accountRoutes,
  ...catalogueRoutes,
  ...cartRoutes,
  ...walletRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...libraryRoutes,
  ...wishlistRoutes,
  ...ratingRoutes,
  ...chatRoutes,
]

export interface AppOptions {
  readonly routes?: readonly Route[]
  /** Answers pages and assets, before the API; without it there is only the API. */
  readonly pages?: Pages
  readonly allowances?: Allowances
  readonly timeouts?: Timeouts
  readonly log?: LogTarget
  /** See `ServerOptions`; in milliseconds. */
  readonly overloadDelay?: number
  /** In place of the usual ones, for the live connections. */
  readonly chat?: Partial<ChatSettings>
}

/** The whole shop, put together. */
export interface App {
  readonly server: FastifyInstance
  /** The API without a network, for the pages rendered in this process. */
  readonly api: InProcess
  /** Live connections (`/ws`); they come through `server`, or through another in front of it. */
  readonly sockets: Sockets
  /** Listens where the configuration says, and answers the address, such as `http://127.0.0.1:4321`. */
  listen(): Promise<string>
  /** Finishes what is in flight, 10 seconds at most; the database stays open. */
  stop(): Promise<void>
}

/** Puts every part together, not listening. `deps` stay the caller's to close. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<App> {
  const { routes = ROUTES } = options
  const server = await createApiServer({
    routes,
    deps,
    allowances: options.allowances ?? ALLOWANCES,
    timeouts: options.timeouts ?? TIMEOUTS,
    log: options.log ?? 'stdout',
    pages: options.pages,
    overloadDelay: options.overloadDelay ?? 1000,
    isNeverShed: isPaymentStep,
  })
  await server.register((scope) => previewRoutes(scope, deps))
  await server.register((scope) => coverRoutes(scope, deps))
  await server.register((scope) => paymentPages(scope, deps))
  await server.register((scope) => publicFiles(scope, deps))
  await server.ready()
  const report = (error: unknown) => {
    if (answerTo(error).isUnexpected) server.log.error({ err: error }, 'live connection')
    else server.log.warn({ cause: (error as Error).message }, 'live connection')
  }
  const sockets = openSockets(deps, { settings: options.chat, report })
  server.server.on('upgrade', sockets.upgrade)
  return {
    server,
    sockets,
    api: inProcess(routes, deps, (error) => server.log.error(error, 'in process')),
    async listen() {
      const { host, port } = deps.config
      await server.listen({ host, port })
      const { port: bound } = server.server.address() as AddressInfo
      return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
    },
    async stop() {
      await Promise.all([sockets.stop(), stopServer(server)])
    },
  }
}
