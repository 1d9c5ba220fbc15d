import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/**
 * The proxy that may name the client's address, for Fastify and the code before it: only one on
 * this machine.
 */
export const TRUSTED_PROXY = 'loopback'

const isTrusted = proxyAddress.compile(TRUSTED_PROXY)

/** The client's address, identical to Fastify's `request.ip`. */
export function clientAddress(request: IncomingMessage): string {
  // A connection that has just been cut has no address.
  return proxyAddress(request, isTrusted) ?? ''
}
