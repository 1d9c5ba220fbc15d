import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SECOND_MS } from '../../rules/limits.ts'
import { wantsSocket } from '../chat/upgrade.ts'
import type { Health } from './health.ts'

/** Answers a request for a page or an asset; false leaves it to the API's server. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  readonly headers: number
  readonly request: number
  /** How often the two above are looked at. */
  readonly checked: number
  /** A connection on which nothing at all happens. */
  readonly silence: number
  /** Longer than the 60 s that proxies keep an unused connection. */
  readonly keepAlive: number
}

export const TIMEOUTS: Timeouts = {
  headers: 15 * SECOND_MS,
  request: 30 * SECOND_MS,
  checked: 5 * SECOND_MS,
  silence: 120 * SECOND_MS,
  keepAlive: 72 * SECOND_MS,
}

export interface ListenerOptions {
  /** Answers before pages, limits and the API. */
  readonly health?: Health
  readonly api: (request: IncomingMessage, response: ServerResponse) => void
  readonly pages: Pages | undefined
  readonly timeouts: Timeouts
  readonly isStopping: () => boolean
  readonly onError: (error: unknown) => void
}

/** The one HTTP server: pages and assets first, before any framework; /api goes to `api`. */
export function createListener(options: ListenerOptions): Server {
  const { api, pages, timeouts, isStopping, onError } = options
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.checked,
      keepAliveTimeout: timeouts.keepAlive,
      maxHeaderSize: 16 * 1024,
      // Any other wish, such as curl's for HTTP/2, is passed over.
      shouldUpgradeCallback: wantsSocket,
    },
    (request, response) => {
      if (isStopping()) response.setHeader('connection', 'close')
      if (options.health?.(request, response, isStopping())) return
      if (!pages || isApi(request.url)) return api(request, response)
      pages(request, response).then(
        (isAnswered) => isAnswered || api(request, response),
        (error) => {
          onError(error)
          if (response.headersSent) response.destroy()
          else response.writeHead(500, { 'content-type': 'text/plain' }).end('Server error')
        },
      )
    },
  )
  server.maxHeadersCount = 100
  server.setTimeout(timeouts.silence)
  return server
}

function isApi(url = ''): boolean {
  return /^\/api(?:[/?]|$)/.test(url) || !url.startsWith('/')
}
