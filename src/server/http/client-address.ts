import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'

/** The proxy that may name the client's address: only one on this machine. */
export const TRUSTED_PROXY = 'loopback'

const isTrusted = proxyAddress.compile(TRUSTED_PROXY)

/** The client's address, identical to Fastify's `request.ip`. */
export function clientAddress(request: IncomingMessage): string {
  // A connection that has just been cut has no address.
  return proxyAddress(request, isTrusted) ?? ''
}

/** A client's address, for IPv6 its /64; '' for a connection that was cut before. */
export function addressKey(ip: string | undefined): string {
  return normalizeIP(ip ?? '', 64)
}

/** An IPv6 address's /48, the most that one customer gets; null for IPv4 and this machine. */
export function siteKey(ip: string | undefined): string | null {
  const key = normalizeIP(ip ?? '', 48)
  return key.includes(':') && !isLocal(ip ?? '') ? `${key}/48` : null
}

/** Whether a request comes from this machine, unless a proxy names another client. */
export function isLocal(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\./.test(ip)
}
