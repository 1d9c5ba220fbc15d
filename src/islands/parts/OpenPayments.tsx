import './open-payments.css'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate } from '../../i18n/format.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { shownReference } from '../../stores/shared/references.ts'
import { useLocale, useTexts } from './island.tsx'
import { useSaid } from './Message.tsx'
import { Price } from './Price.tsx'

export function OpenPayments({ payments }: { payments: NonNullable<Problem['payments']> }) {
  const locale = useLocale()
  const texts = useTexts('errors:open')
  return (
    <div className="alert alert--error stack" role="alert" ref={useSaid(undefined)}>
      <p>{fillText(texts.title, { count: String(payments.length) })}</p>
      <ul className="open-payments">
        {payments.map(({ paymentRef, amount, expiresAt, paymentUrl }) => (
          <li key={paymentRef}>
            <span className="cluster">
              <strong>
                <bdi dir="ltr">{shownReference(paymentRef)}</bdi>
              </strong>
              <Price amount={amount} />
            </span>
            <span className="cluster">
              {fillText(texts.until, { date: isolate(formatDate(locale, expiresAt)) })}
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
