// @everyday: a parent finds, pays, reads and downloads a document.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { PAGE_WIDTHS } from '../../../src/rules/reading.ts'
import { newVisitor } from '../../support/browser.ts'
import { add } from '../../support/cart-buttons.ts'
import { downloadOfFirst, showTable } from '../../support/library.ts'
import { aPdf } from '../../support/pdf.ts'
import { button, link } from '../../support/scene-steps.ts'
import { journeys, PERSONAS, sharedShop } from '../../support/stage.ts'
import {
  addFirst,
  closeWalletIntro,
  confirmOrder,
  goOnAnonymously,
  logIn,
} from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** From a document's page into the cart, as a visitor without an account. */
async function addAnonymously(page: Page, locale: Locale, id: number): Promise<void> {
  await page.goto(pathIn(locale, `/shop-details/${id}`))
  await add(page).click()
  await goOnAnonymously(page, locale)
}

const TITLES = { ar: 'مراجعة الكسور العشرية', fr: 'Révision des fractions décimales' }

test.each(PERSONAS)(
  'finds a document, adds it to the cart, logs in, pays, reads and downloads it, $who',
  async ({ locale, viewport }) => {
    const title = TITLES[locale]
    const pdf = aPdf(title, 3)
    const document = await shop.aDocument({
      title,
      price: dinars(12),
      priceDiscount: dinars(8.5),
      file: pdf,
    })
    const parent = await shop.aCustomer({ balance: dinars(20) })
    // A busy shop refuses the reader's call; its pages are then shown as they are.
    const allowed = [/status of 503.*\/reading\)$/]
    const { page } = await newVisitor(shop.url, { viewport, locale, allowed })

    // Finds it by searching for another spelling.
    await page.goto(pathIn(locale, '/'))
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale)
    await expect
      .poll(() => page.locator('html').getAttribute('dir'))
      .toBe(locale === 'ar' ? 'rtl' : 'ltr')
    const search = page.getByRole('combobox').and(page.locator(':visible')).first()
    await search.fill(locale === 'ar' ? 'الكسور مراجعه' : 'decimales revision')
    await search.press('Enter')
    await page.getByRole('link', { name: title }).first().click()
    await page.waitForURL(new RegExp(`/shop-details/${document.id}$`))
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain(title)

    // Adds it to the cart; the first time the shop explains itself.
    await addFirst(page, locale)

    // Has to log in, and returns to the cart, which was carried over.
    await page.goto(pathIn(locale, '/checkout'))
    await page.locator('main').getByText(title).first().waitFor()
    await page
      .locator('main')
      .getByRole('link', { name: uiText(locale, 'checkout:login.login'), exact: true })
      .click()
    await logIn(page, locale, parent.email)
    await page.waitForURL(new RegExp(`${pathIn(locale, '/checkout')}$`))
    await page.locator('main').getByText(title).first().waitFor()
    await expect
      .poll(async () =>
        (
          await shop.database.kysely
            .selectFrom('cartItems')
            .select('documentId')
            .where('userId', '=', parent.id)
            .execute()
        ).map((row) => row.documentId),
      )
      .toEqual([document.id])
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('static_cart') ?? ''))
      .not.toContain(title)

    // Pays from the wallet.
    const pay = page.locator('#payment button.button--primary')
    await expect.poll(() => pay.isDisabled()).toBe(true)
    await page.getByRole('radio', { name: uiText(locale, 'common:methods.wallet') }).check()
    await expect.poll(() => pay.isEnabled()).toBe(true)
    await pay.click()
    const confirm = page.getByRole('dialog', { name: uiText(locale, 'checkout:confirm.title') })
    await expect.poll(() => confirm.textContent()).toContain(title)
    await confirmOrder(page, locale)
    await page.waitForURL(new RegExp(`${pathIn(locale, '/my-documents')}$`))
    await page.getByText(uiText(locale, 'library:page.purchased')).waitFor()
    expect(await shop.balanceOf(parent)).toBe(dinars(11.5))

    // Reads it: its pages as images, in a frame.
    await showTable(page, locale)
    await button(page, locale, 'library:page.preview').first().click()
    const pages = page.frameLocator('dialog iframe').locator('img')
    await pages.first().waitFor()
    await expect.poll(() => pages.count()).toBe(3)
    await expect
      .poll(() => pages.first().evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThanOrEqual(Math.min(...PAGE_WIDTHS))
    await page.keyboard.press('Escape')

    // Downloads it: the exact bytes, followed by the buyer's footer.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      downloadOfFirst(page, locale).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${title}.pdf`)
    const downloaded = await readFile(await download.path())
    expect(downloaded.subarray(0, pdf.length).equals(pdf)).toBe(true)

    // The document's page now offers reading instead of buying.
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await button(page, locale, 'cart:add.read').first().waitFor()
    await expect.poll(() => button(page, locale, 'cart:add.add').first().isVisible()).toBe(false)
  },
)

journeys('the main job', ({ locale, viewport }, test) => {
  const title = TITLES[locale]

  test('is charged only for the new documents when the cart contains an owned one', async () => {
    const owned = await shop.aDocument({ title: `${title} 3`, price: dinars(4) })
    const wanted = await shop.aDocument({ title: `${title} 4`, price: dinars(6) })
    const parent = await shop.aCustomer({ balance: dinars(30) })
    await shop.buys(parent, [owned.id])
    const { page } = await newVisitor(shop.url, { viewport, locale })
    await addAnonymously(page, locale, owned.id)
    await closeWalletIntro(page, locale)
    await addAnonymously(page, locale, wanted.id)
    await page.goto(`${pathIn(locale, '/login')}?returnTo=${pathIn(locale, '/checkout')}`)
    await logIn(page, locale, parent.email)
    await page.getByText(uiText(locale, 'checkout:items.owned')).first().waitFor()
    await page.getByRole('radio', { name: uiText(locale, 'common:methods.wallet') }).check()
    await page.locator('#payment button.button--primary').click()
    await confirmOrder(page, locale)
    await page.waitForURL(new RegExp(`${pathIn(locale, '/my-documents')}$`))
    const [beginning = ''] = uiText(locale, 'library:page.partlyPurchased').split('{{titles}}')
    const notice = page.getByText(beginning.trim())
    await notice.waitFor()
    await expect.poll(() => notice.textContent()).toContain(owned.title)
    await expect.poll(() => notice.textContent()).not.toContain(wanted.title)
    expect(await shop.balanceOf(parent)).toBe(dinars(20))
  })

  test('a teacher is refused with a modal, and no token is stored', async () => {
    const teacher = await shop.aTeacherAccount()
    const { page } = await newVisitor(shop.url, { viewport, locale, at: '/login' })
    await logIn(page, locale, teacher.email)
    const denied = page.getByRole('dialog')
    await denied.getByText(uiText(locale, 'account:login.denied.text')).waitFor()
    const office = link(denied, locale, 'account:login.denied.office')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeFalsy()
    await office.click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/login'))
    await page
      .getByRole('heading', { level: 1, name: uiText(locale, 'office-access:login.title') })
      .waitFor()
  })
})
