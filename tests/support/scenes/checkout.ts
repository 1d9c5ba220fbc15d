import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import {
  A_CODE,
  AN_ORDER,
  FIRST_CART,
  keepCode,
  TOO_MANY_OPEN,
  withCart,
  withCode,
  withRaisedPrice,
  withRefusedCode,
  withWaitingOrder,
} from './samples.ts'
import { type Scene, scene } from './scene.ts'

async function payingFromWallet(page: Page, locale: Locale): Promise<void> {
  await open(page, locale, '/checkout')
  await page.getByRole('radio', { name: uiText(locale, 'common:methods.wallet') }).check()
}

const priceChanged = (name: string, price: number): Scene =>
  scene(`checkout-price-${name}`, { as: 'parent' }, async (page, locale) => {
    await withRaisedPrice(page, price)
    await payingFromWallet(page, locale)
    await page.locator('#payment button.button--primary:enabled').click()
    const dialog = await dialogOf(page, locale, 'checkout:confirm.title')
    await button(dialog, locale, 'checkout:confirm.yes').click()
    await page.getByText(uiText(locale, 'checkout:confirm.changed.text')).waitFor()
  })

export const CHECKOUT_SCENES: readonly Scene[] = [
  scene('checkout-empty', {}, async (page, locale) => {
    await open(page, locale, '/checkout')
    await page.getByText(uiText(locale, 'checkout:empty.title')).waitFor()
  }),
  scene('checkout-loading', { as: 'parent' }, async (page, locale) => {
    await page.route('**/api/carts/**', () => {})
    await open(page, locale, '/checkout')
    await page.locator('main .skeleton').first().waitFor()
  }),
  scene('checkout-failed', { as: 'parent' }, async (page, locale) => {
    await page.route('**/api/carts/**', (route) => route.abort())
    await open(page, locale, '/checkout')
    await page.getByText(uiText(locale, 'checkout:failed.title')).waitFor()
  }),
  scene('checkout-anonymous', {}, async (page, locale) => {
    await withCart(page)
    await open(page, locale, '/checkout')
    await page.locator('.line-items > li').first().waitFor()
  }),
  scene('checkout-bundle', { part: '.line-items' }, async (page, locale) => {
    await open(page, locale, '/shop-details/10')
    await button(page, locale, 'document:bundle.addBoth').click()
    await page.getByText(uiText(locale, 'document:bundle.added')).waitFor()
    await open(page, locale, '/checkout')
    await page.getByText(uiText(locale, 'checkout:items.bundle')).first().waitFor()
  }),
  scene('checkout', { as: 'parent' }, async (page, locale) => {
    await payingFromWallet(page, locale)
    await page.locator('.wallet-change').waitFor()
  }),
  scene('checkout-short', { part: '#payment', as: 'poor' }, async (page, locale) => {
    await payingFromWallet(page, locale)
    await page.getByText(uiText(locale, 'checkout:payment.short')).waitFor()
  }),
  scene('checkout-confirm', { as: 'parent' }, async (page, locale) => {
    await payingFromWallet(page, locale)
    await page.locator('#payment button.button--primary:enabled').click()
    await dialogOf(page, locale, 'checkout:confirm.title')
  }),
  scene('checkout-code-field', { part: '.code-field', as: 'parent' }, async (page, locale) => {
    await open(page, locale, '/checkout')
    await page.locator('.code-field > summary').click()
    await page.getByLabel(uiText(locale, 'checkout:code.label')).fill(A_CODE)
  }),
  scene('checkout-code', { as: 'parent' }, async (page, locale) => {
    await withCode(page)
    await payingFromWallet(page, locale)
    await page.getByText(A_CODE).nth(1).waitFor()
  }),
  scene('checkout-code-confirm', { as: 'parent' }, async (page, locale) => {
    await withCode(page)
    await payingFromWallet(page, locale)
    await page.locator('#payment button.button--primary:enabled').click()
    await dialogOf(page, locale, 'checkout:confirm.title')
  }),
  scene('checkout-code-refused', { part: '.code-field', as: 'parent' }, async (page, locale) => {
    await withRefusedCode(page, 'code_not_for_these')
    await open(page, locale, '/checkout')
    await page.getByText(uiText(locale, 'checkout:codes.code_not_for_these')).waitFor()
  }),
  scene('checkout-code-waiting', { part: '.code-field' }, async (page, locale) => {
    await withCart(page)
    await keepCode(page)
    await open(page, locale, '/checkout')
    await page.locator('.code-field [role=status]').waitFor()
  }),
  scene('checkout-code-ended', { as: 'parent' }, async (page, locale) => {
    await withCode(page)
    await withRaisedPrice(page, 8.5)
    await payingFromWallet(page, locale)
    await page.locator('#payment button.button--primary:enabled').click()
    const dialog = await dialogOf(page, locale, 'checkout:confirm.title')
    await withRefusedCode(page, 'code_ended')
    await button(dialog, locale, 'checkout:confirm.yes').click()
    await page.getByText(uiText(locale, 'checkout:codes.code_ended')).first().waitFor()
  }),
  priceChanged('changed', 30),
  priceChanged('too-high', 90),
  scene('checkout-not-started', { part: '#payment', as: 'parent' }, async (page, locale) => {
    await page.route('**/api/orders/create', (route) => route.abort())
    await open(page, locale, '/checkout')
    await page.locator('#payment input[value="card"]').check()
    await page.locator('#payment button.button--primary:enabled').click()
    const dialog = await dialogOf(page, locale, 'checkout:confirm.title')
    await button(dialog, locale, 'checkout:confirm.yes').click()
    await page.getByText(uiText(locale, 'checkout:result.steps.order'), { exact: true }).waitFor()
  }),
  scene('checkout-waiting', { part: '.line-items', as: 'parent' }, async (page, locale) => {
    await withWaitingOrder(page, [{ ...AN_ORDER, items: AN_ORDER.items.slice(0, 1) }])
    await open(page, locale, '/checkout')
    await page.getByText(uiText(locale, 'order:waiting.status')).first().waitFor()
  }),
  scene('checkout-cancel', { part: '.line-items', as: 'parent' }, async (page, locale) => {
    await withWaitingOrder(page)
    await open(page, locale, '/checkout')
    const ask = button(page, locale, 'order:waiting.cancel')
    await ask.first().click()
  }),
  scene('checkout-too-many-open', { part: '#payment', as: 'parent' }, async (page, locale) => {
    await page.route('**/api/orders/create', (route) => route.fulfill({ json: { id: 12 } }))
    // At the price that is shown.
    await page.route('**/api/orders/12', (route) =>
      route.fulfill({ json: { ...AN_ORDER, total: 13.5 } }),
    )
    await page.route('**/api/orderss/*/initiate?*', (route) =>
      route.fulfill({ status: 409, json: TOO_MANY_OPEN }),
    )
    await open(page, locale, '/checkout')
    await page.locator('#payment input[value="d17"]').check()
    await page.locator('#payment button.button--primary:enabled').click()
    const dialog = await dialogOf(page, locale, 'checkout:confirm.title')
    await button(dialog, locale, 'checkout:confirm.yes').click()
    await page.locator('.open-payments').waitFor()
  }),
  scene('details-waiting', { part: '.waiting-document', as: 'parent' }, async (page, locale) => {
    await withWaitingOrder(page)
    const { documentId } = FIRST_CART[0] ?? {}
    await page.addInitScript(
      (id) => localStorage.setItem('ordered_documents', JSON.stringify({ [`${id}`]: 12 })),
      documentId,
    )
    await open(page, locale, `/shop-details/${documentId}`)
    await page.locator('.waiting-document').waitFor()
  }),
]
