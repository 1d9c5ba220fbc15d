import type { FastifyReply } from 'fastify'

const ALWAYS = {
  // Answers of the API are data: opened as a page, they must not do anything.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const A_YEAR_OF_HTTPS = 'max-age=31536000'

/** HSTS, for every answer of a shop that uses HTTPS; otherwise nothing. */
export function httpsOnly(siteUrl: string): Readonly<Record<string, string>> {
  return siteUrl.startsWith('https:') ? { 'strict-transport-security': A_YEAR_OF_HTTPS } : {}
}

/** The headers of every API answer. */
export function securityHeaders(siteUrl: string): Readonly<Record<string, string>> {
  return { ...ALWAYS, ...httpsOnly(siteUrl) }
}

/** Headers that say something of a page alone: a picture that is opened runs and leads nowhere. */
const OF_PAGES = ['content-security-policy', 'referrer-policy', 'cross-origin-opener-policy']

/** Takes them off the answer with a picture of our own making, of which a page may have many. */
export function forPicture(reply: FastifyReply): void {
  for (const name of OF_PAGES) reply.removeHeader(name)
}

/** The default of routes: caches keep nothing of the API. */
export function forbidCaching(reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
}
