import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { closeBrowser, DESKTOP, PHONE, type Visitor, visitor } from '../support/browser.ts'
import type { Person } from '../support/people.ts'
import { type OpenShop, openShop } from '../support/shop.ts'
import { said } from '../support/texts.ts'

let shop: OpenShop

beforeAll(async () => {
  shop = await openShop({ PAYMENT_PROVIDER: 'none' })
})
afterAll(async () => {
  await closeBrowser()
  await shop.close()
})

const people = [
  { who: 'in Arabic on a phone', locale: 'ar', viewport: PHONE },
  { who: 'in French on a desktop', locale: 'fr', viewport: DESKTOP },
] as const

async function loggedIn(
  person: Person,
  options: { locale: Locale; viewport: { width: number; height: number } },
): Promise<Visitor> {
  const someone = await visitor(shop.url, options)
  await someone.page.goto('/robots.txt')
  await someone.page.evaluate((token) => localStorage.setItem('token', token), person.token)
  return someone
}

const choices = (page: Page) =>
  page
    .locator('input[name="method"]')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

describe.each(people)('a shop without a gateway $who', ({ locale, viewport }) => {
  test('tops up by D17, which is chosen already', async () => {
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const someone = await loggedIn(customer, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, '/charging'))
    await page.locator('.balance .price').waitFor()
    expect(await choices(page)).toEqual(['d17'])
    expect(await page.locator('input[name="method"]').isChecked()).toBe(true)
    expect(await page.locator('.charge-panel__summary').innerText()).toContain('D17')
    await page.locator('.charge-panel button[type="submit"]').click()
    await page.waitForURL(/\/payment\/transfer/)
    const { reference } = await shop.database.kysely
      .selectFrom('payments')
      .select('reference')
      .where('userId', '=', customer.id)
      .executeTakeFirstOrThrow()
    await shop.office('confirm', reference)
    expect(await shop.balanceOf(customer)).toBe(dinars(13))
    await someone.leave()
  })

  test('a large document that the wallet cannot pay is ordered in the checkout', async () => {
    const customer = await shop.aCustomer({ balance: dinars(2) })
    const document = await shop.aDocument({ title: `Ordered ${locale}`, price: dinars(12) })
    const someone = await loggedIn(customer, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await page
      .locator('main .buy')
      .getByRole('button', { name: said(locale, 'purchase:buy') })
      .click()
    const modal = page.getByRole('dialog', { name: said(locale, 'purchase:modal.title') })
    await modal.getByText(said(locale, 'purchase:withoutCards.choice')).waitFor()
    expect(await modal.getByText(said(locale, 'purchase:modal.choice')).count()).toBe(0)
    const order = modal.locator('.dialog__foot .button--primary')
    expect(await order.innerText()).toContain('D17')
    await order.click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/checkout'))
    await page.locator('.line-item').getByText(document.title).waitFor()
    await page.locator('input[name="method"]').first().waitFor()
    expect(await choices(page)).toEqual(['wallet', 'bank_transfer', 'd17'])
    await page.locator('input[value="d17"]').check()
    await page.locator('#payment .button--primary').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: said(locale, 'checkout:confirm.yes') })
      .click()
    await page.waitForURL(/\/payment\/transfer/)
    await someone.leave()
  })
})
