// Codes that lower prices, as buyers meet them: typed at checkout, brought by a link, ended meanwhile.
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { bareAmount, fillText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { CODE_KEY } from '../../../src/rules/storage-keys.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import {
  atCheckout,
  atDocuments,
  choice,
  confirm,
  lines,
  openCart,
  payButton,
  shopper,
} from '../../support/checkout.ts'
import { PASSWORD } from '../../support/people.ts'
import { buyNow, named } from '../../support/purchase-modal.ts'
import { button, dialogOf } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { addFirst, confirmOrder, logIn, logOut } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a discount code', ({ locale, viewport }, test) => {
  const persona = { locale, viewport }
  const text = (key: Parameters<typeof uiText>[1]) => uiText(locale, key)
  const field = (page: Page) => page.getByLabel(text('checkout:code.label'))
  const total = (page: Page) => page.locator('#payment .sum__total .price').last()
  const amount = (price: number) => bareAmount(locale, dinars(price))
  const kept = (page: Page) => page.evaluate((key) => localStorage.getItem(key), CODE_KEY)
  const expectTotal = (page: Page, price: number) =>
    expect.poll(() => total(page).innerText()).toBe(amount(price).replace('\u00a0', ' '))

  test('is typed by keyboard, wrong at first, and the wallet pays the price with it', async () => {
    const { code } = await shop.aCode({ percent: 25 })
    const allowed = [/status of 404/]
    const { page, customer } = await atCheckout(shop, persona, { price: 8, balance: 20, allowed })
    const fold = page.locator('.code-field > summary')
    await fold.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('no-such-code')
    await page.keyboard.press('Enter')
    await page.getByText(text('checkout:codes.code_unknown')).waitFor()
    expect(await field(page).getAttribute('aria-invalid')).toBe('true')
    await field(page).focus()
    await field(page).fill(` ${code.toLowerCase()}`)
    await page.keyboard.press('Enter')
    await button(page, locale, 'checkout:code.takeAway').waitFor()
    await expect.poll(() => lines(page).locator('s .price').innerText()).toContain('8')
    await expectTotal(page, 6)
    // Taken away and typed again: nothing is lost.
    await button(page, locale, 'checkout:code.takeAway').press('Enter')
    await expectTotal(page, 8)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('cart-items')
    await fold.click()
    await field(page).fill(code)
    await button(page, locale, 'checkout:code.apply').click()
    await expectTotal(page, 6)
    await confirm(page, locale, 'wallet')
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(14))
    expect(await kept(page)).toBeNull()

    // The receipt says what it was.
    const { body: orders } = await shop.send(customer, 'GET', `/orders/user/${customer.id}`)
    await page.goto(pathIn(locale, `/order?id=${orders[0].id}`))
    const receipt = page.locator('.receipt')
    await receipt.getByText(code).waitFor()
    const before = fillText(text('order:page.priceBefore'), { amount: amount(8) })
    await expect
      .poll(async () => (await receipt.innerText()).replaceAll(/[\u2068\u2069]/g, ''))
      .toContain(before)
  })

  test('comes by a link before a log-in, waits for it, and goes with a transfer', async () => {
    const { code } = await shop.aCode({ amount: dinars(5), leastTotal: dinars(15) })
    const document = await shop.aDocument({ title: `Link ${locale}`, price: dinars(20) })
    const customer = await shop.aCustomer()
    const { page } = await newVisitor(shop.url, persona)
    await page.goto(`${pathIn(locale, `/shop-details/${document.id}`)}?code=${code}&from=mail`)
    await page.waitForURL((url) => url.search === '?from=mail')
    expect(await kept(page)).toBe(code)
    await addFirst(page, locale)
    await openCart(page, locale)
    await page.locator('.code-field [role=status]').waitFor()
    await page.locator('#payment a').first().click()
    await logIn(page, locale, customer.email ?? '', PASSWORD)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/checkout'))
    await expectTotal(page, 15)
    await confirm(page, locale, 'bank_transfer')
    await page.waitForURL(/\/payment\/transfer\//)
    await page.getByText(amount(15).replace('\u00a0', ' ')).first().waitFor()
    expect(await kept(page)).toBeNull()
    // The order that waits says so.
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('.open-orders').getByText(code).waitFor()
  })

  test('that ends meanwhile: nothing is paid, its end is said, and the price is asked again', async () => {
    const { id, code } = await shop.aCode({ percent: 50 })
    const allowed = [/status of 409/]
    const { page, customer } = await atCheckout(shop, persona, { price: 8, balance: 20, allowed })
    await page.locator('.code-field > summary').click()
    await field(page).fill(code)
    await button(page, locale, 'checkout:code.apply').click()
    await expectTotal(page, 4)
    await choice(page, 'wallet').check()
    await payButton(page).click()
    const kysely = shop.database.kysely.updateTable('discountCodes').where('id', '=', id)
    await kysely.set({ stoppedAt: new Date() }).execute()
    await confirmOrder(page, locale)
    const dialog = await dialogOf(page, locale, 'checkout:confirm.changed.title')
    await dialog.getByText(text('checkout:codes.code_ended')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(20))
    await dialog.locator('.button--primary').click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(12))
    expect(await kept(page)).toBeNull()
  })

  test('of a teacher lowers the teacher’s documents alone, a bundle as one; without them it stays', async () => {
    const { teacherId } = await shop.anOfficeTeacher()
    const of = (title: string, price: number) =>
      shop.aDocument({ title: `${title} ${locale}`, price: dinars(price), teacherId })
    const paper = await of('Devoir', 6)
    const documents = [paper, await of('Corrigé', 4)]
    await shop.aBundle({ documents, price: dinars(8), teacherId })
    const { code } = await shop.aCode({ percent: 50, teacherId })
    const allowed = [/status of 409/]
    const { page, customer } = await shopper(shop, persona, { balance: 30, prices: [10], allowed })
    await page.goto(pathIn(locale, `/shop?code=${code}`))
    await openCart(page, locale)
    await page.getByText(text('checkout:codes.code_not_for_these')).waitFor()
    await expectTotal(page, 10)
    // The code is for what comes into the cart later.
    await page.goto(pathIn(locale, `/shop-details/${paper.id}`))
    await button(page, locale, 'document:bundle.addBoth').click()
    await page.getByText(text('document:bundle.added')).waitFor()
    await openCart(page, locale)
    // 10 of another teacher's, and half of 8 for the pair.
    await expectTotal(page, 14)
    expect(await lines(page).locator('s .price').count()).toBe(2)
    await confirm(page, locale, 'wallet')
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(16))
  })

  test('brought by a link buys one document at once, or costs nothing at all', async () => {
    const { code } = await shop.aCode({ percent: 25 })
    const { code: gift } = await shop.aCode({ percent: 100, usesPerPerson: 1 })
    const customer = await shop.aCustomer({ balance: dinars(20) })
    const [first, second] = [
      await shop.aDocument({ title: `Une ${locale}`, price: dinars(8) }),
      await shop.aDocument({ title: `Deux ${locale}`, price: dinars(30) }),
    ]
    const { page } = await loggedIn(shop.url, customer, persona)
    await page.goto(pathIn(locale, `/?code=${code}`))
    await page.waitForURL((url) => url.search === '')
    const modal = await buyNow(page, locale, first.id)
    await modal.getByText(code).waitFor()
    await expect.poll(() => modal.locator('s .price').innerText()).toContain('8')
    await named(modal, locale, 'modal.payWallet').click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(14))
    expect(await kept(page)).toBeNull()

    await page.goto(pathIn(locale, `/shop-details/${second.id}?code=${gift}`))
    await page.waitForURL((url) => url.search === '')
    const free = await buyNow(page, locale, second.id)
    await named(free, locale, 'modal.getFree').click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(14))
  })

  test('that is refused in the dialog says so, and does not outlive a log-out', async () => {
    const { code } = await shop.aCode({ percent: 25, endsAt: new Date(1) })
    const customer = await shop.aCustomer({ balance: dinars(20) })
    const document = await shop.aDocument({ price: dinars(8) })
    const allowed = [/status of 409/]
    const { page } = await loggedIn(shop.url, customer, { ...persona, allowed })
    await page.goto(pathIn(locale, `/teachers?code=${code}`))
    await page.waitForURL((url) => url.search === '')
    const modal = await buyNow(page, locale, document.id)
    await modal.getByText(code).waitFor()
    expect(await modal.locator('s').count()).toBe(0)
    await named(modal, locale, 'modal.payWallet').click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(12))
    // Not used, so not forgotten; the next person of this device does not have it.
    expect(await kept(page)).toBe(code)
    await logOut(page, locale)
    expect(await kept(page)).toBeNull()
  })
})
