import type { FastifyInstance } from 'fastify'
import { STOP_GRACE_MS } from '../../rules/limits.ts'

// Connections that have just been answered are looked for this often, in milliseconds.
const SWEEP = 50

/** Takes no more connections, finishes what is in flight, and cuts what is left after `graceMs`. */
export async function stopServer(server: FastifyInstance, graceMs = STOP_GRACE_MS): Promise<void> {
  const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP)
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}
