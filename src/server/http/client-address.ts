import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** Who may name the client's address, for Fastify and the code before it: only a proxy on this machine. */
export const TRUSTED_PROXY = 'loopback'

const isTrusted = proxyAddress.compile(TRUSTED_PROXY)

/** The client's address, the same as Fastify's `request.ip`. */
export function clientAddress(request: IncomingMessage): string {
  // A connection that has just been cut has no address.
  return proxyAddress(request, isTrusted) ?? ''
}
