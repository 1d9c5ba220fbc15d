import { computed } from 'nanostores'
import { atBundlePrices } from '../../rules/opened-cart.ts'
import { $cart } from '../cart/cart.ts'
import { $owned } from '../library/owned.ts'
import { $ordered } from './ordered.ts'

/**
 * The items of the cart to pay now, neither those owned nor those that wait in an order: at their shares where
 * their bundle counts, else without it.
 */
export const $payable = computed([$cart, $owned, $ordered], (cart, owned, ordered) =>
  atBundlePrices(
    cart.items.filter(({ documentId }) => !owned.has(documentId) && !ordered.has(documentId)),
    owned,
  ),
)

/** All items of the cart; those to pay now at what they cost in their bundles. */
export const $items = computed([$cart, $payable], ({ items }, payable) =>
  items.map((item) => payable.find(({ documentId }) => documentId === item.documentId) ?? item),
)
