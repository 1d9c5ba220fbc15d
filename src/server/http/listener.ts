import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND_MS } from '../../rules/durations.ts'
import { readForwardedFor } from './client-address.ts'
import type { Health } from './health.ts'
import { type GivenId, REQUEST_ID } from './request-id.ts'
import { wantsSocket } from './upgrade.ts'

/**
 * Receives every request, and answers it if it is for a page or an asset, synchronously if that is
 * in memory; false leaves it to the server of the API.
 */
export type Pages = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>

/** How long a client may take, in milliseconds. */
export const TIMEOUTS = {
  headers: 15 * SECOND_MS,
  request: 30 * SECOND_MS,
  /** How often the two limits above are checked. */
  checked: 5 * SECOND_MS,
  /** The limit for a connection without any traffic. */
  silence: 120 * SECOND_MS,
  /** Longer than the 60 s that proxies keep an unused connection. */
  keepAlive: 72 * SECOND_MS,
  /**
   * The limit for an unused connection when the server stops; by then its client has used it or
   * noticed.
   */
  linger: 2 * SECOND_MS,
}
export type Timeouts = Readonly<typeof TIMEOUTS>

export interface ListenerOptions {
  /** Answers before pages, limits and the API. */
  readonly health?: Health
  /** Answers `/metrics`, likewise; false for any other address, and for callers that may not see them. */
  readonly metrics?: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly api: (request: IncomingMessage, response: ServerResponse) => void
  readonly pages: Pages | undefined
  readonly timeouts: Timeouts
  readonly onError: (error: unknown) => void
  /** Whether the shop is about to stop. */
  readonly isDraining: () => boolean
  /** The id that a trusted proxy gave to a request. */
  readonly givenId: GivenId
}

/**
 * How many requests of a connection are answered at a time. Browsers and proxies send one after the
 * other; a client that sends many without reading would fill the memory with answers. The answer to
 * the last of them closes the connection, so that the client sends the following ones again; a
 * connection with more than `BEHIND` of these is cut.
 */
const AT_ONCE = 8
const BEHIND = 8

/**
 * The only HTTP server: it serves pages and assets first, before any framework; /api goes to `api`.
 */
export function createListener(options: ListenerOptions): Server {
  const { api, pages, timeouts, onError } = options
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.checked,
      keepAliveTimeout: timeouts.keepAlive,
      maxHeaderSize: 16 * 1024,
      // Any other upgrade, such as curl's to HTTP/2, is ignored.
      shouldUpgradeCallback: wantsSocket,
    },
    (request, response) => {
      readForwardedFor(request)
      const underWay = connections.begin(request, response)
      if (underWay > AT_ONCE) {
        if (underWay > AT_ONCE + BEHIND) request.socket.destroy()
        return
      }
      const isStopping = !server.listening || options.isDraining()
      const id = options.givenId(request)
      if (id !== undefined) response.setHeader(REQUEST_ID, id)
      if (underWay === AT_ONCE || isStopping) response.setHeader('connection', 'close')
      if (options.health?.(request, response, isStopping)) return
      if (options.metrics?.(request, response)) return
      if (!pages || !request.url?.startsWith('/')) return api(request, response)
      const failed = (error: unknown) => {
        onError(error)
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'content-type': 'text/plain' }).end('Server error')
      }
      try {
        const answered = pages(request, response)
        // Most pages are in memory, and answered without a promise.
        if (answered === true) return
        if (answered === false) return api(request, response)
        answered.then((isAnswered) => isAnswered || api(request, response)).catch(failed)
      } catch (error) {
        failed(error)
      }
    },
  )
  // Before those that answer an upgrade, who are added later.
  server.on('upgrade', readForwardedFor)
  const connections = followConnections(server, timeouts.linger)
  server.maxHeadersCount = 100
  server.setTimeout(timeouts.silence)
  return server
}

interface Connection {
  /** The number of requests whose answer is not complete. */
  underWay: number
  /** The number of bytes received at the last check, and since when it has not changed. */
  bytesRead: number
  quietSince: number
}

/**
 * Tracks a server's connections, so that idle ones can be closed without interrupting others.
 * Node's own check takes a connection for idle while a request is arriving or an answer is being
 * sent. Here a connection is closed if nothing was under way or arrived for `linger` milliseconds
 * after the first call of `closeIdleConnections`; a request before that gets an answer that closes
 * the connection.
 */
function followConnections(server: Server, linger: number) {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { underWay: 0, bytesRead: 0, quietSince: Number.POSITIVE_INFINITY })
    socket.once('close', () => connections.delete(socket))
  })
  // From here on it is a live connection, which ends by itself.
  server.on('upgrade', (_, socket) => connections.delete(socket as Socket))

  server.closeIdleConnections = () => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      const { underWay, bytesRead, quietSince } = connection
      if (underWay > 0 || bytesRead !== socket.bytesRead || quietSince > now) {
        connection.quietSince = now
        connection.bytesRead = socket.bytesRead
      }
      if (underWay === 0 && now - connection.quietSince >= linger) socket.destroy()
    }
  }

  // A single function for all, without a closure per request.
  function complete(this: ServerResponse): void {
    const connection = connections.get(this.req.socket)
    if (connection) connection.underWay--
  }

  return {
    /** Counts a request; returns how many are under way on its connection, including this one. */
    begin({ socket }: IncomingMessage, response: ServerResponse): number {
      const connection = connections.get(socket)
      if (!connection) return 0
      connection.underWay++
      response.on('close', complete)
      return connection.underWay
    },
  }
}
