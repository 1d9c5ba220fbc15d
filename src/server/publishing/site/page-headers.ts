import { LOCALES } from '../../../i18n/locales.ts'
import type { CdnConfig } from '../../config/cdn.ts'
import { PAGE_SECURITY_HEADERS } from '../answers/content-security-policy.ts'
import { cdnHeaders } from '../cdn/cdn-headers.ts'
import type { RenderedPage } from '../store/page-store.ts'

/** The header by which the shop's page reports a search by words alone that found nothing. */
export const FOUND_HEADER = 'karras-found'
export const FOUND_NOTHING = 'nothing'

/** Headers of a response that a page may set and that are sent on. */
const PASSED_ON = ['location', 'last-modified', FOUND_HEADER]

/** In the head of pages whose address holds a secret: see `layouts/Essentials.astro`. */
const TELLS_NO_REFERRER = '<meta name="referrer" content="no-referrer"'

/**
 * The headers of a page. `policy` is its content security policy; `given` are the headers that it
 * was rendered with.
 */
export function pageHeaders(body: Buffer, policy: string, given: Headers = new Headers()) {
  const type = given.get('content-type') ?? 'text/html'
  const headers: Record<string, string> = {
    'content-type': type === 'text/html' ? 'text/html; charset=utf-8' : type,
    // Stored by browsers, but revalidated each time, so that a page is never older than its data.
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    ...PAGE_SECURITY_HEADERS,
    // Browsers request fonts and icons before they have read the policy in the page.
    ...(body.includes(TELLS_NO_REFERRER) && { 'referrer-policy': 'no-referrer' }),
  }
  for (const name of PASSED_ON) {
    const value = given.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

/**
 * The headers in place of the usual `cache-control`: who may keep a page besides the browser that
 * requested it.
 */
export function cachingOf(
  page: Omit<RenderedPage, 'headers' | 'clock'>,
  cdn: CdnConfig | null,
): Readonly<Record<string, string>> | undefined {
  if (isOfficePage(page.path)) return { 'cache-control': 'no-store' }
  // A page that is not stored is made for one visitor, such as the steps of a payment.
  if (page.tags.length === 0 && page.maxAge === undefined) {
    return { 'cache-control': 'private, no-cache' }
  }
  const isPublic = page.status === 200 && !page.body.includes(TELLS_NO_REFERRER)
  return cdn && isPublic ? cdnHeaders(cdn, page) : undefined
}

const OFFICE = new RegExp(`^/(?:(?:${LOCALES.join('|')})/)?office(?:[/?]|$)`)

/** Whether a page is the staff's, which no cache of a shared computer may keep. */
export const isOfficePage = (path: string): boolean => OFFICE.test(path)
