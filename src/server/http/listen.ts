import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Address, localOrigin } from '../config/config.ts'
import { codeOf, StartError } from '../database/start-error.ts'

/**
 * Listens, and returns the address, such as `http://127.0.0.1:4321`. Throws a `StartError` if the
 * address is not available.
 */
export async function listen(server: FastifyInstance, { host, port }: Address): Promise<string> {
  await server.listen({ host, port }).catch((error) => {
    throw explain(error, { host, port })
  })
  return localOrigin({ host, port: (server.server.address() as AddressInfo).port })
}

/** A port that is free now, for a shop whose pages contain its address before it listens. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

function explain(error: unknown, { host, port }: Address): unknown {
  const reason = { EADDRINUSE: 'is in use', EACCES: 'needs more rights' }[codeOf(error) ?? '']
  if (reason) {
    const other = port < 1024 ? 8080 : port + 1
    return new StartError(
      `PORT ${port} on ${host} ${reason}; give this shop another one, such as PORT=${other}.`,
    )
  }
  if (codeOf(error) !== 'EADDRNOTAVAIL') return error
  return new StartError(
    `HOST "${host}" is no address of this machine; use 127.0.0.1 or one of its own.`,
  )
}
