import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'

/** Returns the address of a request's client, identical to Fastify's `request.ip`. */
export type ClientAddress = (request: IncomingMessage) => string

/** Believes what these proxies (addresses, networks or `loopback`) say about their clients. */
export function clientAddressBehind(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  // A connection that has just been cut has no address.
  return (request) => proxyAddress(request, isTrusted) ?? ''
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
