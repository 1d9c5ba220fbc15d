import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { uiText } from './texts.ts'

export const add = (page: Page) => page.locator('main .add-to-cart button:visible').first()
export const heart = (page: Page) => page.locator('main .heart:visible').first()
export const count = (page: Page) => page.locator('visitor-text[of=cart]:visible').first()
export const toast = (page: Page) => page.locator('.toast:visible')
/** The question that a visitor without an account is asked before the first document. */
export const prompt = (page: Page, locale: Locale) =>
  page.getByRole('dialog', { name: uiText(locale, 'cart:overlays.anonymous.title') })
