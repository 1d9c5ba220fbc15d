import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { type Visitor, withoutCache } from './browser.ts'
import type { OpenShop } from './shop.ts'
import { uiText } from './texts.ts'

export const add = (page: Page) => page.locator('main .add-to-cart [data-do=add]:visible').first()
export const count = (page: Page) => page.locator('[data-cart-count]:visible').first()
export const toast = (page: Page) => page.locator('.toast:visible')

/** Holds back the scripts of a page's islands; calling the returned function releases them. */
export async function holdIslands({ page }: Visitor): Promise<() => Promise<void>> {
  await withoutCache(page)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_astro/{Overlays,client,react}*.js', async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  return async () => {
    release()
    await page.waitForFunction(() => window.early?.answer)
  }
}

export const prompt = (page: Page, locale: Locale) =>
  page.getByRole('dialog', { name: uiText(locale, 'cart:overlays.anonymous.title') })
export const details = (locale: Locale, document: { id: number }) =>
  pathIn(locale, `/shop-details/${document.id}`)
export const aDocument = (shop: OpenShop, locale: Locale) =>
  shop.aDocument({ title: `Premier ${locale}`, price: dinars(7), priceDiscount: dinars(5.5) })
