import { useStore } from '@nanostores/react'
import { fillText, priceText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { balanceAfter, canPayFromWallet } from '../../rules/payment-methods.ts'
import { $total } from '../../stores/purchase/purchase.ts'
import { $balance, $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { chargingAddress } from '../parts/addresses.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

/** The wallet's balance before and after the purchase, or the amount that is missing. */
export function WalletPanel() {
  const locale = useLocale()
  const texts = useTexts('checkout:payment')
  const balance = useStore($balance)
  const load = useStore($balanceLoad)
  const total = useStore($total)
  if (balance === null) {
    if (load === 'failed') return <UnknownBalance />
    return (
      <div className="skeleton skeleton--button">
        <span className="visually-hidden">{texts.before}</span>
      </div>
    )
  }
  if (canPayFromWallet({ price: total, balance })) {
    return (
      <dl className="sum wallet-change">
        <div>
          <dt>{texts.before}</dt>
          <dd>
            <Price amount={balance} />
          </dd>
        </div>
        <div>
          <dt>{texts.after}</dt>
          <dd>
            <Price amount={balanceAfter({ price: total, balance })} />
          </dd>
        </div>
      </dl>
    )
  }
  return (
    <div className="alert alert--error" role="alert">
      <p>
        {texts.before} <Price amount={balance} />
      </p>
      <p>{texts.short}</p>
      <p>{fillText(texts.missing, { amount: priceText(locale, total - balance) })}</p>
      <p>
        <a
          className="button button--primary"
          href={chargingAddress(locale, total, pathIn(locale, '/checkout'))}
        >
          {texts.topUp}
        </a>
      </p>
    </div>
  )
}

function UnknownBalance() {
  const texts = useTexts('checkout:payment')
  return (
    <p className="cluster">
      {texts.unknown}
      <button
        type="button"
        className="icon-button"
        aria-label={texts.refresh}
        onClick={loadBalance}
      >
        <Icon name="refresh" />
      </button>
    </p>
  )
}
