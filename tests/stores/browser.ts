import { cleanTestStorage, getTestStorage, useTestStorageEngine } from '@nanostores/persistent'
import { onTestFinished, vi } from 'vitest'
import { createApi } from '../../src/client/api.ts'
import type { Act, Tap } from '../../src/rules/taps.ts'
import type { FakeShop } from './fake-shop.ts'

export { aToken } from '../support/token.ts'

/** The browser's storage, which outlives a page. */
export const storage = getTestStorage()

export function emptyStorage(): void {
  // Another file of the same process may have replaced it.
  // biome-ignore lint/correctness/useHookAtTopLevel: not a React hook, despite its name
  useTestStorageEngine()
  cleanTestStorage()
}

/** The same storage for code that looks at all of its keys. */
const localStorage = new Proxy(storage, {
  get: (entries, name) =>
    ({
      getItem: (key: string) => entries[key] ?? null,
      removeItem: (key: string) => delete entries[key],
    })[String(name)],
})

/** An empty storage, and a console to which stores may write of what fails. */
export function emptyBrowser(): void {
  emptyStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
}

/**
 * Opens a page: every store starts afresh from what is saved, connected to this shop. Open it again
 * to reload.
 */
export async function openPage(shop: FakeShop) {
  vi.resetModules()
  const page = {
    account: await import('../../src/stores/account/account.ts'),
    backend: await import('../../src/stores/shared/backend.ts'),
    cart: {
      ...(await import('../../src/stores/cart/cart.ts')),
      ...(await import('../../src/stores/cart/server-cart.ts')),
    },
    code: await import('../../src/stores/purchase/cart-code.ts'),
    confirmation: await import('../../src/stores/account/confirmation.ts'),
    dialogs: await import('../../src/stores/shared/dialogs.ts'),
    directPurchase: await import('../../src/stores/purchase/direct-purchase.ts'),
    downloads: await import('../../src/stores/library/downloads.ts'),
    following: {
      ...(await import('../../src/stores/following/following.ts')),
      $following: (await import('../../src/stores/user-data/user-data.ts')).$following,
    },
    history: await import('../../src/stores/wallet/history.ts'),
    clock: await import('../../src/stores/shared/server-clock.ts'),
    choices: await import('../../src/stores/library/shown.ts'),
    library: await import('../../src/stores/library/library.ts'),
    notices: {
      ...(await import('../../src/stores/shared/notices.ts')),
      ...(await import('../../src/stores/shared/page-notices.ts')),
    },
    orders: await import('../../src/stores/purchase/orders.ts'),
    ordered: await import('../../src/stores/purchase/ordered.ts'),
    owned: await import('../../src/stores/library/owned.ts'),
    payments: await import('../../src/stores/purchase/payments.ts'),
    purchase: await import('../../src/stores/purchase/purchase.ts'),
    reading: await import('../../src/stores/library/reading.ts'),
    session: {
      ...(await import('../../src/stores/session/session.ts')),
      ...(await import('../../src/stores/session/log-in.ts')),
    },
    shopping: await import('../../src/stores/purchase/shopping.ts'),
    topUp: await import('../../src/stores/wallet/top-up.ts'),
    wallet: await import('../../src/stores/wallet/wallet.ts'),
    wishlist: {
      ...(await import('../../src/stores/wishlist/wishlist.ts')),
      ...(await import('../../src/stores/wishlist/wishes.ts')),
    },
    rating: await import('../../src/stores/rating/rating.ts'),
  }
  page.backend.connectTo(createApi(shop.transport))
  await page.backend.connect()
  // As `stores/sync.ts` does, which also loads what a page shows.
  const { $localCart } = await import('../../src/stores/user-data/kept-cart.ts')
  const { $unsentWishes } = await import('../../src/stores/user-data/user-data.ts')
  // Ended with its test, because a page without this storage's token would drop a later page's wishes.
  onTestFinished($localCart.listen(page.cart.sendLocalCart))
  onTestFinished($unsentWishes.listen(page.wishlist.sendWishes))
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

/** The session of an anonymous cart, and the document ids that this browser keeps of one. */
export const SESSION_ID = 'anon-0123456789abcdef'
export const savedIds = () =>
  JSON.parse(storage.static_cart ?? '{"items":[]}').items.map(
    (item: { documentId: number }) => item.documentId,
  )
