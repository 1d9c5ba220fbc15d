import { computed, readonlyType } from 'nanostores'
import * as rules from '../../rules/cart.ts'
import { $session } from '../session/session.ts'
import { announceAdded } from '../shared/notices.ts'
import { $localCart } from '../user-data/kept-cart.ts'
import { $serverCart } from '../user-data/user-data.ts'

export type { Cart, CartItem } from '../../rules/cart.ts'

/** The visitor's cart, each document once: the server's cart while logged in, or the local one. */
export const $cart = readonlyType(
  computed([$session, $localCart, $serverCart], (session, local, server) =>
    session ? local.items.reduce(rules.addToCart, server) : local,
  ),
)

/**
 * Puts a document into the cart unless it is already there, and shows a notice for a moment. What a
 * customer adds, `stores/sync.ts` sends to the server.
 */
export function addToCart(item: rules.NewItem): void {
  if (rules.has($cart.get(), item.documentId)) return
  $localCart.set(rules.addToCart($localCart.get(), item))
  announceAdded(item, $session.get() ? 'first-purchase' : 'wallet-intro')
}
