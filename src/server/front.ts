import type { AddressInfo } from 'node:net'
import httpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'
import { openTunnel } from './front-socket.ts'
import { answerTo, fault } from './http/errors.ts'
import { createHealth } from './http/health.ts'
import { createListener, type Pages, TIMEOUTS } from './http/listener.ts'
import { stopServer } from './http/stop.ts'
import type { RenderPage } from './publishing/site.ts'

export interface FrontOptions {
  readonly host: string
  readonly port: number
  /** The backend that answers `/api`, `/ws` and the covers that it has. */
  readonly apiOrigin: string
  /** Where this site is reached, such as `https://karras.tn`. */
  readonly siteUrl: string
  readonly pages: Pages
  /** Rejects while the backend does not answer. */
  readonly checkBackend: () => Promise<unknown>
  readonly report: (message: string, error: unknown) => void
}

/** The site in front of another backend (`API_ORIGIN`, decisions §2): calls and sockets go there. */
export async function openFront(options: FrontOptions) {
  let isStopping = false
  const server = Fastify({
    logger: false,
    trustProxy: 'loopback',
    serverFactory: (api) =>
      createListener({
        health: createHealth({ backend: options.checkBackend }),
        api,
        pages: options.pages,
        timeouts: TIMEOUTS,
        isStopping: () => isStopping,
        onError: (error) => options.report('A page failed.', error),
      }),
  })
  server.addHook('preClose', async () => {
    isStopping = true
  })
  const unavailable = () => {
    const { status, headers, body } = answerTo(fault('unavailable'))
    return { status, headers, body }
  }
  server.setErrorHandler((error, _, reply) => {
    options.report('The backend did not answer.', error)
    const { status, headers, body } = unavailable()
    return reply.code(status).headers(headers).send(body)
  })
  server.setNotFoundHandler((_, reply) => {
    const { status, body } = answerTo(fault('not_found'))
    return reply.code(status).send(body)
  })
  for (const prefix of ['/api', '/media/covers']) {
    await server.register(httpProxy, {
      upstream: options.apiOrigin,
      prefix,
      rewritePrefix: prefix,
    })
  }
  const tunnel = openTunnel(options)
  server.server.on('upgrade', tunnel.upgrade)
  await server.listen({ host: options.host, port: options.port })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async stop() {
      tunnel.stop()
      await stopServer(server)
    },
  }
}

/** Pages of another backend are never stored: nobody tells us when its data changes. */
export function unstored(render: RenderPage): RenderPage {
  return async (target) => ({ ...(await render(target)), tags: [] })
}
