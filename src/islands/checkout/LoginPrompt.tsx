import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { CheckoutTexts } from './texts.ts'

interface Props {
  locale: Locale
  texts: CheckoutTexts['login']
}

/** Stands where the payment panel would, while nobody is logged in. */
export function LoginPrompt({ locale, texts }: Props) {
  const query = `?${new URLSearchParams({ returnTo: pathIn(locale, '/checkout') })}`
  return (
    <section className="panel stack" id="payment">
      <h2>{texts.title}</h2>
      <p>
        {texts.text} {texts.kept}
      </p>
      <a className="button button--primary button--wide" href={pathIn(locale, '/login') + query}>
        {texts.login}
      </a>
      <a className="button button--wide" href={pathIn(locale, '/register') + query}>
        {texts.register}
      </a>
    </section>
  )
}
