import type { FastifyReply } from 'fastify'

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

/** For data that a browser might open as a page: it must not be able to do anything. */
const OF_DOCUMENTS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Media types for which browsers neither run nor load anything if they may not guess another type.
 */
const INERT = /^(?:application\/(?:json|zip)|image\/(?!svg)|text\/csv)\b/

const A_YEAR_OF_HTTPS = 'max-age=31536000'

/** HSTS, for every answer of a shop that uses HTTPS; otherwise no headers. */
export function httpsOnly(siteUrl: string): Readonly<Record<string, string>> {
  return siteUrl.startsWith('https:') ? { 'strict-transport-security': A_YEAR_OF_HTTPS } : {}
}

/** The headers of API answers, which `onlyNeeded` reduces. */
export function securityHeaders(siteUrl: string): Readonly<Record<string, string>> {
  return { ...ALWAYS, ...OF_DOCUMENTS, ...httpsOnly(siteUrl) }
}

/** Headers that concern only pages: a picture that is opened runs nothing and has no links. */
const OF_PAGES = ['content-security-policy', 'referrer-policy', 'cross-origin-opener-policy']

/**
 * Removes those headers from an answer with a picture that the shop made, since a page may have
 * many.
 */
export function forPicture(reply: FastifyReply): void {
  for (const name of OF_PAGES) reply.removeHeader(name)
}

/** Adds the headers that every answer of the API has, whatever its route. */
export function completeHeaders(reply: FastifyReply): void {
  forbidCaching(reply)
  onlyNeeded(reply)
}

/** The default for routes: caches must not store anything of the API. */
function forbidCaching(reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
}

/** Removes headers that concern only documents from an answer that cannot be one. */
function onlyNeeded(reply: FastifyReply): void {
  if (!INERT.test(String(reply.getHeader('content-type')))) return
  for (const name of Object.keys(OF_DOCUMENTS)) reply.removeHeader(name)
}
