import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { safeReturnTo } from '../../rules/return-to.ts'
import { accountAddress } from '../parts/addresses.ts'

/** Where a log-in leads: to the page that required it, else home. Another site's address is ignored. */
export function wayBack(locale: Locale): string {
  return safeReturnTo(requestedPage(), pathIn(locale, '/'))
}

/** An account page of this language with the `returnTo` of this one, so that it is not lost on the way. */
export function withReturnTo(locale: Locale, path: '/login' | '/register'): string {
  const returnTo = requestedPage()
  return returnTo === null ? pathIn(locale, path) : accountAddress(locale, returnTo, path)
}

const requestedPage = () => new URLSearchParams(location.search).get('returnTo')
