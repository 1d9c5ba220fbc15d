import { type AccountPage, accountAddress } from '../../i18n/addresses.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { safeReturnTo } from '../../rules/return-to.ts'
import { useLocale } from '../parts/island.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'

interface Props {
  path: '/login' | '/register'
  question: string
  text: string
}

/** The link from log-in to registration, or vice versa; it passes on the page to return to. */
export function OtherWay({ path, question, text }: Props) {
  const locale = useLocale()
  const isHydrated = useHydrated()
  return (
    <p>
      {question}{' '}
      <a className="link" href={isHydrated ? withReturnTo(locale, path) : pathIn(locale, path)}>
        {text}
      </a>
    </p>
  )
}

/**
 * The URL to open after a log-in: the page that required it, or home. URLs of other sites are
 * ignored.
 */
export function wayBack(locale: Locale): string {
  return safeReturnTo(requestedPage(), pathIn(locale, '/'))
}

/**
 * The URL of log-in or registration in this language; it keeps the `returnTo` of the current page.
 */
export function withReturnTo(locale: Locale, path: AccountPage): string {
  const returnTo = requestedPage()
  return returnTo === null ? pathIn(locale, path) : accountAddress(locale, returnTo, path)
}

const requestedPage = () => new URLSearchParams(location.search).get('returnTo')
