import type { FastifyReply } from 'fastify'

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

/** For what a browser might open as a page: being data, it must not do anything. */
const OF_DOCUMENTS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Media types that browsers, forbidden to guess another, neither run nor load anything for. */
const INERT = /^(?:application\/(?:json|zip)|image\/(?!svg)|text\/csv)\b/

const A_YEAR_OF_HTTPS = 'max-age=31536000'

/** HSTS, for every answer of a shop that uses HTTPS; otherwise nothing. */
export function httpsOnly(siteUrl: string): Readonly<Record<string, string>> {
  return siteUrl.startsWith('https:') ? { 'strict-transport-security': A_YEAR_OF_HTTPS } : {}
}

/** The headers of API answers, which `onlyNeeded` reduces. */
export function securityHeaders(siteUrl: string): Readonly<Record<string, string>> {
  return { ...ALWAYS, ...OF_DOCUMENTS, ...httpsOnly(siteUrl) }
}

/** Headers that say something of a page alone: a picture that is opened runs and leads nowhere. */
const OF_PAGES = ['content-security-policy', 'referrer-policy', 'cross-origin-opener-policy']

/** Takes them off the answer with a picture of our own making, of which a page may have many. */
export function forPicture(reply: FastifyReply): void {
  for (const name of OF_PAGES) reply.removeHeader(name)
}

/** What every answer of the API has, whatever its route says. */
export function completeHeaders(reply: FastifyReply): void {
  forbidCaching(reply)
  onlyNeeded(reply)
}

/** The default of routes: caches keep nothing of the API. */
function forbidCaching(reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
}

/** Removes what says something about documents alone where the answer can be none. */
function onlyNeeded(reply: FastifyReply): void {
  if (!INERT.test(String(reply.getHeader('content-type')))) return
  for (const name of Object.keys(OF_DOCUMENTS)) reply.removeHeader(name)
}
