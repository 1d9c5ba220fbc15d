import { useStore } from '@nanostores/react'
import { fillText, priceText } from '../../i18n/format.ts'
import type { Millimes } from '../../rules/money.ts'
import { balanceAfter, canPayDirectly, canPayFromWallet } from '../../rules/payment-methods.ts'
import { $balance, $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { ChangedPrice, Price } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

interface Props {
  price: Millimes
  /** The price that was shown before, if it has changed. */
  seen?: Millimes | undefined
}

/** The price, the balance, and the amount left or missing. */
export function PurchaseSums({ price, seen }: Props) {
  const texts = useTexts('purchase:modal')
  const balance = useStore($balance)
  const load = useStore($balanceLoad)
  const isKnown = balance !== null
  const isShort = isKnown && !canPayFromWallet({ price, balance })
  return (
    <>
      <dl className="dialog__sums" aria-live="polite">
        <div>
          <dt>{texts.price}</dt>
          <dd>
            <ChangedPrice amount={price} seen={seen} free={texts.free} texts={texts.changed} />
          </dd>
        </div>
        <div>
          <dt>{texts.balance}</dt>
          <dd>
            {isKnown && <Price amount={balance} />}
            {!isKnown && load === 'failed' && <Unknown />}
            {!isKnown && load !== 'failed' && <span className="spinner" />}
          </dd>
        </div>
        {isKnown && !isShort && (
          <div className="dialog__total">
            <dt>{texts.after}</dt>
            <dd>
              <Price amount={balanceAfter({ price, balance })} />
            </dd>
          </div>
        )}
      </dl>
      {isShort && <Short price={price} balance={balance} />}
    </>
  )
}

function Unknown() {
  const texts = useTexts('purchase:modal')
  return (
    <span className="cluster">
      {texts.unknown}
      <button
        type="button"
        className="icon-button"
        aria-label={texts.refresh}
        onClick={loadBalance}
      >
        <Icon name="refresh" />
      </button>
    </span>
  )
}

/** The warning that the balance is too low; a large purchase can still be paid directly. */
function Short({ price, balance }: { price: Millimes; balance: Millimes }) {
  const locale = useLocale()
  const texts = useTexts('purchase:modal')
  const isDirect = canPayDirectly(price)
  const missing = fillText(texts.missing, { amount: priceText(locale, price - balance) })
  return (
    <div className={isDirect ? 'alert' : 'alert alert--error'}>
      <p>
        <strong>{texts.insufficient}</strong>
      </p>
      {isDirect && <p>{missing}</p>}
      <p>{isDirect ? texts.choice : texts.topUpNeeded}</p>
      <p className="soft small">{texts.minimum}</p>
    </div>
  )
}
