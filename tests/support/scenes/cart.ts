import type { Locator, Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { DEMO_PASSWORD } from '../../../src/server/demo/demo.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import { withCart } from './samples.ts'
import { type Scene, scene } from './scene.ts'

async function addAsked(page: Page, locale: Locale): Promise<Locator> {
  await open(page, locale, '/shop-details/69')
  await page.locator('main .add-to-cart button:visible').first().click()
  return dialogOf(page, locale, 'cart:overlays.anonymous.title')
}

async function introduced(page: Page, locale: Locale): Promise<Locator> {
  const prompt = await addAsked(page, locale)
  await button(prompt, locale, 'cart:overlays.anonymous.continue').click()
  return dialogOf(page, locale, 'cart:overlays.walletIntro.title')
}

/** The cart, the dialogs before an item is added, and the account forms. */
export const CART_SCENES: readonly Scene[] = [
  scene('cart-box', { part: '.cart-box', only: 'wide' }, async (page, locale) => {
    await withCart(page)
    await open(page, locale, '/')
    await page.locator('.cart-link:visible').hover()
    await page.locator('.cart-box__panel li').first().waitFor()
  }),
  scene('anonymous-prompt', {}, async (page, locale) => {
    await addAsked(page, locale)
  }),
  scene('wallet-intro', {}, async (page, locale) => {
    await introduced(page, locale)
  }),
  scene('toast', { part: '.toast:not([hidden])' }, async (page, locale) => {
    const intro = await introduced(page, locale)
    await button(intro, locale, 'cart:overlays.walletIntro.ok').click()
    await page.locator('.toast:visible').waitFor()
  }),
  scene('login-errors', { part: 'form' }, async (page, locale) => {
    await open(page, locale, '/login')
    await button(page, locale, 'account:login.submit').click()
    await page.locator('.field__error').first().waitFor()
  }),
  scene('access-denied', {}, async (page, locale) => {
    await open(page, locale, '/login')
    await page.getByLabel(uiText(locale, 'account:login.username')).fill('teacher@karras.test')
    await page
      .getByLabel(uiText(locale, 'account:login.password'), { exact: true })
      .fill(DEMO_PASSWORD)
    await button(page, locale, 'account:login.submit').click()
    await dialogOf(page, locale, 'account:login.denied.title')
  }),
  scene('register-errors', { part: 'form' }, async (page, locale) => {
    await open(page, locale, '/register')
    await button(page, locale, 'account:register.submit').click()
    await page.locator('.field__error').first().waitFor()
  }),
]
