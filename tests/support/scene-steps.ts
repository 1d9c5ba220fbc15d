import type { Locator, Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { said, type TextKey } from './texts.ts'

/** A button by its text. */
export const button = (within: Page | Locator, locale: Locale, key: TextKey) =>
  within.getByRole('button', { name: said(locale, key) })

/** What floats moves in: pictures and measurements are taken once it has come to rest. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)))
}

/**
 * Has the browser draw, and read, what it leaves out while that is far from the screen. The policy of
 * the pages allows no other sheet than this kind.
 */
export async function drawAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    const all = new CSSStyleSheet()
    all.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(all)
  })
}

/** Opens a page of the shop in a language. */
export async function open(page: Page, locale: Locale, path: string): Promise<void> {
  await page.goto(inLanguage(locale, path), { waitUntil: 'load' })
}

/** The open dialog of this title. */
export async function dialogOf(page: Page, locale: Locale, title: TextKey): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: said(locale, title) })
  await dialog.waitFor()
  return dialog
}
