import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { bareAmount } from '../../../src/i18n/format.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { atCheckout, atDocuments, choice, payButton } from '../../support/checkout.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { untilTablesLoaded } from '../../support/office-tables.ts'
import { aDocument, buyNow, modalOf, named } from '../../support/purchase-modal.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a price that is raised while somebody buys', ({ locale, viewport }, test) => {
  const allowed = [/status of 409/]
  const text = (key: KeyIn<'checkout'>) => uiText(locale, `checkout:${key}`)
  const button = (within: Page | Locator, name: string) =>
    within.getByRole('button', { name, exact: true })
  const amount = (price: number) => bareAmount(locale, dinars(price)).replace('\u00a0', ' ')
  const raise = async (document: number, price: number) => {
    const change = [`chosen.ids=${document}`, 'change.kind=price', `change.price=${price}`]
    const { id } = await shop.call('previewBulkChange', ...change)
    await shop.call('applyBulkChange', `id=${id}`, 'reason=Rentrée')
  }
  const isFocused = (locator: Locator) => hasFocus(locator)
  /** The texts of the struck and the other prices in a part of the page. */
  const pricesIn = async (part: Locator) => ({
    old: await part.locator('s .price').allTextContents(),
    now: await part.locator('.price:not(s .price)').allTextContents(),
  })

  /** Confirms a cart whose document has become dearer; returns the dialog that asks again. */
  async function confirmRaised({ price, balance }: { price: number; balance: number }) {
    const opened = await atCheckout(shop, { locale, viewport }, { price: 5, balance, allowed })
    const { page, document } = opened
    await choice(page, 'wallet').check()
    await payButton(page).click()
    await raise(document.id, price)
    await button(page, text('confirm.yes')).click()
    const dialog = page.getByRole('dialog', { name: text('confirm.changed.title') })
    await dialog.waitFor()
    return { ...opened, dialog }
  }

  test('in the checkout: the old price is not paid, the new one only once it is confirmed', async () => {
    const { page, dialog, customer } = await confirmRaised({ price: 50, balance: 60 })
    const alert = dialog.getByRole('alert')
    expect(await alert.textContent()).toBe(text('confirm.changed.text'))
    await expect.poll(() => isFocused(alert)).toBe(true)
    expect(await pricesIn(dialog.locator('.confirm-list'))).toEqual({
      old: [amount(5)],
      now: [amount(50)],
    })
    expect(await pricesIn(dialog.locator('.sum__total'))).toEqual({
      old: [amount(5)],
      now: [amount(50)],
    })
    expect((await pricesIn(dialog.locator('.wallet-change'))).now).toEqual([amount(60), amount(10)])
    await untilTablesLoaded(page)
    expect(await shop.balanceOf(customer)).toBe(dinars(60))

    // Declined by keyboard, the focus is where it was, and the page shows the new price.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(payButton(page))).toBe(true)
    expect((await pricesIn(page.locator('.line-items'))).now).toEqual([amount(50)])
    expect(await payButton(page).textContent()).toContain(bareAmount(locale, dinars(50)))
    expect(await shop.balanceOf(customer)).toBe(dinars(60))

    // Asked for the first time again, at the new price.
    await payButton(page).press('Enter')
    const asked = page.getByRole('dialog', { name: text('confirm.title') })
    expect(await asked.locator('s').count()).toBe(0)
    await button(asked, text('confirm.yes')).click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(10))
  })

  test('in the checkout: confirmed at the new price, which a double click does not do', async () => {
    const { page, dialog, customer } = await confirmRaised({ price: 8, balance: 9 })
    const pay = dialog.locator('.dialog__foot .button--primary')
    expect(await pay.textContent()).toContain(bareAmount(locale, dinars(8)))
    await pay.dispatchEvent('click', { detail: 2 })
    await expect.poll(() => pay.isEnabled()).toBe(true)
    expect(await shop.balanceOf(customer)).toBe(dinars(9))
    await pay.click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(1))
  })

  test('in the checkout: the balance no longer suffices', async () => {
    const { page, dialog, customer } = await confirmRaised({ price: 50, balance: 40 })
    await dialog.getByText(text('payment.short')).waitFor()
    expect(await dialog.locator('.dialog__foot .button--primary').count()).toBe(0)
    await untilTablesLoaded(page)
    await dialog.getByRole('link', { name: text('payment.topUp') }).click()
    await page.waitForURL(/\/charging\?/)
    expect(new URL(page.url()).searchParams.get('documentPrice')).toBe('50')
    expect(await shop.balanceOf(customer)).toBe(dinars(40))
  })

  test('in the dialog of one document: asked again at the new price, which the page then shows', async () => {
    const customer = await shop.aCustomer({ balance: dinars(9) })
    const document = await aDocument(shop, locale, 4)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport, allowed })
    const modal = await buyNow(page, locale, document.id)
    await raise(document.id, 6)
    await named(modal, locale, 'modal.payWallet').click()
    const asked = page.getByRole('dialog', {
      name: uiText(locale, 'purchase:modal.changed.title'),
    })
    await asked.getByRole('alert').waitFor()
    const sums = asked.locator('.dialog__sums')
    expect((await pricesIn(sums)).old).toEqual([amount(4)])
    await expect
      .poll(async () => (await pricesIn(sums)).now)
      .toEqual([amount(6), amount(9), amount(3)])
    await untilTablesLoaded(page)
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    expect(await shop.balanceOf(customer)).toBe(dinars(9))

    const box = page.locator('main .buy')
    expect(await box.locator('.price-tag .price').textContent()).toBe(bareAmount(locale, dinars(6)))
    await named(box, locale, 'buy').click()
    const again = modalOf(page, locale)
    await expect
      .poll(async () => (await pricesIn(again.locator('.dialog__sums'))).now)
      .toEqual([amount(6), amount(9), amount(3)])
    await named(again, locale, 'modal.payWallet').click()
    await atDocuments(page, locale)
    expect(await shop.balanceOf(customer)).toBe(dinars(3))
  })
})
