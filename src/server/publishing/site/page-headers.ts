import { PAGE_SECURITY_HEADERS } from './content-security-policy.ts'

/** What the shop's page says of a search by words alone that found nothing. */
export const FOUND_HEADER = 'karras-found'
export const FOUND_NOTHING = 'nothing'

/** Headers of a response that a page may set and that are sent on. */
const PASSED_ON = ['location', 'last-modified', FOUND_HEADER]

/** What a page has in its head whose address holds a secret: see `layouts/Essentials.astro`. */
const TELLS_NO_REFERRER = '<meta name="referrer" content="no-referrer"'

/**
 * What is sent with a page. `policy`: its content security policy; `given`: the headers that it was
 * rendered with.
 */
export function pageHeaders(html: string, policy: string, given: Headers = new Headers()) {
  const type = given.get('content-type') ?? 'text/html'
  const headers: Record<string, string> = {
    'content-type': type === 'text/html' ? 'text/html; charset=utf-8' : type,
    // Kept, but asked about each time: a page is never older than its data.
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    ...PAGE_SECURITY_HEADERS,
    // A browser asks for fonts and icons before it has read the page's own word.
    ...(html.includes(TELLS_NO_REFERRER) && { 'referrer-policy': 'no-referrer' }),
  }
  for (const name of PASSED_ON) {
    const value = given.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

/** A page that frames another site says so in this header, which is not sent on. */
export function frameOriginOf(headers: Headers): string | undefined {
  const given = headers.get('karras-frame-origin')
  return given === null ? undefined : new URL(given).origin
}
