import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { encode } from '../../contract/values.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { UPLOAD_PART_MAX_BYTES } from '../../rules/uploads.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import type { Deps } from '../deps.ts'
import { StorageUnavailable } from '../files/files.ts'
import { resultOf } from './answer.ts'
import { addressKey, isLocal } from './client-address.ts'
import { answerTo, type ErrorAnswer, fault } from './errors.ts'
import { completeHeaders, securityHeaders } from './headers.ts'
import { createHealth, type ReadReadiness } from './health.ts'
import { createListener, type ListenerOptions, type Pages, type Timeouts } from './listener.ts'
import { type LogTarget, logOptions, logSlow } from './logging.ts'
import { admit } from './policies.ts'
import { proxyWatch } from './proxy-watch.ts'
import {
  type Allowances,
  countCallsOfSites,
  createLimits,
  JSON_BODY_MAX_BYTES,
} from './rate-limits.ts'
import { REQUEST_ID, requestIdsFrom } from './request-id.ts'
import type { Route, User } from './route.ts'
import { refuseConnection } from './upgrade.ts'

export interface ServerOptions {
  readonly routes: readonly Route[]
  readonly deps: Deps
  readonly allowances: Allowances
  readonly timeouts: Timeouts
  readonly log: LogTarget
  readonly pages: Pages | undefined
  readonly readiness: ReadReadiness
  readonly metrics: ListenerOptions['metrics']
  /** Called after each answer of a route, with its pattern; the time is in seconds. */
  readonly onAnswer: (route: string, method: string, status: number, seconds: number) => void
  /** The event loop's mean delay in milliseconds above which calls get 503; 0: never. */
  readonly overloadDelay: number
  readonly isDraining: () => boolean
  /** Whether a path is answered even if the shop is overloaded. */
  readonly isNeverShed: (url: string) => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a route, admitted before its body is read. */
    caller: User | null
  }
}

/** The HTTP server with its routes below /api; not listening yet. */
export async function createApiServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deps, routes, pages, timeouts } = options
  const headers = securityHeaders(deps.config.siteUrl)
  const { givenId, idOf } = requestIdsFrom(deps.config.trustedProxies)
  const server: FastifyInstance = Fastify({
    genReqId: idOf,
    ...logOptions(options.log),
    bodyLimit: JSON_BODY_MAX_BYTES,
    trustProxy: [...deps.config.trustedProxies],
    // During a stop, requests are still answered, and their connections closed.
    return503OnClosing: false,
    // For example a path that is not UTF-8, which reaches neither routes nor hooks.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(headers)),
    clientErrorHandler: refuseConnection,
    serverFactory: (api) =>
      createListener({
        health: createHealth(options.readiness),
        metrics: options.metrics,
        api,
        pages,
        timeouts,
        onError: (error) => server.log.error(error, 'page'),
        isDraining: options.isDraining,
        givenId,
      }),
  })
  const limitsFor = createLimits(deps, options.allowances)
  const callsOfSite = countCallsOfSites(deps.now, options.allowances)

  const watchForProxies = proxyWatch(deps)
  server.addHook('onRequest', async ({ raw }, reply) => {
    reply.headers(headers)
    watchForProxies(raw)
  })
  server.addHook('onSend', async (_, reply, payload) => {
    completeHeaders(reply)
    return compressText(reply, payload)
  })
  server.addHook('onResponse', async (request, reply) => {
    logSlow(request, reply.elapsedTime)
    const route = request.routeOptions.url ?? 'unknown'
    options.onAnswer(route, request.method, reply.statusCode, reply.elapsedTime / SECOND_MS)
  })
  server.setErrorHandler(sendError)
  acceptJsonOnly(server)
  server.decorateRequest('caller', null)

  if (options.overloadDelay > 0) {
    await server.register(underPressure, {
      maxEventLoopDelay: options.overloadDelay,
      // A payment under way must not be refused.
      pressureHandler: (request) => {
        if (!options.isNeverShed(request.url)) throw fault('unavailable')
      },
    })
  }
  server.addHook('onRequest', async ({ ip }) => {
    const retryAfter = callsOfSite(ip)
    if (retryAfter > 0) throw fault('too_many_requests', { retryAfter })
  })
  await server.register(rateLimit, {
    max: options.allowances.calls.max,
    timeWindow: options.allowances.calls.windowMs,
    keyGenerator: (request) => addressKey(request.ip),
    allowList: (request) => isLocal(request.ip),
    cache: 20_000,
    addHeaders: NO_HEADERS,
    addHeadersOnExceeding: NO_HEADERS,
    errorResponseBuilder: (_, { ttl }) =>
      fault('too_many_requests', { retryAfter: Math.ceil(ttl / 1000) }),
  })

  const forms = routes.map(({ call: { method, path } }) => ({
    method,
    parts: `/api${path}`.split('/'),
  }))
  server.setNotFoundHandler({ preHandler: server.rateLimit() }, (request, reply) => {
    const asked = (request.url.split('?', 1)[0] ?? '').split('/')
    const methods = new Set(
      forms.filter(({ parts }) => isOfForm(asked, parts)).map(({ method }) => method),
    )
    if (methods.size === 0) throw fault('not_found')
    reply.header('allow', [...methods].join(', ').replace('GET', 'GET, HEAD'))
    throw fault('method_not_allowed')
  })
  const add = (scope: FastifyInstance, route: Route) => {
    scope.route({
      method: route.call.method,
      url: `/api${route.call.path}`,
      ...(route.call.takesAtMost !== undefined && { bodyLimit: route.call.takesAtMost }),
      ...(route.landing && { errorHandler: landOn(route.landing) }),
      // Runs before the body is read, so that a refused caller need not send it.
      preParsing: async (request) => {
        const identity = await deps.identify(request.headers.authorization)
        request.caller = admit(route.call, identity, deps.config)
      },
      handler: async (request, reply) => {
        const result = await resultOf(route, deps, {
          params: request.params,
          query: request.query,
          body: request.body,
          user: request.caller,
          idempotencyKey: request.headers['idempotency-key'],
          limits: limitsFor(reply),
          reply,
        })
        // The route has sent a file itself; awaiting its reply yields nothing, even if the client
        // has left.
        if (reply.sent || reply.raw.headersSent) return reply
        return result === undefined ? reply.code(204).send() : encode(route.call.result, result)
      },
    })
  }
  const isBytes = ({ call }: Route) => call.takes === 'bytes'
  for (const route of routes.filter((each) => !isBytes(each))) add(server, route)
  await server.register(async (scope) => {
    acceptBytesOnly(scope)
    for (const route of routes.filter(isBytes)) add(scope, route)
  })
  return server
}

/** Whether the parts of a path are those of a call's path, whose `:name` is any part. */
const isOfForm = (parts: readonly string[], form: readonly string[]): boolean =>
  parts.length === form.length &&
  form.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}

function noteError(error: unknown, request: FastifyRequest): ErrorAnswer {
  const known = answerTo(error)
  if (known.isUnexpected) request.log.error({ err: error, req: request }, 'unexpected')
  if (error instanceof DatabaseUnavailable) {
    request.log.warn({ req: request, cause: error.message }, 'unavailable')
  }
  if (error instanceof StorageUnavailable) {
    request.log.error({ req: request, cause: error.message }, 'storage unavailable')
  }
  return known
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = noteError(error, request)
  // A route may have allowed caching before it failed.
  reply.code(status).headers({ ...headers, 'cache-control': 'no-store' })
  if (status >= 500) reply.header(REQUEST_ID, request.id)
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Redirects a browser to a page, whatever the error. */
function landOn(landing: NonNullable<Route['landing']>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    noteError(error, request)
    return reply.redirect(landing(request.query), 302)
  }
}

/** JSON or an empty body; refuses `__proto__` and `constructor.prototype`. */
function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients declare JSON even on calls without a body.
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Raw bytes, only for the routes of this scope. */
function acceptBytesOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: UPLOAD_PART_MAX_BYTES },
    (_, body, done) => done(null, body),
  )
}

const compress = promisify(brotliCompress)

// Smaller answers fit into one packet anyway.
const WORTHWHILE = 1024

// Saves four fifths as much as the best quality, in a tenth of its time.
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** In bytes: the limits of all cached answers and of one, including their compressed form. */
const KEPT = 8 * 1024 * 1024
const KEPT_OF_ONE = 256 * 1024

/** Compressed answers to anonymous requests: the same lists are requested again and again. */
const kept = new LRUCache<string, Buffer>({
  maxSize: KEPT,
  maxEntrySize: KEPT_OF_ONE,
  sizeCalculation: (bytes, text) => 2 * text.length + bytes.length,
})

/**
 * Compresses JSON and other text with brotli, if the client accepts it, which makes lists ten times
 * smaller.
 */
async function compressText(reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < WORTHWHILE) return payload
  reply.header('vary', 'accept-encoding')
  const { headers } = reply.request
  if (!/\bbr\b/.test(headers['accept-encoding'] ?? '')) return payload
  reply.removeHeader('content-length').header('content-encoding', 'br')
  const known = kept.get(payload)
  if (known) return known
  const bytes = await compress(payload, OPTIONS)
  // Data of a user must not stay in memory.
  if (!headers.authorization) kept.set(payload, bytes)
  return bytes
}
