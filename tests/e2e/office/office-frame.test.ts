import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { DESKTOP, PHONE, untilHydrated } from '../../support/browser.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { atOffice } from '../../support/office-life.ts'
import { button } from '../../support/scene-steps.ts'
import { sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

test('the search opens by its key, finds a row, and Enter leads to its page', async () => {
  const locale = 'ar'
  const administrator = await shop.anOfficeAdministrator()
  const customer = await shop.aCustomer({ firstName: 'فردوسة', lastName: 'الهيشري' })
  const { page } = await atOffice(shop, administrator, locale, DESKTOP)
  await page.goto(pathIn(locale, '/office/orders'))
  await untilHydrated(page)
  const open = button(page, locale, 'office:search.open')
  await open.focus()
  await page.keyboard.press('/')
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect.poll(() => hasFocus(field)).toBe(true)
  // Pages by their names, at once; then rows.
  await page.keyboard.type('الفواتير')
  await page
    .getByRole('option', { name: uiText(locale, 'office:menu.invoices'), exact: true })
    .waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(open)).toBe(true)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('فردوسة')
  const hit = page.getByRole('option', { name: 'فردوسة الهيشري' })
  await hit.waitFor()
  await expect.poll(() => hit.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${shop.url}${pathIn(locale, `/office/person?id=${customer.id}`)}`)
})

test('groups of the menu stay as they were left; that of the current page is open', async () => {
  const locale = 'fr'
  const { page } = await atOffice(shop, await shop.anOfficeAdministrator(), locale, DESKTOP)
  const group = (name: string) => page.locator(`.office-menu:visible [data-group="${name}"]`)
  const isOpen = (name: string) => group(name).evaluate((each) => each.hasAttribute('open'))
  await page.goto(pathIn(locale, '/office/people'))
  expect(await Promise.all(['today', 'people', 'money'].map(isOpen))).toEqual([true, true, false])
  await group('money').locator('summary').click()
  await group('today').locator('summary').click()
  await group('money').getByRole('link').first().click()
  await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/invoices'))
  expect(await Promise.all(['today', 'people', 'money'].map(isOpen))).toEqual([false, false, true])
})

test('on a phone logo, name and log-out stay in view while the page scrolls', async () => {
  const locale = 'ar'
  const { page } = await atOffice(shop, await shop.anOfficeAdministrator(), locale, PHONE)
  await page.goto(pathIn(locale, '/office/facts'))
  await untilHydrated(page)
  await page.locator('main .site-fold').last().scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const isInView = (selector: string) =>
    page.locator(selector).evaluate((each) => {
      const { top, bottom } = each.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  for (const selector of ['.office__logo', '.staff__name', '.staff__out', '.finder-open']) {
    expect(await isInView(selector), selector).toBe(true)
  }
})
