import { pathIn } from '../../i18n/paths.ts'
import { accountAddress } from '../parts/addresses.ts'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

/** Shown in place of the payment panel while the visitor is logged out. */
export function LoginPrompt() {
  const locale = useLocale()
  const texts = useTexts('checkout:login')
  const checkout = pathIn(locale, '/checkout')
  return (
    <section className="panel stack" id="payment">
      <h2>{texts.title}</h2>
      <p>
        {texts.text} {texts.kept}
      </p>
      <a className="button button--primary button--wide" href={accountAddress(locale, checkout)}>
        {texts.login}
      </a>
      <a className="button button--wide" href={accountAddress(locale, checkout, '/register')}>
        {texts.register}
      </a>
    </section>
  )
}
