// What is done with a cart that somebody has opened. Every page loads `cart.ts`; these rules come with
// the cart's box and the checkout.
import { type Cart, type CartItem, cleanItem, has, UNKNOWN_TITLE } from './cart.ts'
import { finalPrice, type Priced } from './discount.ts'
import type { Millimes } from './money.ts'

export const CART_PREVIEW_ITEMS = 3

/** The title to show; `unknown` is the page's word for one that is missing. */
export const shownTitle = ({ title }: Pick<CartItem, 'title'>, unknown: string): string =>
  title === UNKNOWN_TITLE ? unknown : title

/** The cart without that document; the same cart if it does not contain the document. */
export function removeFromCart(cart: Cart, documentId: number): Cart {
  if (!has(cart, documentId)) return cart
  return { items: cart.items.filter((item) => item.documentId !== documentId) }
}

/** The cart at these prices; the same cart if none of them is another than its item's. */
export function withPrices(cart: Cart, prices: readonly (Priced & { id: number })[]): Cart {
  const now = new Map(prices.map((priced) => [priced.id, priced]))
  let isChanged = false
  const items = cart.items.map((item) => {
    const { price, priceDiscount } = now.get(item.documentId) ?? item
    const priced = cleanItem({ ...item, price, priceDiscount })
    if (priced.price === item.price && priced.priceDiscount === item.priceDiscount) return item
    isChanged = true
    return priced
  })
  return isChanged ? { items } : cart
}

export function cartTotal(cart: Cart): Millimes {
  return cart.items.reduce((total, item) => total + finalPrice(item), 0)
}

export function lastItems(cart: Cart, count = CART_PREVIEW_ITEMS): CartItem[] {
  return cart.items.slice(Math.max(0, cart.items.length - count))
}
