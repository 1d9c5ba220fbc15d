import './charging.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { TransferMethod } from '../../rules/payment-methods.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import {
  $shownBalance,
  $topUpMethod,
  charge,
  proposeAmount,
  readDocumentPrice,
  resumeTopUp,
  topUpMethods,
} from '../../stores/wallet/top-up.ts'
import { $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { AmountChoice } from './AmountChoice.tsx'
import { Balance } from './Balance.tsx'
import { ChargePanel } from './ChargePanel.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { island, useTexts } from './texts.ts'
import { WalletHistory } from './WalletHistory.tsx'

interface Props {
  /** The configured payment gateway, and the shop's origin. */
  provider: Provider
  origin: string
  /** The transfers for which the shop has an account. */
  transfers: readonly TransferMethod[]
}

const unknown = () => null
const idle = () => 'idle' as const

/** The wallet's page: its balance, a top-up, and its history. */
function Charging({ provider, origin, transfers }: Props) {
  const locale = useLocale()
  const texts = useTexts('charging:page')
  const isHydrated = useHydrated()
  const userId = useCustomer()
  const balance = useStore($shownBalance, { ssr: unknown })
  const load = useStore($balanceLoad, { ssr: idle })
  const methods = topUpMethods(provider, transfers)
  const method = useStore($topUpMethod, { ssr: unknown }) ?? methods[0]
  const query = new URLSearchParams(isHydrated ? location.search : '')
  const returnTo = safeReturnTo(query.get('returnTo'), pathIn(locale, DEFAULT_RETURN_TO))
  const price = readDocumentPrice(query.get('documentPrice'))
  const origins = isHydrated ? [location.origin, origin] : [origin]
  const way = { returnTo, locale, origins, provider, description: texts.description }

  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      resumeTopUp()
      void loadBalance()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
  useEffect(() => {
    if (userId) void loadBalance()
  }, [userId])
  const isKnown = isHydrated && balance !== null && (load === 'ready' || load === 'failed')
  useEffect(() => {
    if (isKnown) proposeAmount(price, balance)
  }, [isKnown, price, balance])

  if (userId === null) {
    return <LoggedOut text={texts.notLoggedIn} login={texts.login} />
  }
  return (
    <>
      <form
        className="charging"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (method) void charge({ ...way, proposed: method })
        }}
      >
        <div className="stack charging__choices">
          <Balance />
          {method ? (
            <>
              <AmountChoice price={price} />
              <MethodChoice provider={provider} methods={methods} chosen={method} />
            </>
          ) : (
            <p className="alert">{texts.notOpen}</p>
          )}
        </div>
        {method && <ChargePanel isReady={isHydrated} provider={provider} method={method} />}
      </form>
      <p>
        <a className="button button--plain" href={returnTo}>
          <Icon name="previous" />
          {texts.back}
        </a>
      </p>
      <WalletHistory userId={userId} />
    </>
  )
}

export default island(Charging)
