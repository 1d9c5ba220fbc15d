import { emptyCart, readCart, savedCart } from '../../rules/cart.ts'
import { ANONYMOUS_CART_KEY, SESSION_ID_KEY, STATIC_CART_KEY } from '../../rules/storage-keys.ts'
import { persistedJson, persistedText } from '../shared/persistence.ts'

// What this browser holds that is not in a user's cart at the server. It outlives a token that
// expires; who logs out leaves nothing behind.

/**
 * The cart of this browser. Logged out it is the cart; logged in it holds what the server has not
 * acknowledged yet, so that a failed call loses nothing.
 */
export const $localCart = persistedJson(STATIC_CART_KEY, emptyCart, readCart, savedCart)

/** The id of the anonymous session; '' where there is none. */
export const $sessionId = persistedText(SESSION_ID_KEY)

/** What the anonymous cart at the server was last known to hold. */
export const $anonymousCopy = persistedJson(ANONYMOUS_CART_KEY, emptyCart, readCart, savedCart)

/** Forgets what no answer of the server has put into the user's cart yet. */
export function forgetKeptCart(): void {
  for (const $cart of [$localCart, $anonymousCopy])
    if ($cart.get() !== emptyCart) $cart.set(emptyCart)
  if ($sessionId.get()) $sessionId.set('')
}
