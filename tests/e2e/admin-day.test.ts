import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { fillText, priceText } from '../../src/i18n/format.ts'
import { dinars } from '../../src/rules/money.ts'
import type { OfficePath } from '../../src/rules/pages.ts'
import { readableReference } from '../../src/rules/payment-reference.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { purchase, requestPayout } from '../../src/server/money/money.ts'
import { atOffice, DESKTOP, PHONE, untilAwake } from '../support/browser.ts'
import { aPdf } from '../support/pdf.ts'
import { sharedShop } from '../support/stage.ts'
import { type KeyIn, said } from '../support/texts.ts'

// A day of one person who runs the shop, from what waits on the first page: what is urgent on a phone,
// the rest at a desk.
const shop = sharedShop()

const money = (key: KeyIn<'office-money'>) => said('ar', `office-money:${key}`)
const review = (key: KeyIn<'office-review'>) => said('ar', `office-review:${key}`)
const price = (amount: number) => priceText('ar', dinars(amount))

const main = (page: Page) => page.locator('main')
const dialog = (page: Page) => page.getByRole('dialog')
const success = (page: Page) => page.locator('.alert--success')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** From the first page of the office to where a kind of what waits is done, by its line. */
async function takeUp(page: Page, path: OfficePath): Promise<void> {
  await page.goto('/office')
  await page.locator(`.desk__kind h2 a[href="${path}"]`).first().click()
  await page.waitForURL(shop.url + path)
  await untilAwake(page)
}

/** From anywhere in the office to an entry of its menu at a desk. */
async function choose(page: Page, path: OfficePath): Promise<void> {
  await page.locator(`.office-menu:visible a[href="${path}"]`).click()
  await page.waitForURL(shop.url + path)
  await untilAwake(page)
}

/** The row of a list that is about this, found by the list's own search where it has one. */
async function rowOf(page: Page, words: string) {
  const search = main(page).getByRole('searchbox')
  if ((await search.count()) > 0) await search.fill(words)
  const row = main(page).locator('tbody tr', { hasText: words })
  await row.waitFor()
  return row
}

/** A document that was taken from sale, and that its teacher submits anew. */
async function aSubmittedDocument(title: string): Promise<void> {
  const teacher = await shop.anOfficeTeacher()
  const { id } = await shop.aDocument({
    title,
    teacherId: teacher.teacherId,
    price: dinars(8),
    file: aPdf(title, 1),
  })
  await shop.office('unpublish', String(id), '--reason', 'نسخة ناقصة')
  const { status } = await shop.send(teacher, 'POST', `/office/documents/${id}/submit`)
  expect(status).toBeLessThan(300)
}

/** A teacher's request for a payout of 60 TND, of what was sold long ago. */
async function aPayoutRequest(lastName: string): Promise<void> {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سامي', lastName })
  const buyer = await shop.aCustomer({ balance: dinars(100) })
  const { id } = await shop.aDocument({ teacherId: teacher.teacherId, price: dinars(100) })
  await transaction(shop.database, (tx) =>
    purchase(tx, { buyerId: buyer.id, documentIds: [id], at: new Date(0) }),
  )
  const { teacherId } = teacher
  await shop.database.kysely
    .insertInto('bankAccounts')
    .values({ teacherId, holder: lastName, rib: `${'0'.repeat(18)}97`, changedAt: new Date() })
    .execute()
  const request = { userId: teacher.id, teacherId, amount: dinars(60), at: Date.now() }
  await transaction(shop.database, (tx) => requestPayout(tx, request))
}

test('on a phone: what waits is reviewed, confirmed and answered', async () => {
  const title = 'مراجعة الجذور التربيعية'
  await aSubmittedDocument(title)
  const parent = await shop.aCustomer({ lastName: 'الورفلي' })
  const body = { userId: parent.id, amount: 25, paymentMethod: 'D17' }
  const { body: begun } = await shop.send(parent, 'POST', '/wallet/recharge/initiate', body)
  const administrator = await shop.anOfficeAdministrator()
  const someone = await atOffice(shop.url, administrator, { locale: 'ar', viewport: PHONE })
  const { page } = someone

  await takeUp(page, '/office/review')
  await (await rowOf(page, title)).getByRole('link').first().click()
  await page.getByRole('heading', { name: title, level: 2 }).waitFor()
  await press(page, review('page.accept.document'))
  await success(page).getByText(title).waitFor()
  await page.goto(`/shop?q=${encodeURIComponent(title)}`)
  await main(page).getByRole('link', { name: title }).first().waitFor()

  await takeUp(page, '/office/transfers')
  const transfer = await rowOf(page, readableReference(begun.paymentRef))
  await transfer.getByRole('button', { name: money('transfers.confirm.open') }).click()
  await press(page, fillText(money('transfers.confirm.submit'), { amount: price(25) }))
  await success(page).waitFor()
  expect(await shop.balanceOf(parent)).toBe(dinars(25))
  await someone.leave()
})

test('at a desk: an order is refunded, a teacher paid, and the day closed', async () => {
  const parent = await shop.aCustomer({ lastName: 'المثلوثي', balance: dinars(30) })
  const bought = await shop.aDocument({ price: dinars(12) })
  await shop.buys(parent, [bought.id])
  await aPayoutRequest('القاسمي')
  const administrator = await shop.anOfficeAdministrator({ firstName: 'هيفاء' })
  const someone = await atOffice(shop.url, administrator, { locale: 'ar', viewport: DESKTOP })
  const { page } = someone
  await page.goto('/office')

  await choose(page, '/office/orders')
  await (await rowOf(page, 'المثلوثي')).getByRole('link').first().click()
  await main(page)
    .getByRole('button', { name: money('order.refund.all') })
    .click()
  await dialog(page).getByLabel(money('common.reason')).fill('اشترت الوثيقة مرّتين')
  await press(page, fillText(money('order.refund.submit'), { amount: price(12) }))
  await success(page).waitFor()
  expect(await shop.balanceOf(parent)).toBe(dinars(30))

  await choose(page, '/office/teacher-payouts')
  const payout = await rowOf(page, 'القاسمي')
  await payout.getByRole('button', { name: money('payouts.record.open') }).click()
  await dialog(page).getByLabel(money('payouts.record.reference')).fill('VIR 2026-2041')
  await press(page, fillText(money('payouts.record.submit'), { amount: price(60) }))
  await success(page).waitFor()
  await expect.poll(() => payout.count()).toBe(0)

  await choose(page, '/office/closing')
  const sheet = main(page).getByRole('article')
  await sheet.getByText(money('closing.sound')).waitFor()
  const coming = page.waitForEvent('download')
  await press(page, money('closing.download'))
  expect((await coming).suggestedFilename()).toMatch(/\.csv$/)
  await press(page, money('closing.close'))
  await success(page).getByText(money('closing.done')).waitFor()
  await sheet.getByText('هيفاء').waitFor()
  expect(JSON.parse(await shop.office('ledger', 'check', '--json'))).toMatchObject({ sound: true })
  await someone.leave()
})
