import './checkout.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { emptyCart } from '../../rules/cart.ts'
import { $session } from '../../stores/account/session.ts'
import { $cart, $cartLoad, syncCart } from '../../stores/cart/cart.ts'
import { loadOwnedOnce } from '../../stores/library/owned.ts'
import { loadOrdered } from '../../stores/purchase/ordered.ts'
import { $purchase, resumePurchase, settleOpenIntent } from '../../stores/purchase/purchase.ts'
import { loadBalance } from '../../stores/wallet/wallet.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Icon } from '../parts/Icon.tsx'
import { EmptyState, ErrorState } from '../parts/States.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { CartItems } from './CartItems.tsx'
import { ConfirmPurchase } from './ConfirmPurchase.tsx'
import { LoginPrompt } from './LoginPrompt.tsx'
import { PaymentPanel } from './PaymentPanel.tsx'
import { PurchaseAlert } from './PurchaseAlert.tsx'
import type { CheckoutTexts } from './texts.ts'

interface Props {
  locale: Locale
  texts: CheckoutTexts
  errors: ErrorTexts
  /** The gateway that the shop is configured with, and the shop's origin. */
  provider: Provider
  origin: string
}

const nobody = () => null
const noCart = () => emptyCart
const notLoaded = () => 'idle' as const
const idle = { phase: 'idle' } as const
const notStarted = () => idle

/** The cart and its payment, in its states: loading, empty, failed, full, paid. */
export default function Checkout({ locale, texts, errors, provider, origin }: Props) {
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: nobody })
  const cart = useStore($cart, { ssr: noCart })
  const load = useStore($cartLoad, { ssr: notLoaded })
  const purchase = useStore($purchase, { ssr: notStarted })
  const userId = session?.userId
  const isPaid = purchase.phase === 'done'

  useEffect(() => {
    if (userId === undefined) return
    void loadBalance()
    // What is owned does not count in the total, even where this browser did not see the purchase.
    void loadOwnedOnce()
    // Nor what waits in an order: a payment may have come since this browser last looked.
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
      <PurchaseAlert locale={locale} texts={texts.result} errors={errors} />
      {isEmpty && isLoading && !isPaid && <Loading text={texts.loading} />}
      {isEmpty && !isLoading && !isPaid && load === 'failed' && <Failed texts={texts.failed} />}
      {isEmpty && !isLoading && !isPaid && load !== 'failed' && (
        <Empty locale={locale} texts={texts.empty} />
      )}
      {!isEmpty && isHydrated && (
        <div className="checkout">
          <CartItems locale={locale} texts={texts.items} waiting={texts.waiting} />
          {session ? (
            <PaymentPanel
              locale={locale}
              provider={provider}
              texts={texts.payment}
              open={texts.open}
            />
          ) : (
            <LoginPrompt locale={locale} texts={texts.login} />
          )}
        </div>
      )}
      <p>
        <a className="button button--plain" href={pathIn(locale, '/')}>
          <Icon name="previous" />
          {texts.back}
        </a>
      </p>
      <ConfirmPurchase
        locale={locale}
        texts={{ ...texts.confirm, names: texts.payment }}
        way={{ provider, locale, origins: isHydrated ? [location.origin, origin] : [origin] }}
        free={texts.items.free}
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

function Failed({ texts }: { texts: CheckoutTexts['failed'] }) {
  return (
    <ErrorState title={texts.title} text={texts.text}>
      <button type="button" className="button button--primary" onClick={syncCart}>
        {texts.retry}
      </button>
    </ErrorState>
  )
}

function Empty({ locale, texts }: { locale: Locale; texts: CheckoutTexts['empty'] }) {
  return (
    <EmptyState title={texts.title} text={texts.text}>
      <a className="button button--primary" href={pathIn(locale, '/shop')}>
        {texts.action}
      </a>
    </EmptyState>
  )
}
