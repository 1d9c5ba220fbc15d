import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** Whose word on addresses counts, for Fastify and for what stands before it: a proxy on this machine. */
export const TRUSTED_PROXY = 'loopback'

const isTrusted = proxyAddress.compile(TRUSTED_PROXY)

/** The address of who asks, as `request.ip` is where Fastify answers. */
export function clientAddress(request: IncomingMessage): string {
  // Nothing is left of a connection that has just been cut.
  return proxyAddress(request, isTrusted) ?? ''
}
