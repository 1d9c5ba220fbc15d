import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DESKTOP, newVisitor } from '../../support/browser.ts'
import { expectFocusTrapped, hasFocus, tabTo, unmarkedFocus } from '../../support/keyboard.ts'
import { aPdf } from '../../support/pdf.ts'
import { PASSWORD } from '../../support/people.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type TextKey, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const SEARCHES = {
  ar: { title: 'مراجعة المثلّثات القائمة', search: 'المثلثات القايمه' },
  fr: { title: 'Révision des triangles rectangles', search: 'triangles revision' },
}

journeys('by keyboard alone', ({ locale }, test) => {
  const { title, search } = SEARCHES[locale]
  test('from the skip link to reading a purchase', async () => {
    const document = await shop.aDocument({ title, price: dinars(6), file: aPdf(title, 1) })
    const parent = await shop.aCustomer({ balance: dinars(20) })
    const { page } = await newVisitor(shop.url, { locale, viewport: DESKTOP })
    const button = (key: TextKey) => page.getByRole('button', { name: uiText(locale, key) })
    const dialog = (key: TextKey) => page.getByRole('dialog', { name: uiText(locale, key) })

    // The first tab stop skips the header.
    await page.goto(pathIn(locale, '/'))
    await page.keyboard.press('Tab')
    await expect.poll(() => hasFocus(page.locator('.skip'))).toBe(true)
    expect(await unmarkedFocus(page)).toBeNull()
    await page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(page.locator('#main'))).toBe(true)
    await page.keyboard.press('Tab')
    await expect
      .poll(() =>
        page.locator('#main').evaluate((main) => main.contains(main.ownerDocument.activeElement)),
      )
      .toBe(true)

    // Search.
    await page.goto(pathIn(locale, '/'))
    await tabTo(page, page.getByRole('combobox').and(page.locator(':visible')).first())
    await page.keyboard.type(search)
    await page.keyboard.press('Enter')
    const found = page.locator('main').getByRole('link', { name: title })
    await tabTo(page, found)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/shop-details/${document.id}$`))

    // Adds to the cart; each dialog traps the focus and restores it.
    const add = page.locator('main .add-to-cart button:visible').first()
    await tabTo(page, add)
    await page.keyboard.press('Enter')
    const prompt = dialog('cart:overlays.anonymous.title')
    await expectFocusTrapped(page, prompt)
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(add)).toBe(true)
    await page.keyboard.press('Enter')
    await tabTo(page, button('cart:overlays.anonymous.continue'))
    await page.keyboard.press('Enter')
    const intro = dialog('cart:overlays.walletIntro.title')
    await expectFocusTrapped(page, intro)
    await tabTo(page, button('cart:overlays.walletIntro.ok'))
    await page.keyboard.press('Space')
    await intro.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(add)).toBe(true)

    // The same button now opens the cart, which asks for a log-in.
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/checkout$/)
    await tabTo(
      page,
      page
        .locator('#payment')
        .getByRole('link', { name: uiText(locale, 'checkout:login.login'), exact: true }),
    )
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel(uiText(locale, 'account:login.username')))
    await page.keyboard.type(parent.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/checkout$/)

    // Pays, after a confirmation.
    await tabTo(page, page.getByRole('radio', { name: uiText(locale, 'common:methods.wallet') }))
    await page.keyboard.press('Space')
    const pay = page.locator('#payment button.button--primary')
    await expect.poll(() => pay.isEnabled()).toBe(true)
    await tabTo(page, pay)
    await page.keyboard.press('Enter')
    const confirm = dialog('checkout:confirm.title')
    await expectFocusTrapped(page, confirm)
    await page.keyboard.press('Escape')
    await confirm.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(pay)).toBe(true)
    await page.keyboard.press('Enter')
    await tabTo(page, confirm.getByRole('button', { name: uiText(locale, 'checkout:confirm.yes') }))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/my-documents$/)

    // Reads it, and closes the reader with its button.
    const read = button('library:page.preview').first()
    await tabTo(page, read)
    await page.keyboard.press('Enter')
    const reader = page.getByRole('dialog')
    await page.frameLocator('dialog iframe').locator('img').first().waitFor()
    const close = reader.getByRole('button', { name: uiText(locale, 'cart:dialog.close') })
    if (!(await hasFocus(close))) await tabTo(page, close)
    await page.keyboard.press('Enter')
    await reader.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(read)).toBe(true)
    expect(await shop.balanceOf(parent)).toBe(dinars(14))
  })

  test('the shop: filters, pages and the language picker', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport: DESKTOP, at: '/shop' })
    const picker = page.locator('.picker__button:visible').first()
    await tabTo(page, picker)
    await page.keyboard.press('Enter')
    await page.locator('.picker__list:visible').first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.locator('.picker__list:visible').first().waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus(picker)).toBe(true)

    const bands = page.locator('.pill input[name="price"]')
    await tabTo(page, bands.first())
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => hasFocus(bands.nth(1))).toBe(true)
    expect(await unmarkedFocus(page)).toBeNull()
    await page.waitForURL(/price=|minPrice=/)
    await page.goto(pathIn(locale, '/shop'))
    const next = page.locator('.pager__step[rel="next"]')
    await tabTo(page, next)
    await page.keyboard.press('Enter')
    await page.waitForURL(/page=2/)
  })
})
