import { aToken, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

/** Opens the charging page for a customer. */
export async function openCharging(shop = fakeShop()) {
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.wallet.loadBalance()
  return { shop, page, ...page.topUp }
}
