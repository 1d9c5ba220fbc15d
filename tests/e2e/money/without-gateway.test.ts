import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
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
    const { page } = await loggedIn(shop.url, customer, { locale, viewport, at: '/charging' })
    await page.locator('.balance .price').waitFor()
    await expect.poll(() => choices(page)).toEqual(['d17'])
    await expect.poll(() => page.locator('input[name="method"]').isChecked()).toBe(true)
    await expect.poll(() => page.locator('.charge-panel__summary').innerText()).toContain('D17')
    // The payer sends the money from the D17 app, and is taken to no other site's page.
    const panel = await page.locator('.charge-panel').innerText()
    expect(panel).not.toContain(uiText(locale, 'charging:page.info.once'))
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
    await button(page.locator('main .buy'), locale, 'purchase:buy').click()
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

  test('with a bank account alone, which tops nothing up, no page offers a top-up', async () => {
    const d17 = async (value: object) => {
      const { groups } = JSON.parse(await shop.office('call', 'getOfficeFacts', '--json'))
      const typed = [`revision=${groups.d17.revision}`, `value=${JSON.stringify(value)}`]
      await shop.office('call', 'saveD17', ...typed, '--yes')
    }
    const { facts } = JSON.parse(await shop.office('call', 'getOfficeFacts', '--json'))
    await d17({ phone: '', holder: '' })
    try {
      const customer = await shop.aCustomer({ balance: dinars(2) })
      const { page } = await loggedIn(shop.url, customer, { locale, viewport })
      const topUp = () => page.locator(`a[href^="${pathIn(locale, '/charging')}?"]`).count()
      for (const [price, says] of [
        [4, 'purchase:modal.orderMore'],
        [14, 'purchase:withoutCards.bank_transfer.choice'],
      ] as const) {
        const document = await shop.aDocument({ title: `Alone ${locale}`, price: dinars(price) })
        await page.goto(pathIn(locale, `/shop-details/${document.id}`))
        await button(page.locator('main .buy'), locale, 'purchase:buy').click()
        const modal = page.getByRole('dialog', { name: uiText(locale, 'purchase:modal.title') })
        await modal.getByText(uiText(locale, says)).waitFor()
        expect(await topUp()).toBe(0)
      }
      await page.locator('dialog[open] .dialog__foot .button--primary').click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/checkout'))
      await page.locator('input[value="wallet"]').check()
      await page.getByText(uiText(locale, 'checkout:payment.noTopUps')).waitFor()
      expect(await topUp()).toBe(0)
      await page.goto(pathIn(locale, '/charging'))
      await page.getByText(uiText(locale, 'charging:page.notOpen')).waitFor()
    } finally {
      await d17(facts.d17)
    }
  })
})
