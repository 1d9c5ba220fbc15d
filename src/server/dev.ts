// `npm run dev`: Astro's development server with the same API behind it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AstroIntegration, dev } from 'astro'
import { createApi } from '../client/api.ts'
import { buildApp, ROUTES } from './app.ts'
import { openBackend } from './backend.ts'
import { readConfig } from './config.ts'
import { StartError } from './database/start-error.ts'
import { inProcess } from './http/in-process.ts'
import { startPaymentJobs } from './payments/jobs.ts'

process.env.ASTRO_TELEMETRY_DISABLED = '1'

try {
  const backend = await openBackend(readConfig(process.env), console.log)
  const { deps } = backend
  const app = await buildApp(deps)
  const api = createApi(inProcess(ROUTES, deps, console.error))
  const site = await dev({
    root: process.cwd(),
    server: { host: deps.config.host, port: deps.config.port },
    integrations: [withBackend(app.server.routing, api)],
  })
  for (const { email, password } of backend.demoAccounts) {
    console.log(`  demo account: ${email} / ${password}`)
  }
  const stopJobs = startPaymentJobs(deps)
  const stop = async () => {
    await site.stop()
    await app.stop()
    await stopJobs()
    await backend.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}

function withBackend(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  api: App.Locals['api'],
): AstroIntegration {
  return {
    name: 'karras:backend',
    hooks: {
      'astro:server:setup': ({ server }) => {
        server.middlewares.use((request, response, next) => {
          if (/^\/api(?:[/?]|$)/.test(request.url ?? '')) return answer(request, response)
          // Where Astro's development server looks for `Astro.locals`.
          Object.assign(request, { [Symbol.for('astro.locals')]: { api } })
          next()
        })
      },
    },
  }
}
