import '../parts/open-orders.css'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { readableReference } from '../../rules/typed-numbers.ts'
import type { WaitingTopUp } from '../../stores/wallet/history.ts'
import { useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

const HEADING = 'waiting-top-ups'

/** Top-ups whose payment has not arrived yet, and those that failed recently. */
export function WaitingTopUps({ topUps }: { topUps: readonly WaitingTopUp[] }) {
  const texts = useTexts('charging:page').history.waiting
  return (
    <section className="panel stack" aria-labelledby={HEADING}>
      <h3 id={HEADING}>{texts.title}</h3>
      <ul className="open-orders">
        {topUps.map((topUp) => (
          <TopUp key={topUp.paymentRef} topUp={topUp} />
        ))}
      </ul>
    </section>
  )
}

function TopUp({ topUp }: { topUp: WaitingTopUp }) {
  const locale = useLocale()
  const texts = useTexts('charging:page').history.waiting
  const methods = useTexts('common:methods')
  const { state, method, amount, paymentRef, expiresAt, paymentUrl } = topUp
  const isWaiting = state === 'pending'
  return (
    <li>
      <p className="cluster">
        <span className={isWaiting ? 'badge badge--new' : 'badge badge--quiet'}>
          {texts.states[state]}
        </span>
        <strong>
          <bdi>{methods[method]}</bdi>
        </strong>
        <Price amount={amount} />
      </p>
      <p className="small soft">
        {fillText(texts.reference, { reference: `\u2068${readableReference(paymentRef)}\u2069` })}
        {isWaiting &&
          ` ${fillText(texts.until, { date: `\u2068${formatDate(locale, expiresAt)}\u2069` })}`}
      </p>
      {paymentUrl !== null && (
        <a className="button" href={paymentUrl}>
          {texts.open}
        </a>
      )}
    </li>
  )
}
