import './checkout.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import { accountAddress } from '../../i18n/addresses.ts'
import { fillText, isolate, percentText, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { emptyCart } from '../../rules/cart.ts'
import { discountPercent, finalPrice, isDiscounted } from '../../rules/discount.ts'
import { shownTitle } from '../../rules/opened-cart.ts'
import type { TransferMethod } from '../../rules/payment-methods.ts'
import { $cart, type CartItem } from '../../stores/cart/cart.ts'
import { $cartLoad, removeFromCart, syncCart, syncCartOnce } from '../../stores/cart/server-cart.ts'
import { $owned, loadOwnedOnce } from '../../stores/library/owned.ts'
import { $prices, followCode } from '../../stores/purchase/cart-code.ts'
import { $ordered, loadOrdered } from '../../stores/purchase/ordered.ts'
import { $items } from '../../stores/purchase/payable.ts'
import {
  $purchase,
  $total,
  $totalBefore,
  resumePurchase,
  settleOpenIntent,
} from '../../stores/purchase/purchase.ts'
import { $session } from '../../stores/session/session.ts'
import { lacks } from '../../stores/shared/features.ts'
import { loadBalance } from '../../stores/wallet/wallet.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { Icon, IconButton } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { MiniCover } from '../parts/MiniCover.tsx'
import { ChangedPrice, Price, PriceOrFree } from '../parts/Price.tsx'
import { EmptyState, ErrorState } from '../parts/States.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'
import { CodeField } from './CodeField.tsx'
import { ConfirmPurchase, PaymentPanel } from './PaymentPanel.tsx'
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

function Checkout({ provider, origin, transfers }: Props) {
  const ways = { takesCards: provider !== 'none', transfers }
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
  useEffect(followCode, [])
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
      {(isEmpty || !session) && <PurchaseAlert />}
      {isEmpty && isLoading && !isPaid && <Loading text={texts.loading} />}
      {isEmpty && !isLoading && !isPaid && load === 'failed' && <Failed />}
      {isEmpty && !isLoading && !isPaid && load !== 'failed' && <Empty />}
      {!isEmpty && isHydrated && (
        <div className="checkout">
          <CartItems />
          {session ? <PaymentPanel provider={provider} ways={ways} /> : <LoginPrompt />}
        </div>
      )}
      <p>
        <ButtonLink kind="plain" to="/">
          <Icon name="previous" />
          {texts.back}
        </ButtonLink>
      </p>
      <ConfirmPurchase
        ways={ways}
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
      <Button kind="primary" onClick={syncCart}>
        {texts.retry}
      </Button>
    </ErrorState>
  )
}

function Empty() {
  const texts = useTexts('checkout:empty')
  return (
    <EmptyState title={texts.title} text={texts.text}>
      <ButtonLink kind="primary" to="/shop">
        {texts.action}
      </ButtonLink>
    </EmptyState>
  )
}

export default island(Checkout)

function LoginPrompt() {
  const locale = useLocale()
  const texts = useTexts('checkout:login')
  const checkout = pathIn(locale, '/checkout')
  return (
    <section className="panel stack" id="payment">
      <h2>{texts.title}</h2>
      <p>
        {texts.text} {texts.kept}
      </p>
      <a className="button button--primary button--wide" href={accountAddress(locale, checkout)}>
        {texts.login}
      </a>
      <a className="button button--wide" href={accountAddress(locale, checkout, '/register')}>
        {texts.register}
      </a>
    </section>
  )
}

const HEADING = 'cart-items'

/** For a button that disappears with what it removes. */
const focusOnHeading = () => document.getElementById(HEADING)?.focus()

/** The items of the cart. Items that are owned or wait in an order are marked and not counted. */
function CartItems() {
  const locale = useLocale()
  const texts = useTexts('checkout:items')
  const code = useTexts('checkout:code')
  const items = useStore($items)
  const owned = useStore($owned)
  const ordered = useStore($ordered)
  const total = useStore($total)
  const before = useStore($totalBefore)
  const prices = useStore($prices)
  return (
    <section className="stack" aria-labelledby={HEADING}>
      <h2 id={HEADING} tabIndex={-1}>
        {texts.title}{' '}
        <small className="soft">{pluralText(locale, texts, 'count', items.length)}</small>
      </h2>
      <ul className="line-items">
        {items.map((item) => (
          <LineItem
            key={item.documentId}
            item={item}
            isOwned={owned.has(item.documentId)}
            orderId={ordered.get(item.documentId)}
          />
        ))}
      </ul>
      {prices.size > 0 && !lacks('codes') && <CodeField onTakenAway={focusOnHeading} />}
      <dl className="sum">
        <div className="sum__total">
          <dt>{texts.subtotal}</dt>
          <dd>
            <ChangedPrice amount={total} seen={before} texts={code} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

interface LineProps {
  item: CartItem
  isOwned: boolean
  /** The order in which the document waits for its payment, if any. */
  orderId: number | undefined
}

function LineItem({ item, isOwned, orderId }: LineProps) {
  const locale = useLocale()
  const texts = useTexts('checkout:items')
  const waiting = useTexts('order:waiting')
  const { phase } = useStore($purchase)
  const { documentId } = item
  const title = shownTitle(item, useTexts('common:card').unknownTitle)
  const remove = () => {
    removeFromCart(documentId)
    focusOnHeading()
  }
  return (
    <li className="line-item">
      <MiniCover cover={item} className="line-item__cover" />
      <div className="line-item__body">
        <a href={pathIn(locale, `/shop-details/${documentId}`)} dir="auto">
          {title}
        </a>
        <p className="line-item__note">{fillText(texts.number, { id: isolate(documentId) })}</p>
        {item.bundle && !isOwned && orderId === undefined && <p>{texts.bundle}</p>}
        {isOwned && <p className="badge badge--owned">{texts.owned}</p>}
        {!isOwned && orderId !== undefined && (
          <>
            <p className="badge badge--new">{waiting.status}</p>
            <WaitingOrder orderId={orderId} />
          </>
        )}
      </div>
      <LinePrice item={item} />
      <IconButton
        icon="trash"
        label={`${texts.remove}: ${isolate(title)}`}
        disabled={phase === 'paying'}
        onClick={remove}
      />
    </li>
  )
}

function LinePrice({ item }: { item: CartItem }) {
  const locale = useLocale()
  const texts = useTexts('checkout:items')
  const code = useTexts('checkout:code')
  const coded = useStore($prices).get(item.documentId)
  if (coded && coded.price !== coded.priceBefore) {
    const { price, priceBefore } = coded
    return (
      <div className="line-item__price">
        <ChangedPrice amount={price} seen={priceBefore} free={texts.free} texts={code} />
      </div>
    )
  }
  return (
    <div className="line-item__price">
      {isDiscounted(item) && (
        <>
          <span className="badge">
            <span className="visually-hidden">{texts.saved}</span>{' '}
            <bdi dir="ltr">−{percentText(locale, discountPercent(item))}</bdi>
          </span>{' '}
          <s>
            <span className="visually-hidden">{texts.original}</span>{' '}
            <Price amount={item.price} className="price--old" />
          </s>{' '}
        </>
      )}
      <span className="visually-hidden">{texts.final}</span>{' '}
      <PriceOrFree amount={finalPrice(item)} free={texts.free} />
    </div>
  )
}
