import './charging.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
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
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Icon } from '../parts/Icon.tsx'
import { LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { AmountChoice } from './AmountChoice.tsx'
import { Balance } from './Balance.tsx'
import { ChargePanel } from './ChargePanel.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import type { ChargingTexts } from './texts.ts'
import { WalletHistory } from './WalletHistory.tsx'

interface Props {
  locale: Locale
  texts: ChargingTexts
  errors: ErrorTexts
  /** The gateway and the origin that the shop is configured with. */
  provider: Provider
  origin: string
}

const unknown = () => null
const idle = () => 'idle' as const

/** Tops the wallet up, and what moved in it so far. */
export default function Charging({ locale, texts, errors, provider, origin }: Props) {
  const isHydrated = useHydrated()
  const userId = useCustomer(locale)
  const balance = useStore($shownBalance, { ssr: unknown })
  const load = useStore($balanceLoad, { ssr: idle })
  const methods = topUpMethods(provider)
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
    return <LoggedOut locale={locale} text={texts.notLoggedIn} login={texts.login} />
  }
  return (
    <>
      <form
        className="charging"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void charge(way)
        }}
      >
        <div className="stack charging__choices">
          <Balance locale={locale} texts={texts.balance} />
          <AmountChoice locale={locale} texts={texts.amount} price={price} />
          <MethodChoice methods={methods} chosen={method} texts={texts.method} />
        </div>
        <ChargePanel
          locale={locale}
          isReady={isHydrated}
          method={method}
          texts={texts}
          errors={errors}
        />
      </form>
      <p>
        <a className="button button--plain" href={returnTo}>
          <Icon name="previous" />
          {texts.back}
        </a>
      </p>
      <WalletHistory locale={locale} texts={texts.history} errors={errors} userId={userId} />
    </>
  )
}
