import { aToken, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

/** Opens a checkout with these documents in a customer's cart, to be paid from the wallet. */
export async function openCheckout(ids: number[], shop = fakeShop()) {
  shop.carts.set('user/7', ids)
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.cart.syncCart()
  await page.wallet.loadBalance()
  page.purchase.chooseMethod('wallet')
  return { shop, page, ...page.purchase }
}

/** How a customer would return from a gateway. */
export const WAY = { provider: 'sandbox', locale: 'ar', origins: ['http://shop'] } as const

/** The idempotency keys of the payments that were sent, oldest first. */
export const keysOf = (shop: ReturnType<typeof fakeShop>) =>
  shop
    .requestsTo('POST /wallet/orders/create-and-pay')
    .map(({ headers }) => headers['idempotency-key'])
