import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../rules/durations.ts'

/** How long a stop of the process waits for requests in flight. */
export const STOP_GRACE_MS = 10 * SECOND_MS

// How often to look for idle connections (milliseconds).
const SWEEP = 50

// Connections are accepted until none has arrived for this many turns of the event loop, but for at
// most `TURNS` turns.
const QUIET_TURNS = 3
const TURNS = 1000

/** What a shop that stops does first: load balancers that ask `/readyz` send no more requests. */
export function createDrain() {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    async drain(ms: number): Promise<void> {
      isDraining = true
      await wait(ms)
    },
  }
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
  // Runs after arrived data is read: otherwise a slow process would take a connection with a
  // waiting request for idle.
  const sweep = setInterval(() => setImmediate(() => http.closeIdleConnections()), SWEEP)
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
