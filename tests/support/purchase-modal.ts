import type { Locator, Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { button } from './scene-steps.ts'
import type { OpenShop } from './shop.ts'
import { type KeyIn, uiText } from './texts.ts'

export const named = (within: Page | Locator, locale: Locale, key: KeyIn<'purchase'>) =>
  button(within, locale, `purchase:${key}`)
export const modalOf = (page: Page, locale: Locale) =>
  page.getByRole('dialog', { name: uiText(locale, 'purchase:modal.title') })

/** Opens a document's modal once the balance is known. */
export async function buyNow(page: Page, locale: Locale, id: number): Promise<Locator> {
  await page.goto(pathIn(locale, `/shop-details/${id}`))
  await named(page.locator('main .buy'), locale, 'buy').click()
  const modal = modalOf(page, locale)
  await modal.locator('.dialog__sums .price').nth(1).waitFor()
  return modal
}

export const aDocument = (shop: OpenShop, locale: Locale, price: number) =>
  shop.aDocument({ title: `Modal ${locale} ${price}`, price: dinars(price) })
