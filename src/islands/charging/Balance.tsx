import './balance.css'
import { useStore } from '@nanostores/react'
import { $shownBalance } from '../../stores/wallet/top-up.ts'
import { $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Icon } from '../parts/Icon.tsx'
import { Price } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

const unknown = () => null
const notLoaded = () => 'idle' as const

/** Shows the wallet's balance, or 0 if it could not be loaded. */
export function Balance() {
  const texts = useTexts('charging:page').balance
  const balance = useStore($shownBalance, { ssr: unknown })
  const load = useStore($balanceLoad, { ssr: notLoaded })
  const isFailed = load === 'failed'
  return (
    <section className="balance" aria-labelledby="balance-title">
      <h2 id="balance-title">{texts.title}</h2>
      <p className="balance__amount" role="status">
        {balance === null ? (
          <span className="skeleton balance__skeleton" />
        ) : (
          <Price amount={balance} className="price--big" />
        )}
      </p>
      <button
        type="button"
        className="icon-button"
        aria-label={texts.refresh}
        title={texts.refresh}
        disabled={load === 'loading'}
        onClick={loadBalance}
      >
        <Icon name="refresh" />
      </button>
      {isFailed && (
        <p className="balance__failed" role="alert">
          {texts.failed}
        </p>
      )}
    </section>
  )
}
