import type { Locator, Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { type TextKey, uiText } from './texts.ts'

/** A button by its text. */
export const button = (within: Page | Locator, locale: Locale, key: TextKey) =>
  within.getByRole('button', { name: uiText(locale, key) })

/** A link by its text. */
export const link = (within: Page | Locator, locale: Locale, key: TextKey) =>
  within.getByRole('link', { name: uiText(locale, key) })

/** Moves on a document's page, which gets the script of its sample, and waits until that has run. */
export async function getSampleScript(page: Page): Promise<void> {
  const script = page.waitForResponse(/\/sample-strip[^/]*\.js$/)
  await page.mouse.move(5, 5)
  // As text: Vitest would replace the import of a function.
  await page.evaluate(`import(${JSON.stringify((await script).url())}).then(() => null)`)
}

/** Waits for animations of overlays to end, before screenshots and measurements; spinners go on. */
export async function untilAnimationsEnd(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    return Promise.allSettled(ending.map((each) => each.finished))
  })
}

/**
 * Makes the browser render content that it skips while it is far from the screen
 * (`content-visibility`). The pages' policy allows no other kind of style sheet.
 */
export async function renderOffscreen(page: Page): Promise<void> {
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

/** The open dialog with this title. */
export async function dialogOf(page: Page, locale: Locale, title: TextKey): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: uiText(locale, title) })
  await dialog.waitFor()
  return dialog
}
