import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../rules/durations.ts'

/** What a stop of the process waits for. */
export const STOP_GRACE_MS = 10 * SECOND_MS

// Connections that have just been answered are looked for this often, in milliseconds.
const SWEEP = 50

// Those who have connected are let in until nobody came for so many turns of the event loop, but for
// no more turns than this.
const QUIET_TURNS = 3
const TURNS = 1000

/**
 * Takes no more connections, finishes what is in flight, and cuts what is left after `graceMs`. The
 * door is closed before anybody is told to connect anew, and Fastify only hears of it when all is
 * quiet: the other way round they would knock while it closes, and get no answer.
 */
export async function stopServer(server: FastifyInstance, graceMs = STOP_GRACE_MS): Promise<void> {
  const { server: http } = server
  await letIn(http)
  // Not HTTP's own `close`, which also cuts connections on which a request is just arriving.
  const drained = new Promise((done) => NetServer.prototype.close.call(http, done))
  // After what has arrived is read: a process that is late would take a connection for idle whose
  // request lies there.
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
 * Waits until nobody waits to be let in: the event loop takes one a turn, and the turn in which we are
 * may be past the point where it does.
 */
async function letIn(http: Server): Promise<void> {
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
