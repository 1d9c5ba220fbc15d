import type { Locator, Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { A_CODE, LARGE, SMALL, withCode, withRaisedPrice, withRefusedCode } from './samples.ts'
import { type Cast, type Scene, scene } from './scene.ts'

async function buyingNow(page: Page, locale: Locale, id: number): Promise<Locator> {
  await open(page, locale, `/shop-details/${id}`)
  await button(page.locator('main .buy'), locale, 'purchase:buy').click()
  const modal = await dialogOf(page, locale, 'purchase:modal.title')
  await modal.locator('.dialog__sums .price').nth(1).waitFor()
  return modal
}

const purchase = (name: string, as: keyof Cast, id: number): Scene => ({
  name: `purchase-${name}`,
  as,
  async show(page, locale) {
    await buyingNow(page, locale, id)
  },
})

const priceChanged = (name: string, price: number): Scene =>
  scene(`purchase-price-${name}`, { as: 'parent' }, async (page, locale) => {
    await withRaisedPrice(page, price)
    const modal = await buyingNow(page, locale, SMALL)
    await button(modal, locale, 'purchase:modal.payWallet').click()
    const asked = await dialogOf(page, locale, 'purchase:modal.changed.title')
    await asked.locator('.dialog__sums .price').nth(2).waitFor()
  })

export const PURCHASE_SCENES: readonly Scene[] = [
  purchase('small', 'parent', SMALL),
  purchase('small-short', 'poor', SMALL),
  purchase('large', 'parent', LARGE),
  purchase('large-short', 'poor', LARGE),
  scene('purchase-code', { as: 'parent' }, async (page, locale) => {
    await withCode(page)
    const modal = await buyingNow(page, locale, SMALL)
    await modal.getByText(A_CODE).waitFor()
  }),
  scene('purchase-code-unused', { as: 'parent' }, async (page, locale) => {
    await withRefusedCode(page, 'code_ended')
    const modal = await buyingNow(page, locale, SMALL)
    await modal.getByText(A_CODE).waitFor()
  }),
  priceChanged('changed', 12),
  priceChanged('too-high', 75),
  scene('purchase-failed', { as: 'parent' }, async (page, locale) => {
    await page.route('**/api/wallet/pay', (route) => route.abort())
    const modal = await buyingNow(page, locale, SMALL)
    await button(modal, locale, 'purchase:modal.payWallet').click()
    await dialogOf(page, locale, 'purchase:modal.problem.title')
  }),
  scene('wallet-intro-logged-in', { as: 'poor' }, async (page, locale) => {
    await open(page, locale, `/shop-details/${LARGE}`)
    await page.locator('main .add-to-cart button:visible').first().click()
    const intro = await dialogOf(page, locale, 'cart:overlays.walletIntro.title')
    await intro.locator('.dialog__sums .price').nth(1).waitFor()
  }),
]
