import { RENEWAL_MS } from '../rules/durations.ts'
import { fullName } from '../rules/full-name.ts'
import { refreshCart, sendLocalCart, syncCartOnce } from './cart/server-cart.ts'
import { loadFollowingOnce } from './following/following.ts'
import { loadOwned, loadOwnedOnce } from './library/owned.ts'
import { loadOrderedOnce } from './purchase/ordered.ts'
import { $session } from './session/session.ts'
import { ask } from './shared/backend.ts'
import { lacks } from './shared/features.ts'
import { logOnly } from './shared/problem.ts'
import { $localCart } from './user-data/kept-cart.ts'
import { $orderedDocuments, $savedName, $unsentWishes } from './user-data/user-data.ts'
import { $balanceLoad, loadBalance, refreshBalance } from './wallet/wallet.ts'
import { loadWishlistOnce, sendWishes } from './wishlist/wishlist.ts'

let isStarted = false
let renewedAt = 0

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
  // An order that no longer waits, as this page or another tab has read, was probably paid.
  $orderedDocuments.listen((now, before) => {
    const waiting = new Set(Object.values(now ?? {}))
    if (Object.values(before ?? {}).some((order) => !waiting.has(order))) {
      void loadOwned()
      renew()
    }
  })
  // A page in the background asks for nothing until it is seen again.
  setInterval(renewIfOld, RENEWAL_MS)
  document.addEventListener('visibilitychange', () => {
    // The payment may have been made in the tab that was left.
    if (document.visibilityState === 'visible' && isCustomer()) void loadOrderedOnce()
    renewIfOld()
  })
}

const isCustomer = () => $session.get()?.role === 'PARENT'

function renewIfOld(): void {
  const isDue = Date.now() - renewedAt >= RENEWAL_MS
  if (document.visibilityState === 'visible' && isDue) renew()
}

/** Asks again for what changes without this page: what is shown stays until the answer. */
function renew(): void {
  if (!isCustomer()) return
  renewedAt = Date.now()
  void refreshBalance()
  void refreshCart()
  void loadOrderedOnce()
}

function sync(): void {
  if (!isCustomer()) return
  renewedAt = Date.now()
  // The wallet's own page has asked already; asked again, it would move under the finger.
  if ($balanceLoad.get() === 'idle') void loadBalance()
  void loadOwnedOnce()
  void loadOrderedOnce()
  void loadWishlistOnce()
  void loadFollowingOnce()
  void syncCartOnce()
  void learnName().catch(logOnly('own name'))
  sendWishes()
}

/** The name in the header's menu, asked for once a session. */
async function learnName(): Promise<void> {
  const userId = $session.get()?.userId
  if ($savedName.get() || lacks('account')) return
  const { username, ...names } = await ask(({ ownAccount }) => ownAccount.getOwnAccount, {})
  if ($session.get()?.userId === userId) $savedName.set(fullName(names) || username)
}
