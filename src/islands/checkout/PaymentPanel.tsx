import '../parts/choices.css'
import '../parts/field.css'
import { useStore } from '@nanostores/react'
import type { Provider } from '../../contract/orders.ts'
import { fillText, priceText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { PaymentMethod, TransferMethod } from '../../rules/payment-methods.ts'
import {
  $canPay,
  $isAllOrdered,
  $method,
  $methods,
  $payable,
  $purchase,
  $savings,
  $total,
  chooseMethod,
  startPurchase,
} from '../../stores/purchase/purchase.ts'
import { useLocale } from '../parts/island.tsx'
import { OpenPayments } from '../parts/OpenPayments.tsx'
import { Price } from '../parts/Price.tsx'
import { useMethodNames, useTexts } from './texts.ts'
import { WalletPanel } from './WalletPanel.tsx'

interface Props {
  provider: Provider
  transfers: readonly TransferMethod[]
}

/** The choice of a payment method, the total, and the button that opens the confirmation. */
export function PaymentPanel({ provider, transfers }: Props) {
  const locale = useLocale()
  const texts = useTexts('checkout:payment')
  const names = useMethodNames(provider)
  const isAllOrdered = useStore($isAllOrdered)
  const isThere = (each: PaymentMethod) => {
    if (each === 'wallet') return true
    return each === 'card' ? provider !== 'none' : transfers.includes(each)
  }
  const methods = useStore($methods).filter(isThere)
  const method = useStore($method)
  const total = useStore($total)
  const canPay = useStore($canPay)
  const purchase = useStore($purchase)
  const { phase } = purchase
  const isPaying = phase === 'paying' || phase === 'leaving'
  const payments = purchase.phase === 'failed' ? purchase.problem.payments : undefined
  if (isAllOrdered && !isPaying) return <AllOrdered />
  return (
    <section className="panel stack" id="payment" aria-labelledby="payment-title">
      <h2 id="payment-title">{texts.title}</h2>
      {total > 0 && (
        <fieldset className="stack">
          <legend>{texts.method}</legend>
          {methods.map((each) => (
            <label className="choice-card" key={each}>
              <input
                type="radio"
                name="method"
                value={each}
                checked={method === each}
                disabled={isPaying}
                onChange={() => chooseMethod(each)}
              />
              <span>
                <strong>{names[each]}</strong>
                <br />
                {texts.notes[each]}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {total > 0 && method === 'wallet' && <WalletPanel />}
      <Summary />
      {method === null && <p className="field__hint">{texts.choose}</p>}
      {payments && <OpenPayments payments={payments} />}
      <button
        type="button"
        className="button button--primary button--wide"
        disabled={!canPay}
        aria-busy={isPaying}
        onClick={startPurchase}
      >
        {total === 0 ? texts.payFree : fillText(texts.pay, { amount: priceText(locale, total) })}
      </button>
    </section>
  )
}

/** Shown when every item of the cart already waits in an order. */
function AllOrdered() {
  const locale = useLocale()
  const texts = useTexts('checkout:payment')
  return (
    <section className="panel stack" id="payment" aria-labelledby="payment-title">
      <h2 id="payment-title">{texts.title}</h2>
      <p>{texts.allOrdered}</p>
      <a className="button button--wide" href={pathIn(locale, '/my-documents')}>
        {texts.orders}
      </a>
    </section>
  )
}

function Summary() {
  const texts = useTexts('checkout:payment')
  const items = useStore($payable)
  const savings = useStore($savings)
  const total = useStore($total)
  return (
    <dl className="sum" aria-label={texts.summary}>
      <div>
        <dt>{texts.count}</dt>
        <dd>
          <bdi>{items.length}</bdi>
        </dd>
      </div>
      {savings > 0 && (
        <div>
          <dt>{texts.discount}</dt>
          <dd>
            <Price amount={savings} />
          </dd>
        </div>
      )}
      <div className="sum__total">
        <dt>{texts.total}</dt>
        <dd>
          <Price amount={total} />
        </dd>
      </div>
    </dl>
  )
}
