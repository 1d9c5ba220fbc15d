// What is done with a cart that somebody has opened. Every page loads `cart.ts`; these rules come with
// the cart's box and the checkout.
import { restPrices } from './bundles.ts'
import { type Cart, type CartItem, cleanItem, has, type ItsBundle, UNKNOWN_TITLE } from './cart.ts'
import type { Priced } from './discount.ts'

export const CART_PREVIEW_ITEMS = 3

/** The title to show; `unknown` is the page's word for one that is missing. */
export const shownTitle = ({ title }: Pick<CartItem, 'title'>, unknown: string): string =>
  title === UNKNOWN_TITLE ? unknown : title

/** The cart without that document; the same cart if it does not contain the document. */
export function removeFromCart(cart: Cart, documentId: number): Cart {
  if (!has(cart, documentId)) return cart
  return { items: cart.items.filter((item) => item.documentId !== documentId) }
}

/**
 * Items to pay at their shares of the bundles that are whole, of whose documents each is to pay or owned; the
 * others without a bundle.
 */
export function atBundlePrices(items: readonly CartItem[], owned: ReadonlySet<number>): CartItem[] {
  const ofBundle = (id: number) => items.filter(({ bundle }) => bundle?.id === id)
  return items.map(({ bundle, ...item }) => {
    if (!bundle) return item
    const others = ofBundle(bundle.id)
    const isWhole = bundle.documentIds.every(
      (id) => owned.has(id) || others.some(({ documentId }) => documentId === id),
    )
    if (!isWhole) return item
    const shares = others.map((other) => other.bundle?.share ?? 0)
    const at = others.findIndex(({ documentId }) => documentId === item.documentId)
    const now = restPrices(shares)[at] ?? 0
    return { ...item, bundle, ...(now > 0 ? { priceDiscount: now } : { price: 0 }) }
  })
}

/** The cart at these prices; the same cart if none of them is another than its item's. */
export function withPrices(
  cart: Cart,
  prices: readonly (Priced & { id: number; bundle?: ItsBundle | undefined })[],
): Cart {
  const now = new Map(prices.map((priced) => [priced.id, priced]))
  let isChanged = false
  const items = cart.items.map((item) => {
    const { price, priceDiscount, bundle } = now.get(item.documentId) ?? item
    const priced = cleanItem({ ...item, price, priceDiscount, bundle: item.bundle && bundle })
    const isSame =
      priced.price === item.price &&
      priced.priceDiscount === item.priceDiscount &&
      priced.bundle?.share === item.bundle?.share
    if (isSame) return item
    isChanged = true
    return priced
  })
  return isChanged ? { items } : cart
}

export function lastItems(cart: Cart, count = CART_PREVIEW_ITEMS): CartItem[] {
  return cart.items.slice(Math.max(0, cart.items.length - count))
}
