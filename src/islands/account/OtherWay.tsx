import { pathIn } from '../../i18n/paths.ts'
import { useLocale } from '../parts/island.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { withReturnTo } from './way-back.ts'

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
