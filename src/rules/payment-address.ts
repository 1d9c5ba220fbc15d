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
