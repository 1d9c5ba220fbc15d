import { aToken, openPage, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'

/** Opens a checkout with these documents in a customer's cart, to be paid from the wallet. */
export async function openCheckout(ids: number[], shop = fakeShop()) {
  shop.carts.set('user/7', ids)
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.cart.syncCart()
  await page.wallet.loadBalance()
  page.purchase.chooseMethod('wallet')
  const pay = async () => {
    page.purchase.startPurchase()
    await page.purchase.confirmPurchase(WAY)
  }
  return { shop, page, pay, ...page.purchase }
}

/** How a customer would return from a gateway. */
export const WAY = { provider: 'sandbox', locale: 'ar', origins: ['http://shop'] } as const

/** The idempotency keys of the payments that were sent, oldest first. */
export const keysOf = (shop: FakeShop) => shop.keysOf('POST /wallet/orders/create-and-pay')
