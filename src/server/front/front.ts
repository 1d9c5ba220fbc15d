import { Readable } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { UPLOAD_PART_MAX_BYTES } from '../../rules/uploads.ts'
import { TRUSTED_PROXY } from '../http/client-address.ts'
import { answerTo, fault } from '../http/errors.ts'
import { httpsOnly } from '../http/headers.ts'
import { createHealth } from '../http/health.ts'
import { listen } from '../http/listen.ts'
import { createListener, type Pages, TIMEOUTS } from '../http/listener.ts'
import { JSON_BODY_MAX_BYTES } from '../http/rate-limits.ts'
import { stopServer } from '../http/stop.ts'
import { refuseConnection } from '../http/upgrade.ts'
import { openTunnel } from './tunnel.ts'

export { followSite } from './follow-site.ts'

export interface FrontOptions {
  readonly host: string
  readonly port: number
  /** The backend that answers `/api`, `/ws` and its covers. */
  readonly apiOrigin: string
  /** The address of this site, such as `https://karras.tn`. */
  readonly siteUrl: string
  readonly pages: Pages
  /** Rejects while the backend does not answer. */
  readonly checkBackend: () => Promise<unknown>
  readonly report: (message: string, error: unknown) => void
}

/** Headers that concern a single connection and must not be forwarded. */
const OF_ONE_CONNECTION = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]

function without<Headers extends object>(headers: Headers, names: readonly string[]): Headers {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name))
  return Object.fromEntries(kept) as Headers
}

/** The site in front of another backend (`API_ORIGIN`): calls and sockets go there. */
export async function openFront(options: FrontOptions) {
  const secure = httpsOnly(options.siteUrl)
  const reportBackend = (error: unknown) => options.report('The backend did not answer.', error)
  /** Passes on refusals of the backend unchanged; this answers requests that do not reach it. */
  const refuse = (error: unknown, _: FastifyRequest, reply: FastifyReply) => {
    const found = answerTo(error)
    if (found.status >= 500) reportBackend(error)
    const { status, headers, body } = found.isUnexpected ? answerTo(fault('unavailable')) : found
    return reply
      .code(status)
      .headers({ ...headers, ...secure, 'cache-control': 'no-store' })
      .send(body)
  }
  const server = Fastify({
    logger: false,
    trustProxy: TRUSTED_PROXY,
    bodyLimit: JSON_BODY_MAX_BYTES,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    clientErrorHandler: refuseConnection,
    serverFactory: (api) =>
      createListener({
        health: createHealth({ backend: options.checkBackend }),
        api,
        pages: options.pages,
        timeouts: TIMEOUTS,
        onError: (error) => options.report('A page failed.', error),
      }),
  })
  server.addHook('onRequest', async (_, reply) => void reply.headers(secure))
  server.setErrorHandler(refuse)
  server.setNotFoundHandler((request, reply) => refuse(fault('not_found'), request, reply))
  // Read up to the backend's own limits, and forwarded byte for byte.
  server.removeAllContentTypeParsers()
  for (const [type, bodyLimit] of [
    ['*', JSON_BODY_MAX_BYTES],
    ['application/octet-stream', UPLOAD_PART_MAX_BYTES],
  ] as const) {
    server.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (_, body, done) =>
      done(null, Readable.from([body])),
    )
  }
  for (const prefix of ['/api', '/media/covers', '/media/portraits']) {
    await server.register(httpProxy, {
      upstream: options.apiOrigin,
      prefix,
      rewritePrefix: prefix,
      proxyPayloads: false,
      replyOptions: {
        // Only a proxy on this machine may name the client; the backend trusts us.
        rewriteRequestHeaders: (request, headers) => ({
          ...without(headers, [...OF_ONE_CONNECTION, 'expect', 'forwarded']),
          'x-forwarded-for': request.ip,
        }),
        rewriteHeaders: (headers) => without(headers, OF_ONE_CONNECTION),
      },
    })
  }
  const tunnel = openTunnel(options, reportBackend)
  server.server.on('upgrade', tunnel.upgrade)
  return {
    url: await listen(server, options),
    async stop() {
      tunnel.stop()
      await stopServer(server)
    },
  }
}
