import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../rules/durations.ts'

/** How long a stop of the process waits for requests in flight. */
export const STOP_GRACE_MS = 10 * SECOND_MS

// How often to look for idle connections (milliseconds).
const SWEEP = 50

// Connections are accepted until none has arrived for this many turns of the event loop, at most
// `TURNS` turns in all.
const QUIET_TURNS = 3
const TURNS = 1000

/**
 * What a shop that stops does first, while it still listens: load balancers that ask `/readyz` send
 * no more requests, and connections that clients and proxies keep open are let go, so that the
 * listener is closed for no longer than the rest of the stop takes.
 */
export function createDrain() {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    /**
     * Takes at least `ms`, and longer only until no connection is without a request, which takes
     * `linger` ms. `live` counts the live connections, which stay.
     */
    async drain(
      http: Server,
      { ms, linger, live }: { ms: number; linger: number; live: () => number },
    ): Promise<void> {
      isDraining = true
      await Promise.all([wait(ms), letGo(http, linger, live)])
    },
  }
}

/**
 * Waits until each connection has had an answer, which closes it now, or was closed after `linger` ms
 * without a request; for requests that take longer it does not wait.
 */
async function letGo(http: Server, linger: number, live: () => number): Promise<void> {
  const count = promisify(http.getConnections.bind(http))
  const until = performance.now() + linger + 2 * SWEEP
  while (performance.now() < until && (await count()) > live()) {
    await closeIdle(http)
    await wait(SWEEP)
  }
}

/**
 * Runs after arrived data is read: otherwise a slow process would take a connection with a waiting
 * request for idle.
 */
async function closeIdle(http: Server): Promise<void> {
  await new Promise(setImmediate)
  http.closeIdleConnections()
}

/**
 * Accepts no more connections, finishes the requests in flight, and cuts the rest after `graceMs`.
 * The listener closes before clients are asked to reconnect, and Fastify closes last: otherwise
 * clients would connect while it closes, and get no answer.
 */
export async function stopServer(server: FastifyInstance, graceMs = STOP_GRACE_MS): Promise<void> {
  const { server: http } = server
  await acceptPending(http)
  // Not `close` of HTTP, which also cuts connections on which a request is arriving.
  const drained = new Promise((done) => NetServer.prototype.close.call(http, done))
  const sweep = setInterval(() => void closeIdle(http), SWEEP)
  const cut = setTimeout(() => http.closeAllConnections(), graceMs)
  http.closeIdleConnections()
  try {
    await drained
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
    await server.close()
  }
}

/**
 * Waits until all pending connections are accepted: the event loop accepts one per turn, and the
 * present turn may be past that point.
 */
async function acceptPending(http: Server): Promise<void> {
  let quiet = 0
  const note = () => {
    quiet = 0
  }
  http.on('connection', note)
  for (let turn = 0; quiet < QUIET_TURNS && turn < TURNS; turn++) {
    quiet++
    await new Promise(setImmediate)
  }
  http.off('connection', note)
}
