import './purchase-sums.css'
import { useStore } from '@nanostores/react'
import { fillText, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { Millimes } from '../../rules/money.ts'
import { balanceAfter, canPayDirectly, canPayFromWallet } from '../../rules/purchase-options.ts'
import { $balance, $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Icon } from '../parts/Icon.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'
import type { PurchaseTexts } from './texts.ts'

interface Props {
  price: Millimes
  locale: Locale
  texts: PurchaseTexts
}

/** The price against the balance, and what is missing; follows both. */
export function PurchaseSums({ price, locale, texts }: Props) {
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
            <PriceOrFree locale={locale} amount={price} free={texts.free} />
          </dd>
        </div>
        <div>
          <dt>{texts.balance}</dt>
          <dd>
            {isKnown && <Price locale={locale} amount={balance} />}
            {!isKnown && load === 'failed' && <Unknown texts={texts} />}
            {!isKnown && load !== 'failed' && <span className="spinner" />}
          </dd>
        </div>
        {isKnown && !isShort && (
          <div className="dialog__total">
            <dt>{texts.after}</dt>
            <dd>
              <Price locale={locale} amount={balanceAfter({ price, balance })} />
            </dd>
          </div>
        )}
      </dl>
      {isShort && <Short price={price} balance={balance} locale={locale} texts={texts} />}
    </>
  )
}

function Unknown({ texts }: Pick<Props, 'texts'>) {
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

/** The warning of a small purchase; of a large one, the two ways that are left. */
function Short({ price, balance, locale, texts }: Props & { balance: Millimes }) {
  const isDirect = canPayDirectly(price)
  const missing = fillText(texts.missing, { amount: priceText(locale, price - balance) })
  return (
    <div className={isDirect ? 'alert alert--info' : 'alert alert--error'}>
      <p>
        <strong>{texts.insufficient}</strong> {isDirect && missing}
      </p>
      <p>{isDirect ? texts.choice : texts.topUpNeeded}</p>
      <p className="soft small">{texts.minimum}</p>
    </div>
  )
}
