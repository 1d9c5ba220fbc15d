// `npm run dev`: Astro's development server with the same API behind it.
import { type AstroIntegration, dev } from 'astro'
import { apiPage } from './api-reference/api-reference.ts'
import { type App as Backend, buildApp, openBackend } from './backend.ts'
import { pageSettings, readConfig } from './config/config.ts'
import { environment, silenceAstro } from './config/environment.ts'
import { StartError } from './database/start-error.ts'
import { apiOfPages } from './http/in-process.ts'
import { wantsSocket } from './http/upgrade.ts'
import { ROUTES } from './routes.ts'
import { printableText } from './terminal.ts'

silenceAstro()

try {
  const backend = await openBackend(readConfig(environment), (line) =>
    console.log(printableText(line)),
  )
  const { deps } = backend
  const app = await buildApp(deps)
  const api = apiOfPages(ROUTES, deps, (error) => app.server.log.error(error, 'page'))
  const site = await dev({
    root: process.cwd(),
    server: { host: deps.config.host, port: deps.config.port },
    integrations: [withBackend(app, { api, ...pageSettings(deps.config) })],
  })
  console.log(`  Karras is open at http://${deps.config.host}:${site.address.port}/`)
  for (const { email, password } of backend.demoAccounts) {
    console.log(`  demo account: ${email} / ${password}`)
  }
  await backend.startWork()
  const stop = async () => {
    await site.stop()
    await app.stop()
    await backend.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}

function withBackend(
  { server: { routing }, sockets }: Backend,
  locals: App.ServerLocals,
): AstroIntegration {
  return {
    name: 'karras:backend',
    hooks: {
      'astro:server:setup': ({ server }) => {
        // Vite ignores requests that are not its own.
        server.httpServer?.on('upgrade', (request, socket, head) => {
          if (wantsSocket(request)) sockets.upgrade(request, socket, head)
        })
        server.middlewares.use((request, response, next) => {
          if (request.url === '/api/docs') {
            response.setHeader('content-type', 'text/html; charset=utf-8')
            return response.end(apiPage())
          }
          if (/^\/api(?:[/?]|$)/.test(request.url ?? '')) return routing(request, response)
          // Astro's development server takes `Astro.locals` from this property.
          Object.assign(request, { [Symbol.for('astro.locals')]: { ...locals } })
          next()
        })
      },
    },
  }
}
