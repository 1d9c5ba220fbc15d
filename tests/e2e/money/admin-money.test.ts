import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { searchList, untilTablesLoaded } from '../../support/office-tables.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-money'>) => uiText(locale, `office-money:${key}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const success = (page: Page) => page.locator('.alert--success')
  const dialog = (page: Page) => page.getByRole('dialog')
  /** An administrator on this page of the office. */
  const open = async (path: `/office/${string}`) => {
    const administrator = await shop.anOfficeAdministrator()
    const visitor = await atOffice(shop.url, administrator, { locale, viewport })
    await visitor.page.goto(inLanguage(locale, path))
    await untilHydrated(visitor.page)
    return visitor
  }
  /** Confirms the dialog without a reason first, which it then asks for. */
  const confirmWithReason = async (page: Page, submit: string) => {
    await button(page, submit).click()
    await dialog(page).getByText(uiText(locale, 'office:confirm.reason.missing')).waitFor()
    await untilTablesLoaded(page)
    await dialog(page)
      .getByLabel(uiText(locale, 'office:confirm.reason.label'))
      .fill('Erreur de saisie')
    await button(page, submit).click()
    await dialog(page).waitFor({ state: 'detached' })
  }
  const price = (amount: number) => priceText(locale, dinars(amount))

  test('confirms a transfer that has arrived', async () => {
    const customer = await shop.aCustomer({ lastName: `Khelil ${locale}` })
    const body = { userId: customer.id, amount: 31.5, paymentMethod: 'D17' }
    const { body: begun } = await shop.send(customer, 'POST', '/wallet/recharge/initiate', body)
    const { page } = await open('/office/transfers')
    await searchList(page, readableReference(begun.paymentRef, 'KR'))
    const row = page.locator('main tbody tr', { hasText: `Khelil ${locale}` })
    await row.waitFor()
    await untilTablesLoaded(page)
    await row.getByRole('button', { name: text('transfers.confirm.open') }).click()
    await dialog(page).waitFor()
    await untilTablesLoaded(page)
    const submit = fillText(text('transfers.confirm.submit'), { amount: price(31.5) })
    await confirmWithReason(page, submit)
    await success(page).waitFor()
    await expect.poll(() => row.count()).toBe(0)
    expect(await shop.balanceOf(customer)).toBe(dinars(31.5))
  })

  test('refunds one document of an order, with a reason', async () => {
    const customer = await shop.aCustomer({ balance: dinars(20) })
    const kept = await shop.aDocument({ title: `Gardé ${locale}`, price: dinars(4) })
    const returned = await shop.aDocument({ title: `Rendu ${locale}`, price: dinars(6) })
    await shop.buys(customer, [kept.id, returned.id])
    const { id } = await shop.database.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', customer.id)
      .executeTakeFirstOrThrow()
    const { page } = await open(`/office/order?id=${id}`)
    const row = page.locator('main tbody tr', { hasText: returned.title })
    const refund = row.getByRole('button', { name: text('order.item.refund') })
    await refund.waitFor()
    await untilTablesLoaded(page)
    await refund.click()
    await confirmWithReason(page, fillText(text('order.refund.submit'), { amount: price(6) }))
    await success(page).waitFor()
    await expect.poll(() => refund.count()).toBe(0)
    await button(page, text('order.refund.rest')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(16))
    await untilTablesLoaded(page)
  })

  test('adjusts a wallet, and only proposes amounts above the limit', async () => {
    const customer = await shop.aCustomer({ balance: dinars(9) })
    const { page } = await open(`/office/wallet?id=${customer.id}`)
    const amount = page.getByLabel(text('adjust.amount'))
    const left = (sum: number) =>
      page.locator('main').getByText(fillText(text('adjust.left'), { left: price(sum) }))
    await left(200).waitFor()
    await amount.fill('5,555')
    await button(page, text('adjust.next')).click()
    await page.getByText(text('common.mistakes.thirdDecimal')).waitFor()
    await untilTablesLoaded(page)
    await amount.fill('five')
    await button(page, text('adjust.next')).click()
    await page.getByText(text('common.mistakes.amount')).waitFor()
    await page.getByLabel(text('adjust.way')).selectOption('take')
    await amount.fill('\u200f5,500\u00a0DT')
    await button(page, text('adjust.next')).click()
    await confirmWithReason(page, fillText(text('adjust.submitTake'), { amount: price(5.5) }))
    await success(page).getByText(text('adjust.made')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(3.5))

    // Less than the limit, but more than what is left of it.
    await left(194.5).waitFor()
    await page.getByLabel(text('adjust.way')).selectOption('give')
    await amount.fill('195')
    await button(page, text('adjust.next')).click()
    await dialog(page)
      .getByText(fillText(text('adjust.second'), { left: price(194.5) }))
      .waitFor()
    await confirmWithReason(page, fillText(text('adjust.submitGive'), { amount: price(195) }))
    await success(page).getByText(uiText(locale, 'office-acts:waits.text')).waitFor()
    await button(page, uiText(locale, 'office-acts:page.withdraw')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(3.5))
    await untilTablesLoaded(page)
  })
})
