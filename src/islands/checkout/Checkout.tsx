import './checkout.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import { pathIn } from '../../i18n/paths.ts'
import { emptyCart } from '../../rules/cart.ts'
import type { TransferMethod } from '../../rules/payment-methods.ts'
import { $cart } from '../../stores/cart/cart.ts'
import { $cartLoad, syncCart, syncCartOnce } from '../../stores/cart/server-cart.ts'
import { loadOwnedOnce } from '../../stores/library/owned.ts'
import { loadOrdered } from '../../stores/purchase/ordered.ts'
import { $purchase, resumePurchase, settleOpenIntent } from '../../stores/purchase/purchase.ts'
import { $session } from '../../stores/session/session.ts'
import { loadBalance } from '../../stores/wallet/wallet.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { EmptyState, ErrorState } from '../parts/States.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { CartItems } from './CartItems.tsx'
import { ConfirmPurchase } from './ConfirmPurchase.tsx'
import { LoginPrompt } from './LoginPrompt.tsx'
import { PaymentPanel } from './PaymentPanel.tsx'
import { PurchaseAlert } from './PurchaseAlert.tsx'
import { island, useTexts } from './texts.ts'

interface Props {
  /** The configured payment gateway, and the shop's origin. */
  provider: Provider
  origin: string
  /** The transfers for which the shop has an account. */
  transfers: readonly TransferMethod[]
}

const noSession = () => null
const noCart = () => emptyCart
const notLoaded = () => 'idle' as const
const idle = { phase: 'idle' } as const
const notStarted = () => idle

/** The cart and its payment, or the cart's loading, empty, failed or paid state. */
function Checkout({ provider, origin, transfers }: Props) {
  const locale = useLocale()
  const texts = useTexts('checkout:page')
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: noSession })
  const cart = useStore($cart, { ssr: noCart })
  const load = useStore($cartLoad, { ssr: notLoaded })
  const purchase = useStore($purchase, { ssr: notStarted })
  const userId = session?.userId
  const isPaid = purchase.phase === 'done'

  useEffect(() => {
    if (userId === undefined) return
    void syncCartOnce()
    void loadBalance()
    // Documents bought in another browser must not count in the total.
    void loadOwnedOnce()
    // Nor must documents that wait in an order; its payment may have arrived in the meantime.
    void loadOrdered()
    void settleOpenIntent()
  }, [userId])
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      resumePurchase()
      void loadOrdered()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

  const isEmpty = cart.items.length === 0
  const isLoading = !isHydrated || (session !== null && (load === 'idle' || load === 'loading'))
  return (
    <>
      <PurchaseAlert />
      {isEmpty && isLoading && !isPaid && <Loading text={texts.loading} />}
      {isEmpty && !isLoading && !isPaid && load === 'failed' && <Failed />}
      {isEmpty && !isLoading && !isPaid && load !== 'failed' && <Empty />}
      {!isEmpty && isHydrated && (
        <div className="checkout">
          <CartItems />
          {session ? <PaymentPanel provider={provider} transfers={transfers} /> : <LoginPrompt />}
        </div>
      )}
      <p>
        <a className="button button--plain" href={pathIn(locale, '/')}>
          <Icon name="previous" />
          {texts.back}
        </a>
      </p>
      <ConfirmPurchase
        way={{ provider, locale, origins: isHydrated ? [location.origin, origin] : [origin] }}
      />
    </>
  )
}

function Loading({ text }: { text: string }) {
  return (
    <div className="checkout" aria-busy="true">
      <div className="stack" role="status">
        <span className="visually-hidden">{text}</span>
        {['first', 'second', 'third'].map((line) => (
          <div className="line-item" key={line}>
            <div className="line-item__cover skeleton skeleton--cover" />
            <div className="line-item__body stack">
              <div className="skeleton skeleton--line" />
              <div className="skeleton skeleton--line" />
            </div>
          </div>
        ))}
      </div>
      <div className="panel stack">
        <div className="skeleton skeleton--line" />
        <div className="skeleton skeleton--button" />
      </div>
    </div>
  )
}

function Failed() {
  const texts = useTexts('checkout:failed')
  return (
    <ErrorState title={texts.title} text={texts.text}>
      <button type="button" className="button button--primary" onClick={syncCart}>
        {texts.retry}
      </button>
    </ErrorState>
  )
}

function Empty() {
  const locale = useLocale()
  const texts = useTexts('checkout:empty')
  return (
    <EmptyState title={texts.title} text={texts.text}>
      <a className="button button--primary" href={pathIn(locale, '/shop')}>
        {texts.action}
      </a>
    </EmptyState>
  )
}

export default island(Checkout)
