import { inDinars, type Millimes } from '../rules/money.ts'
import type { Locale } from './locales.ts'
import { pathIn } from './paths.ts'

/** The path and query of the current page. */
export const thisPage = () => location.pathname + location.search

/** The pages on the way into an account. */
export type AccountPage = '/login' | '/register' | '/confirm-phone' | '/new-password'

/** The URL of the log-in or registration, which leads back to `returnTo`. */
export function accountAddress(
  locale: Locale,
  returnTo = thisPage(),
  page: AccountPage = '/login',
): string {
  return `${pathIn(locale, page)}?${new URLSearchParams({ returnTo })}`
}

/** The URL that tops up the wallet for a price, and leads back to `returnTo`. */
export function chargingAddress(locale: Locale, price: Millimes, returnTo = thisPage()): string {
  const query = new URLSearchParams({ returnTo, documentPrice: String(inDinars(price)) })
  return `${pathIn(locale, '/charging')}?${query}`
}
