import { LANGUAGES } from './languages.ts'

export const RETURN_TO_MAX_LENGTH = 2048

export const DEFAULT_RETURN_TO = '/shop'

// Backslashes, lookalikes of slashes, and characters that browsers drop or hide in a URL.
const TRICKS = /[\\\u2044\u2215\u2216\u29F5\u29F8\uFE68\uFF0F\uFF3C\p{C}\p{Zl}\p{Zp}]/u

/**
 * The path of this site to return to, with its query and hash, percent-encoded; the fallback if the
 * value is anything else. A `returnTo` inside the query is not checked: check it where it is used.
 */
export function safeReturnTo(value: unknown, fallback: string): string {
  if (typeof value !== 'string' || value.length > RETURN_TO_MAX_LENGTH) return fallback
  if (!value.startsWith('/') || TRICKS.test(value)) return fallback
  if (!isPlainPath(value.split(/[?#]/, 1)[0] ?? '')) return fallback
  const { pathname, search, hash } = new URL(value, 'https://this.invalid')
  return pathname + search + hash
}

// Every layer of encoding must be harmless, in case the path is decoded once more.
function isPlainPath(path: string): boolean {
  if (path.includes('//') || TRICKS.test(path)) return false
  try {
    const decoded = decodeURIComponent(path)
    return decoded === path || isPlainPath(decoded)
  } catch {
    return false
  }
}

/** The path to return to in the office; the fallback if the value is not an office path. */
export function officeReturnTo(value: unknown, fallback: string): string {
  const path = safeReturnTo(value, fallback)
  const [, first = '', second] = (path.split(/[?#]/, 1)[0] ?? '').split('/')
  const isInLanguage = LANGUAGES.some((language) => language === first)
  return (isInLanguage ? second : first) === 'office' ? path : fallback
}

/**
 * The absolute URL to which a payment may send the browser: a page of the shop itself (one of
 * `origins`), or an https URL of a gateway; null for anything else. A path is resolved against the
 * first origin.
 */
export function safePaymentUrl(value: unknown, origins: readonly string[]): string | null {
  if (typeof value !== 'string' || value === '') return null
  try {
    const url = new URL(value, origins[0])
    if (url.username || url.password) return null
    const isShop = url.protocol === 'http:' && origins.includes(url.origin)
    return url.protocol === 'https:' || isShop ? url.href : null
  } catch {
    return null
  }
}
