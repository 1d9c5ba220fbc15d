import { emptyCart, readCart, savedCart } from '../../rules/cart.ts'
import {
  ANONYMOUS_CART_KEY,
  CODE_KEY,
  SESSION_ID_KEY,
  STATIC_CART_KEY,
} from '../../rules/storage-keys.ts'
import { persistedJson, persistedText } from '../shared/persistence.ts'

// The part of the cart that is only in this browser, not in the user's cart on the server. It
// survives the expiry of a token; logging out deletes it.

/**
 * The cart of this browser. While logged out it is the cart; while logged in it holds what the
 * server has not acknowledged yet, so that a failed call loses nothing.
 */
export const $localCart = persistedJson(STATIC_CART_KEY, emptyCart, readCart, savedCart)

/**
 * The discount code that waits for a purchase, from a link or typed; '' for none. It stays over a registration and
 * an expired token like this cart, and goes with a log-out: the next person of this device may not use it up.
 */
export const $keptCode = persistedText(CODE_KEY)

/** The id of the anonymous session; '' without one. */
export const $sessionId = persistedText(SESSION_ID_KEY)

/** The last known content of the anonymous cart on the server. */
export const $anonymousCopy = persistedJson(ANONYMOUS_CART_KEY, emptyCart, readCart, savedCart)

export function forgetKeptCart(): void {
  for (const $cart of [$localCart, $anonymousCopy])
    if ($cart.get() !== emptyCart) $cart.set(emptyCart)
  for (const $text of [$sessionId, $keptCode]) if ($text.get()) $text.set('')
}
