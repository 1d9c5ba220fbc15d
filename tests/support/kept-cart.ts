import type { Page } from 'playwright'
import { addToCart, emptyCart, savedCart } from '../../src/rules/cart.ts'
import { dinars } from '../../src/rules/money.ts'
import { STATIC_CART_KEY } from '../../src/rules/storage-keys.ts'

/**
 * Puts a document into the cart of a browser that is on a page of the shop, without loading what a
 * tap loads.
 */
export async function fillCart(page: Page): Promise<void> {
  const cart = addToCart(emptyCart, { documentId: 3, title: 'الكسور', price: dinars(5) })
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    STATIC_CART_KEY,
    JSON.stringify(savedCart(cart)),
  ] as const)
}
