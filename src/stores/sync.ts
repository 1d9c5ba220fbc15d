import { sendLocalCart, syncCartOnce } from './cart/server-cart.ts'
import { loadOwnedOnce } from './library/owned.ts'
import { loadOrderedOnce } from './purchase/ordered.ts'
import { $session } from './session/session.ts'
import { $localCart } from './user-data/kept-cart.ts'
import { $unsentWishes } from './user-data/user-data.ts'
import { $balanceLoad, loadBalance } from './wallet/wallet.ts'
import { loadWishlistOnce, sendWishes } from './wishlist/wishlist.ts'

let isStarted = false

/**
 * Brings a customer's data in this browser and on the server together, now and from now on: loads
 * what the page shows, and sends what only this browser has, also from an earlier page that was left
 * too soon. The customer's own pages call it at once, the page's script at the first touch of others.
 */
export function startSync(): void {
  if (isStarted) return
  isStarted = true
  $session.subscribe(sync)
  $localCart.listen(sendLocalCart)
  $unsentWishes.listen(sendWishes)
}

function sync(): void {
  if ($session.get()?.role !== 'PARENT') return
  // The wallet's own page has asked already; asked again, it would move under the finger.
  if ($balanceLoad.get() === 'idle') void loadBalance()
  void loadOwnedOnce()
  void loadOrderedOnce()
  void loadWishlistOnce()
  void syncCartOnce()
  sendWishes()
}
