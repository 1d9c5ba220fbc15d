import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { safeReturnTo } from '../../rules/return-to.ts'
import { accountAddress } from '../parts/addresses.ts'

/** Where a log-in leads: to the page that required it, or home. Addresses of other sites are ignored. */
export function wayBack(locale: Locale): string {
  return safeReturnTo(requestedPage(), pathIn(locale, '/'))
}

/** The address of log-in or registration in this language; it keeps the `returnTo` of the present page. */
export function withReturnTo(locale: Locale, path: '/login' | '/register'): string {
  const returnTo = requestedPage()
  return returnTo === null ? pathIn(locale, path) : accountAddress(locale, returnTo, path)
}

const requestedPage = () => new URLSearchParams(location.search).get('returnTo')
