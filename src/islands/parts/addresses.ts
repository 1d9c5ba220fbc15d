import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { inDinars, type Millimes } from '../../rules/money.ts'

/** The path and query of the page that is shown. */
export const thisPage = () => location.pathname + location.search

/** The log-in, or the registration, which leads back to `returnTo`. */
export function accountAddress(
  locale: Locale,
  returnTo = thisPage(),
  page: '/login' | '/register' = '/login',
): string {
  return `${pathIn(locale, page)}?${new URLSearchParams({ returnTo })}`
}

/** Where the wallet is topped up for a price, which leads back to `returnTo`. */
export function chargingAddress(locale: Locale, price: Millimes, returnTo = thisPage()): string {
  const query = new URLSearchParams({ returnTo, documentPrice: String(inDinars(price)) })
  return `${pathIn(locale, '/charging')}?${query}`
}
