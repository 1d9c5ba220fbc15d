export const RETURN_TO_MAX_LENGTH = 2048

export const DEFAULT_RETURN_TO = '/shop'

// Backslashes, what looks like a slash, and what browsers drop or hide when they read an address.
const TRICKS = /[\\\u2044\u2215\u2216\u29F5\u29F8\uFE68\uFF0F\uFF3C\p{C}\p{Zl}\p{Zp}]/u

/**
 * Where to go back to: a path of this site with its query and hash, percent-encoded, or the
 * fallback where the value is anything else. A `returnTo` inside the query
 * stays as it is and is to be checked where it is used.
 */
export function safeReturnTo(value: unknown, fallback: string): string {
  if (typeof value !== 'string' || value.length > RETURN_TO_MAX_LENGTH) return fallback
  if (!value.startsWith('/') || TRICKS.test(value)) return fallback
  if (!isPlainPath(value.split(/[?#]/, 1)[0] ?? '')) return fallback
  const { pathname, search, hash } = new URL(value, 'https://this.invalid')
  return pathname + search + hash
}

// Every layer of encoding must be harmless, for whoever decodes once more.
function isPlainPath(path: string): boolean {
  if (path.includes('//') || TRICKS.test(path)) return false
  try {
    const decoded = decodeURIComponent(path)
    return decoded === path || isPlainPath(decoded)
  } catch {
    return false
  }
}
