import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import { fillText, priceText } from '../../i18n/format.ts'
import {
  $shownBalance,
  $topUp,
  $topUpAmount,
  type TopUp,
  type TopUpMethod,
} from '../../stores/wallet/top-up.ts'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { useLocale } from '../parts/island.tsx'
import { OpenPayments } from '../parts/OpenPayments.tsx'
import { useMethodName, useTexts } from './texts.ts'

interface Props {
  /** False until the island is hydrated: the button is disabled. */
  isReady: boolean
  provider: Provider
  method: TopUpMethod
}

const idle: TopUp = { phase: 'idle' }
const notStarted = () => idle
const unknown = () => null

/** What the top-up will do, in one sentence, and the button that starts it. */
export function ChargePanel({ isReady, provider, method }: Props) {
  const locale = useLocale()
  const texts = useTexts('charging:page')
  const errors = useErrorTexts()
  const topUp = useStore($topUp, { ssr: notStarted })
  const amount = useStore($topUpAmount, { ssr: unknown })
  const isBusy = topUp.phase === 'paying' || topUp.phase === 'leaving'
  const isLoggedOut = topUp.phase === 'failed' && topUp.problem.code === 'authentication_required'
  const paymentUrl = topUp.phase === 'leaving' ? topUp.paymentUrl : null

  useEffect(() => {
    if (paymentUrl) location.assign(paymentUrl)
  }, [paymentUrl])

  return (
    <section className="panel stack charge-panel">
      <Summary provider={provider} method={method} />
      {isLoggedOut && (
        <p className="alert alert--error" role="alert">
          {texts.notLoggedIn}
        </p>
      )}
      {topUp.phase === 'failed' && topUp.problem.payments && (
        <OpenPayments payments={topUp.problem.payments} />
      )}
      {topUp.phase === 'failed' && !isLoggedOut && !topUp.problem.payments && (
        <div className="alert alert--error" role="alert">
          <p>
            <strong>{texts.failed}</strong>
          </p>
          <p>{problemText(topUp.problem, errors)}</p>
          {topUp.isOpen && <p>{texts.safe}</p>}
        </div>
      )}
      <button
        type="submit"
        className="button button--primary button--wide"
        disabled={!isReady}
        aria-busy={isBusy}
        // Keeps the focus in the amount's field, so that the click checks its value, not the blur.
        onMouseDown={(event) => event.preventDefault()}
      >
        {isBusy
          ? texts.charging
          : amount === null
            ? fillText(texts.charge, { amount: '' }).trim()
            : fillText(texts.charge, { amount: priceText(locale, amount) })}
      </button>
      <p className="visually-hidden" role="status">
        {topUp.phase === 'leaving' ? texts.leaving : ''}
      </p>
      <div className="charge-panel__info small soft">
        <h3>{texts.info.title}</h3>
        <ul>
          <li>{texts.info.bank}</li>
          <li>{texts.info.once}</li>
          <li>{texts.info.refund}</li>
        </ul>
      </div>
    </section>
  )
}

function Summary({ provider, method }: Omit<Props, 'isReady'>) {
  const locale = useLocale()
  const { summary } = useTexts('charging:page')
  const nameOf = useMethodName(provider)
  const amount = useStore($topUpAmount, { ssr: unknown })
  const balance = useStore($shownBalance, { ssr: unknown })
  const values = {
    amount: priceText(locale, amount ?? 0),
    method: `\u2068${nameOf(method)}\u2069`,
    balance: priceText(locale, (balance ?? 0) + (amount ?? 0)),
  }
  return (
    <p className="charge-panel__summary" aria-live="polite">
      {amount === null
        ? summary.nothing
        : fillText(balance === null ? summary.charge : summary.chargeTo, values)}
    </p>
  )
}
