import type { TextsAt } from '../../i18n/text-keys.ts'
import './open-payments.css'
import { fillText, formatDate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { readableReference } from '../../rules/payment-reference.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { Price } from './Price.tsx'

/** `errors:open` of locales. */
export type OpenPaymentsTexts = TextsAt<'errors:open'>

interface Props {
  payments: NonNullable<Problem['payments']>
  locale: Locale
  texts: OpenPaymentsTexts
}

/** The transfers that are open already, where another one was refused for their number. */
export function OpenPayments({ payments, locale, texts }: Props) {
  return (
    <div className="alert alert--error stack" role="alert">
      <p>{fillText(texts.title, { count: String(payments.length) })}</p>
      <ul className="open-payments">
        {payments.map(({ paymentRef, amount, expiresAt, paymentUrl }) => (
          <li key={paymentRef}>
            <span className="cluster">
              <strong>
                <bdi dir="ltr">{readableReference(paymentRef)}</bdi>
              </strong>
              <Price locale={locale} amount={amount} />
            </span>
            <span className="cluster">
              {fillText(texts.until, { date: `\u2068${formatDate(locale, expiresAt)}\u2069` })}
              {paymentUrl !== null && (
                <a className="link" href={paymentUrl}>
                  {texts.see}
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
