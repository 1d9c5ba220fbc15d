import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { accountAddress } from '../parts/addresses.ts'
import type { CheckoutTexts } from './texts.ts'

interface Props {
  locale: Locale
  texts: CheckoutTexts['login']
}

/** Stands where the payment panel would, while nobody is logged in. */
export function LoginPrompt({ locale, texts }: Props) {
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
