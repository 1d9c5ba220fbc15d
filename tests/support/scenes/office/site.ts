import type { OfficePath } from '../../../../src/rules/pages.ts'
import { type Scene, scene } from '../scene.ts'
import { open, plain } from './kinds.ts'

/** The same page with its first part, or the first in `within`, expanded and loaded. */
const unfolded = (name: string, path: OfficePath, query = '', within = 'main'): Scene =>
  scene(`office-${name}`, { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, path, query)
    await page.locator(`${within} .site-fold > summary`).first().click()
    await page.locator('main .site-fold[open] :is(input, textarea):visible').first().waitFor()
    await page.waitForFunction(() => !document.querySelector('main .site-fold[open] .skeleton'))
  })

/** What administrators edit on the pages of the shop: facts, texts, lists and featured items. */
export const SITE_SCENES: readonly Scene[] = [
  plain('facts', '/office/facts', 'administrator'),
  plain('notices', '/office/notices', 'administrator'),
  plain('site-pages', '/office/site-pages', 'administrator'),
  plain('site-page', '/office/site-page', 'administrator', '?name=faq'),
  unfolded('facts-open', '/office/facts'),
  unfolded('site-page-open', '/office/site-page', '?name=faq'),
  plain('interface-texts-pages', '/office/interface-texts', 'administrator'),
  unfolded('interface-texts', '/office/interface-texts', '?q=mail%3Ahello', '.interface-texts'),
  plain('catalogue-kinds', '/office/catalogue', 'administrator', '?list=kinds'),
  plain('catalogue-covers', '/office/catalogue', 'administrator', '?list=covers'),
  scene('office-catalogue', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/catalogue')
    await page.locator('.lists__entry [aria-expanded]').first().click()
    await page.locator('.lists__entry .move-buttons button').nth(3).click()
    await page.locator('.save-order').waitFor()
  }),
  plain('chapters', '/office/chapters', 'administrator'),
  scene('office-chapters-listed', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/chapters', '?class=9&subject=1')
    await page.locator('.lists__entry .move-buttons button').nth(1).click()
    await page.locator('.save-order').waitFor()
  }),
  scene('office-chapters-add', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/chapters', '?class=9&subject=1')
    await page.locator('.lists .button--primary').first().click()
    await page.locator('dialog textarea').waitFor()
  }),
  plain('calendar', '/office/calendar', 'administrator'),
  scene('office-calendar-add', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/calendar')
    await page.locator('main .button--primary').first().click()
    await page.locator('.lists__new').waitFor()
  }),
  scene('office-featured', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/featured')
    await page.locator('input[name="q"]').fill('رياضيات')
    await page.locator('.search-form button').click()
    await page.locator('search ~ ul').waitFor()
  }),
]
