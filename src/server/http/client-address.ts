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

/**
 * The key of a client's address: for IPv6 only the /64, which belongs to one household or server.
 * The address of a connection that was cut before its request was read is unknown, and counts as
 * ''.
 */
export function addressKey(ip: string | undefined): string {
  return normalizeIP(ip ?? '', 64)
}

/**
 * The key of an IPv6 address's /48, the most that one customer of a provider gets: 65 536 networks.
 * Null for this machine and for IPv4.
 */
export function siteKey(ip: string | undefined): string | null {
  const key = normalizeIP(ip ?? '', 48)
  return key.includes(':') && !isLocal(ip ?? '') ? `${key}/48` : null
}

/** Whether a request comes from this machine, unless a proxy names another client. */
export function isLocal(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\./.test(ip)
}
