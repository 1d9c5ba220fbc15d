import { cleanTestStorage, getTestStorage, useTestStorageEngine } from '@nanostores/persistent'
import { vi } from 'vitest'
import { createApi } from '../../src/client/api.ts'
import type { Act, Tap } from '../../src/rules/taps.ts'
import type { FakeShop } from './fake-shop.ts'

export { aToken } from '../support/token.ts'

// biome-ignore lint/correctness/useHookAtTopLevel: not a React hook, despite its name
useTestStorageEngine()

/** The browser's storage, which outlives a page. */
export const storage = getTestStorage()

export function emptyStorage(): void {
  cleanTestStorage()
}

/**
 * Opens a page: every store starts afresh from what is saved, connected to this shop. Open it again
 * to reload.
 */
export async function openPage(shop: FakeShop) {
  vi.resetModules()
  const load = {
    account: import('../../src/stores/account/account.ts'),
    backend: import('../../src/stores/shared/backend.ts'),
    cart: import('../../src/stores/cart/cart.ts'),
    serverCart: import('../../src/stores/cart/server-cart.ts'),
    keptCart: import('../../src/stores/user-data/kept-cart.ts'),
    logIn: import('../../src/stores/session/log-in.ts'),
    userData: import('../../src/stores/user-data/user-data.ts'),
    wishes: import('../../src/stores/wishlist/wishes.ts'),
    confirmation: import('../../src/stores/account/confirmation.ts'),
    dialogs: import('../../src/stores/shared/dialogs.ts'),
    directPurchase: import('../../src/stores/purchase/direct-purchase.ts'),
    downloads: import('../../src/stores/library/downloads.ts'),
    history: import('../../src/stores/wallet/history.ts'),
    clock: import('../../src/stores/shared/server-clock.ts'),
    choices: import('../../src/stores/library/shown.ts'),
    library: import('../../src/stores/library/library.ts'),
    notices: import('../../src/stores/shared/notices.ts'),
    pageNotices: import('../../src/stores/shared/page-notices.ts'),
    orders: import('../../src/stores/purchase/orders.ts'),
    ordered: import('../../src/stores/purchase/ordered.ts'),
    owned: import('../../src/stores/library/owned.ts'),
    payments: import('../../src/stores/purchase/payments.ts'),
    purchase: import('../../src/stores/purchase/purchase.ts'),
    reading: import('../../src/stores/library/reading.ts'),
    session: import('../../src/stores/session/session.ts'),
    shopping: import('../../src/stores/purchase/shopping.ts'),
    topUp: import('../../src/stores/wallet/top-up.ts'),
    wallet: import('../../src/stores/wallet/wallet.ts'),
    wishlist: import('../../src/stores/wishlist/wishlist.ts'),
    rating: import('../../src/stores/rating/rating.ts'),
  }
  const page = {
    account: await load.account,
    backend: await load.backend,
    cart: { ...(await load.cart), ...(await load.serverCart) },
    confirmation: await load.confirmation,
    dialogs: await load.dialogs,
    directPurchase: await load.directPurchase,
    downloads: await load.downloads,
    history: await load.history,
    clock: await load.clock,
    choices: await load.choices,
    library: await load.library,
    notices: { ...(await load.notices), ...(await load.pageNotices) },
    orders: await load.orders,
    ordered: await load.ordered,
    owned: await load.owned,
    payments: await load.payments,
    purchase: await load.purchase,
    reading: await load.reading,
    session: { ...(await load.session), ...(await load.logIn) },
    shopping: await load.shopping,
    topUp: await load.topUp,
    wallet: await load.wallet,
    wishlist: { ...(await load.wishlist), ...(await load.wishes) },
    rating: await load.rating,
  }
  page.backend.connectTo(createApi(shop.transport))
  await page.backend.connect()
  // As `stores/sync.ts` does, which also loads what a page shows.
  ;(await load.keptCart).$localCart.listen(page.cart.sendLocalCart)
  ;(await load.userData).$unsentWishes.listen(page.wishlist.sendWishes)
  return page
}

export type OpenPage = Awaited<ReturnType<typeof openPage>>

export const anItem = (documentId: number) => ({
  documentId,
  title: `Document ${documentId}`,
  price: 5000,
  priceDiscount: null,
})

/** A tap on a control of a document's card. */
export const aTap = (act: Act, documentId: number): Tap => ({
  act,
  item: anItem(documentId),
  isOnDetails: false,
})

/** The document ids in the cart as the page shows it. */
export const shownIds = ({ cart }: OpenPage) => cart.$cart.get().items.map((i) => i.documentId)
