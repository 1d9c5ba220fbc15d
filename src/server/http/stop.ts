import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { STOP_GRACE_MS } from '../../rules/limits.ts'

// Connections that have just been answered are looked for this often, in milliseconds.
const SWEEP = 50

// The most turns of the event loop in which those who have connected are let in.
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
  const sweep = setInterval(() => http.closeIdleConnections(), SWEEP)
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

/** Waits until nobody waits to be let in, one a turn of the event loop. */
async function letIn(http: Server): Promise<void> {
  let hasCome = true
  const note = () => {
    hasCome = true
  }
  http.on('connection', note)
  for (let turn = 0; hasCome && turn < TURNS; turn++) {
    hasCome = false
    await new Promise(setImmediate)
  }
  http.off('connection', note)
}
