import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Duplex, Readable } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../rules/durations.ts'
import { UPLOAD_PART_MAX_BYTES } from '../../rules/uploads.ts'
import type { Metrics } from '../deps.ts'
import { clientAddressBehind } from '../http/client-address.ts'
import { answerTo, fault } from '../http/errors.ts'
import { httpsOnly } from '../http/headers.ts'
import { createHealth, readinessBy } from '../http/health.ts'
import { listen } from '../http/listen.ts'
import { createListener, type Pages, TIMEOUTS } from '../http/listener.ts'
import { JSON_BODY_MAX_BYTES } from '../http/rate-limits.ts'
import { requestIdsFrom } from '../http/request-id.ts'
import { createDrain, stopServer } from '../http/stop.ts'
import { isOwnOrigin, refuseConnection, refuseSocket } from '../http/upgrade.ts'
import { ofPages, ofReadiness, serveMetrics } from '../metrics/metrics.ts'

export { followSite } from './follow-site.ts'

interface FrontOptions {
  readonly host: string
  readonly port: number
  /** The backend that answers `/api`, `/ws` and its covers. */
  readonly apiOrigin: string
  /** The address of this site, such as `https://karras.tn`. */
  readonly siteUrl: string
  readonly pages: Pages
  /** The proxies that may name their clients. */
  readonly trustedProxies: readonly string[]
  /** Rejects while the backend does not answer. */
  readonly checkBackend: () => Promise<unknown>
  readonly metrics: Metrics
  /** Lets a Prometheus on another machine read `/metrics`; null: none may. */
  readonly metricsToken: string | null
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
  const { isDraining, drain } = createDrain()
  const { metrics } = options
  const readiness = readinessBy({ backend: { neededFor: 'calls', check: options.checkBackend } })
  const server = Fastify({
    logger: false,
    trustProxy: [...options.trustedProxies],
    bodyLimit: JSON_BODY_MAX_BYTES,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    clientErrorHandler: refuseConnection,
    serverFactory: (api) =>
      createListener({
        health: createHealth(readiness),
        metrics: serveMetrics({
          token: options.metricsToken,
          registry: metrics.registry,
          read: async () => [...ofPages(metrics.pages), ...ofReadiness(await readiness())],
          report: (error) => options.report('The metrics failed.', error),
        }),
        api,
        pages: options.pages,
        timeouts: TIMEOUTS,
        onError: (error) => options.report('A page failed.', error),
        isDraining,
        givenId: requestIdsFrom(options.trustedProxies).givenId,
      }),
  })
  server.addHook('onRequest', async (_, reply) => void reply.headers(secure))
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.onAnswer(route, request.method, reply.statusCode, reply.elapsedTime / SECOND_MS)
  })
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
        // A trusted proxy named the client; the backend trusts this process.
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
    drain: (ms: number) =>
      drain(server.server, { ms, linger: TIMEOUTS.linger, live: tunnel.count }),
    async stop() {
      tunnel.stop()
      await stopServer(server)
    },
  }
}

// How long the backend may take to answer, in milliseconds.
const ANSWER_TIMEOUT = 10_000

/** Forwards `/ws` byte for byte; the origin is checked here, where the site's is known. */
function openTunnel(
  { apiOrigin, siteUrl, trustedProxies }: FrontOptions,
  report: (error: unknown) => void,
) {
  const addressOf = clientAddressBehind(trustedProxies)
  const open = new Set<Duplex>()
  let clients = 0

  function keep(socket: Duplex): void {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    keep(socket)
    clients++
    socket.on('close', () => clients--)
    if (!isOwnOrigin(request, siteUrl)) {
      refuseSocket(socket, fault('forbidden'))
      return
    }
    const send = apiOrigin.startsWith('https:') ? requestHttps : requestHttp
    const handshake = send(new URL(request.url ?? '/', apiOrigin), {
      headers: { ...handshakeOf(request), 'x-forwarded-for': addressOf(request) },
      timeout: ANSWER_TIMEOUT,
    })
    const giveUp = (error: unknown) => {
      if (!socket.destroyed) report(error)
      refuseSocket(socket, fault('unavailable'))
    }
    handshake.on('timeout', () => handshake.destroy(new Error('the backend took too long')))
    handshake.on('error', giveUp)
    handshake.on('response', (answer) => {
      socket.write(headOf(answer, ['connection: close']))
      answer.on('error', () => socket.destroy())
      answer.pipe(socket)
    })
    handshake.on('upgrade', (answer, backend, first) => {
      handshake.off('error', giveUp)
      backend.setTimeout(0)
      keep(backend)
      socket.on('close', () => backend.destroy())
      backend.on('close', () => socket.end())
      socket.write(headOf(answer))
      socket.write(first)
      backend.write(head)
      backend.pipe(socket).pipe(backend)
    })
    socket.on('close', () => handshake.destroy())
    handshake.end()
  }

  return {
    upgrade,
    count: () => clients,
    /** Closes all connections. */
    stop() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** The headers of the handshake; cookies and others are not forwarded. */
function handshakeOf(request: IncomingMessage): Record<string, string> {
  const { headers } = request
  const names = Object.keys(headers).filter((name) => name.startsWith('sec-websocket-'))
  const kept = [...names, 'user-agent'].flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return {
    ...Object.fromEntries(kept),
    connection: 'Upgrade',
    upgrade: 'websocket',
  }
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage, more: string[] = []) {
  const lines = rawHeaders.flatMap((name, at) => {
    // Reading the body has removed its chunked encoding.
    const isKept = more.length === 0 || !/^(?:connection|transfer-encoding|keep-alive)$/i.test(name)
    return at % 2 === 0 && isKept ? [`${name}: ${rawHeaders[at + 1]}`] : []
  })
  return `${[`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, ...more].join('\r\n')}\r\n\r\n`
}
