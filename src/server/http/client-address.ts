import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'

/** Returns the address of a request's client, identical to Fastify's `request.ip`. */
export type ClientAddress = (request: IncomingMessage) => string

/** The most proxies between a client and the shop. */
const HOPS_MAX = 16

/**
 * Stands for a client whose address a proxy names in a form that is none. All of these count as one
 * client, and never as this machine, which nothing limits.
 */
const UNREADABLE = '0.0.0.0'

/**
 * Leaves in `X-Forwarded-For` whole addresses alone, for everything that reads it. `127.1`,
 * `127.0.0.1.evil`, ports, brackets and zones are none; nothing before one of these is believed,
 * since the proxy that wrote it may have copied what it was sent.
 */
export function readForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const given = headers['x-forwarded-for']
  if (given === undefined) return
  const hops = String(given)
    .split(',')
    .slice(-HOPS_MAX)
    .map((hop) => hop.trim())
  const wrong = hops.findLastIndex((hop) => isIP(hop) === 0 || hop.includes('%'))
  const whole = hops.slice(wrong + 1)
  headers['x-forwarded-for'] = (wrong < 0 ? whole : [UNREADABLE, ...whole]).join(', ')
}

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

/** The key of an address's /24, or of an IPv6 address's /48: as much as one customer may easily have. */
export function networkKey(ip: string | undefined): string {
  const key = addressKey(ip)
  return siteKey(ip) ?? `${key.slice(0, key.lastIndexOf('.'))}.0/24`
}

/**
 * An address without its last part, such as `197.2.14.x`: it tells an account's owner from where a
 * log-in came, and singles out nobody's connection. '' for this machine.
 */
export function shortAddress(ip: string): string {
  if (ip === '' || isLocal(ip)) return ''
  return networkKey(ip).replace('.0/24', '.x').replace('::/48', ':x')
}

/** Whether a request comes from this machine, unless a proxy names another client. */
export function isLocal(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\./.test(ip)
}
