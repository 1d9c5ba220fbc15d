import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { safeReturnTo } from '../../rules/return-to.ts'

/** Where a log-in leads: to the page that asked for it, else home (section 4; decisions §5). */
export function wayBack(locale: Locale): string {
  const asked = new URLSearchParams(location.search).get('returnTo')
  return safeReturnTo(asked, pathIn(locale, '/'))
}

/** An account page of this language with the `returnTo` of this one, so that it is not lost on the way. */
export function withReturnTo(locale: Locale, path: '/login' | '/register'): string {
  const asked = new URLSearchParams(location.search).get('returnTo')
  const query = asked === null ? '' : `?${new URLSearchParams({ returnTo: asked })}`
  return pathIn(locale, path) + query
}
