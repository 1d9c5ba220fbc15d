import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { journeys, shopForFile } from '../../support/stage.ts'
import { confirmOrder } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = shopForFile({ PAYMENT_PROVIDER: 'none' })

const choices = (page: Page) =>
  page
    .locator('input[name="method"]')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

journeys('a shop without a gateway', ({ locale, viewport }, test) => {
  test('tops up by D17, which is preselected', async () => {
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await page.goto(pathIn(locale, '/charging'))
    await page.locator('.balance .price').waitFor()
    await expect.poll(() => choices(page)).toEqual(['d17'])
    await expect.poll(() => page.locator('input[name="method"]').isChecked()).toBe(true)
    await expect.poll(() => page.locator('.charge-panel__summary').innerText()).toContain('D17')
    await page.locator('.charge-panel button[type="submit"]').click()
    await page.waitForURL(/\/payment\/transfer/)
    const { reference } = await shop.database.kysely
      .selectFrom('payments')
      .select('reference')
      .where('userId', '=', customer.id)
      .executeTakeFirstOrThrow()
    await shop.office('confirm', reference)
    expect(await shop.balanceOf(customer)).toBe(dinars(13))
  })

  test('a large document that the wallet cannot pay is ordered in the checkout', async () => {
    const customer = await shop.aCustomer({ balance: dinars(2) })
    const document = await shop.aDocument({ title: `Ordered ${locale}`, price: dinars(12) })
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await page
      .locator('main .buy')
      .getByRole('button', { name: uiText(locale, 'purchase:buy') })
      .click()
    const modal = page.getByRole('dialog', { name: uiText(locale, 'purchase:modal.title') })
    await modal.getByText(uiText(locale, 'purchase:withoutCards.both.choice')).waitFor()
    await expect
      .poll(() => modal.getByText(uiText(locale, 'purchase:modal.choice')).count())
      .toBe(0)
    const order = modal.locator('.dialog__foot .button--primary')
    await expect.poll(() => order.innerText()).toContain('D17')
    await order.click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/checkout'))
    await page.locator('.line-item').getByText(document.title).waitFor()
    await page.locator('input[name="method"]').first().waitFor()
    await expect.poll(() => choices(page)).toEqual(['wallet', 'bank_transfer', 'd17'])
    await page.locator('input[value="d17"]').check()
    await page.locator('#payment .button--primary').click()
    await confirmOrder(page, locale)
    await page.waitForURL(/\/payment\/transfer/)
  })
})
