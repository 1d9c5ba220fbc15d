import './cart-box.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { CartItem } from '../../rules/cart.ts'
import { finalPrice } from '../../rules/discount.ts'
import { lastItems, shownTitle } from '../../rules/opened-cart.ts'
import { syncCartOnce } from '../../stores/cart/server-cart.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import { $items } from '../../stores/purchase/payable.ts'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { PriceOrFree } from '../parts/Price.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'

const { island, useTexts } = islandTexts('cart:box', 'common:card')

interface Props {
  /** The static link to the cart, with its count. */
  children?: ReactNode
}

const NO_ITEMS: CartItem[] = []
const noItems = () => NO_ITEMS
const NONE = new Map<number, number>()
const none = () => NONE

/**
 * The box under the header's cart, shown while the cart is hovered or focused: the last 3 items.
 */
function CartBox({ children }: Props) {
  const locale = useLocale()
  const texts = useTexts('cart:box')
  const { unknownTitle } = useTexts('common:card')
  const all = useStore($items, { ssr: noItems })
  const ordered = useStore($ordered, { ssr: none })
  const address = pathIn(locale, '/checkout')
  const items = lastItems({ items: all })
  useEffect(() => void syncCartOnce(), [])
  // Rendered on the server, the box would say "empty" to visitors who have items.
  const isKnown = useHydrated()
  return (
    <div className="cart-box">
      {children}
      {isKnown && (
        <section className="cart-box__panel" aria-label={texts.label}>
          {items.length === 0 && <p className="cart-box__empty">{texts.empty}</p>}
          {items.length > 0 && (
            <ul className="cart-box__list" aria-label={texts.latest}>
              {items.map((item) => (
                <li key={item.documentId}>
                  <span className="along" dir="auto">
                    {shownTitle(item, unknownTitle)}
                  </span>
                  {ordered.has(item.documentId) ? (
                    <span className="badge badge--new">{texts.ordered}</span>
                  ) : (
                    <PriceOrFree amount={finalPrice(item)} free={texts.free} />
                  )}
                </li>
              ))}
            </ul>
          )}
          <div className="cart-box__foot">
            <a className="button" href={address}>
              {texts.view}
            </a>
            {items.length > 0 && (
              <a className="button button--primary" href={`${address}#payment`}>
                {texts.checkout}
              </a>
            )}
          </div>
        </section>
      )}
    </div>
  )
}

export default island(CartBox)
