import { useStore } from '@nanostores/react'
import { fillText, percentText, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { discountPercent, finalPrice, isDiscounted } from '../../rules/discount.ts'
import { $cart, type CartItem } from '../../stores/cart/cart.ts'
import { removeFromCart } from '../../stores/cart/server-cart.ts'
import { $owned } from '../../stores/library/owned.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import { $purchase, $total } from '../../stores/purchase/purchase.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { MiniCover } from '../parts/MiniCover.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'
import { useTexts } from './texts.ts'

const HEADING = 'cart-items'

/** The items of the cart. Items that are owned or wait in an order are marked and not counted. */
export function CartItems() {
  const locale = useLocale()
  const texts = useTexts('checkout:items')
  const { items } = useStore($cart)
  const owned = useStore($owned)
  const ordered = useStore($ordered)
  const total = useStore($total)
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
      <dl className="sum">
        <div className="sum__total">
          <dt>{texts.subtotal}</dt>
          <dd>
            <Price amount={total} />
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
  const { documentId, title } = item
  const remove = () => {
    removeFromCart(documentId)
    // The button disappears with its line, so the focus moves to the heading.
    document.getElementById(HEADING)?.focus()
  }
  return (
    <li className="line-item">
      <MiniCover cover={item} className="line-item__cover" />
      <div className="line-item__body">
        <a href={pathIn(locale, `/shop-details/${documentId}`)} dir="auto">
          {title}
        </a>
        <p className="line-item__note">
          {fillText(texts.number, { id: `\u2068${documentId}\u2069` })}
        </p>
        {isOwned && <p className="badge badge--owned">{texts.owned}</p>}
        {!isOwned && orderId !== undefined && (
          <>
            <p className="badge badge--new">{waiting.status}</p>
            <WaitingOrder orderId={orderId} />
          </>
        )}
      </div>
      <LinePrice item={item} />
      <button
        type="button"
        className="icon-button"
        aria-label={`${texts.remove}: \u2068${title}\u2069`}
        disabled={phase === 'paying'}
        onClick={remove}
      >
        <Icon name="trash" />
      </button>
    </li>
  )
}

function LinePrice({ item }: { item: CartItem }) {
  const locale = useLocale()
  const texts = useTexts('checkout:items')
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
