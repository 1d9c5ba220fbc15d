import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { sharedWork } from '../concurrency/shared-work.ts'
import { isLocal } from '../http/client-address.ts'
import type { ListenerOptions } from '../http/listener.ts'
import type { Reading } from './readings.ts'

interface ServeOptions {
  /** Admits requests from other machines; null: none. */
  readonly token: string | null
  /** What was counted as it happened. */
  readonly registry: Registry
  readonly read: () => Promise<readonly Reading[]>
  readonly report: (error: unknown) => void
}

/**
 * Answers `/metrics` to this machine and to callers with the token; to others it is an unknown
 * address.
 */
export function serveMetrics(options: ServeOptions): NonNullable<ListenerOptions['metrics']> {
  const { token, registry, read, report } = options
  const hasToken = tokenCheck(token)
  const once = sharedWork<string>()
  const writeMetrics = async () =>
    await Registry.merge([processRegistry(), registry, registryOf(await read())]).metrics()

  return (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return false
    if (!isOfThisMachine(request) && !hasToken(request)) return false
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return true
    }
    once('all', writeMetrics).then(
      (text) => {
        response.writeHead(200, { 'content-type': registry.contentType })
        response.end(request.method === 'HEAD' ? undefined : text)
      },
      (error) => {
        report(error)
        response.writeHead(500).end()
      },
    )
    return true
  }
}

/** What proxies add; without any, one on this machine still sends the public `Host`. */
const OF_PROXIES = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** Whether a request was made on this machine, and not by a proxy for somebody else. */
function isOfThisMachine({ headers, socket }: IncomingMessage): boolean {
  const host = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return (
    isLocal(socket.remoteAddress ?? '') &&
    (host === 'localhost' || (isIP(host) !== 0 && isLocal(host))) &&
    OF_PROXIES.every((name) => headers[name] === undefined)
  )
}

function tokenCheck(token: string | null): (request: IncomingMessage) => boolean {
  if (token === null) return () => false
  // Both of one length, as the comparison in constant time needs.
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const expected = hash(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(hash(headers.authorization ?? ''), expected)
}

function registryOf(readings: readonly Reading[]): Registry {
  const registry = new Registry()
  for (const { name, help, kind, samples } of readings) {
    const labelNames = Object.keys(samples[0]?.[0] ?? {})
    const options = { name, help, labelNames, registers: [registry] }
    if (samples.length === 0) continue
    if (kind === 'counter') {
      const counter = new Counter(options)
      for (const [labels, value] of samples) counter.inc(labels, value)
    } else {
      const gauge = new Gauge(options)
      for (const [labels, value] of samples) gauge.set(labels, value)
    }
  }
  return registry
}

let ofProcess: Registry | undefined

/**
 * Memory, processor time and event loop, which the library measures once for the whole process, from
 * the first call on.
 */
function processRegistry(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess, prefix: 'karras_' })
  return ofProcess
}
