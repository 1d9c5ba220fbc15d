import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { withReturnTo } from './way-back.ts'

interface Props {
  locale: Locale
  path: '/login' | '/register'
  question: string
  text: string
}

/** From the log-in to the registration and back, with the page that is waited for. */
export function OtherWay({ locale, path, question, text }: Props) {
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
