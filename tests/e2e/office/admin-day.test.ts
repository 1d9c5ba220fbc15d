// @everyday: an administrator answers, confirms and reviews.

import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { inEachLanguage } from '../../../src/rules/languages.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { OfficePath } from '../../../src/rules/pages.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { purchase, requestPayout } from '../../../src/server/money/money.ts'
import { userActor } from '../../../src/server/staff-log/staff-log.ts'
import { atOffice, DESKTOP, loggedIn, PHONE, untilHydrated } from '../../support/browser.ts'
import { writeToShop } from '../../support/chat-page.ts'
import { searchList } from '../../support/office-tables.ts'
import { aPdf } from '../../support/pdf.ts'
import { shopForFile } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

// A day of an administrator who runs the shop alone: the urgent tasks, from the first page's list,
// on a phone; the rest, by the menu, on a desktop.
const shop = shopForFile()

const money = (key: KeyIn<'office-money'>) => uiText('ar', `office-money:${key}`)
const review = (key: KeyIn<'office-review'>) => uiText('ar', `office-review:${key}`)
const catalogue = (key: KeyIn<'office-catalogue'>) => uiText('ar', `office-catalogue:${key}`)
const price = (amount: number) => priceText('ar', dinars(amount))

const main = (page: Page) => page.locator('main')
const dialog = (page: Page) => page.getByRole('dialog')
const success = (page: Page) => page.locator('.alert--success')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const publicText = async (path: string) => (await fetch(shop.url + path)).text()

/** From the first page of the office to the page of a kind of pending task, by its line. */
async function openTask(page: Page, path: OfficePath): Promise<void> {
  await page.goto('/office')
  await page.locator(`.desk__kind h2 a[href="${path}"]`).first().click()
  await page.waitForURL(shop.url + path)
  await untilHydrated(page)
}

/** From anywhere in the office to an entry of its menu on a desktop. */
async function openMenuEntry(page: Page, path: OfficePath): Promise<void> {
  const entry = page.locator(`.office-menu a[href="${path}"]`)
  const group = page.locator('details.office-menu__group:not([open])', {
    has: page.locator(`a[href="${path}"]`),
  })
  if ((await group.count()) > 0) await group.locator('summary').click()
  await entry.click()
  await page.waitForURL(shop.url + path)
  await untilHydrated(page)
}

/** The row of a list that contains these words, found by the list's own search where it has one. */
async function rowOf(page: Page, words: string) {
  if ((await main(page).getByRole('searchbox').count()) > 0) await searchList(page, words)
  const row = main(page).locator('tbody tr', { hasText: words })
  await row.waitFor()
  return row
}

/** A document that was taken down, and that its teacher has submitted again. */
async function aSubmittedDocument(title: string): Promise<void> {
  const teacher = await shop.anOfficeTeacher()
  const { id } = await shop.aDocument({
    title,
    teacherId: teacher.teacherId,
    price: dinars(8),
    file: aPdf(title, 1),
  })
  const chosen = [`chosen.ids=${id}`, 'change.kind=unpublish']
  const change = await shop.call('previewBulkChange', ...chosen)
  await shop.call('applyBulkChange', `id=${change.id}`, 'reason=نسخة ناقصة')
  const { status } = await shop.send(teacher, 'POST', `/office/documents/${id}/submit`)
  expect(status).toBeLessThan(300)
}

/** A teacher's request for a payout of 60 TND, for sales of long ago. */
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
  const request = { actor: userActor(teacher.id), teacherId, amount: dinars(60), at: Date.now() }
  await transaction(shop.database, (tx) => requestPayout(tx, request))
}

test('on a phone: pending tasks are reviewed, confirmed and answered', async () => {
  const title = 'مراجعة الجذور التربيعية'
  await aSubmittedDocument(title)
  const parent = await shop.aCustomer({ lastName: 'الورفلي' })
  const body = { userId: parent.id, amount: 25, paymentMethod: 'D17' }
  const { body: begun } = await shop.send(parent, 'POST', '/wallet/recharge/initiate', body)
  await writeToShop(shop, parent, 'متى يصل شحن محفظتي؟')
  const administrator = await shop.anOfficeAdministrator()
  const { page } = await atOffice(shop.url, administrator, { locale: 'ar', viewport: PHONE })

  await openTask(page, '/office/review')
  await (await rowOf(page, title)).getByRole('link').first().click()
  await page.getByRole('heading', { name: title, level: 2 }).waitFor()
  await press(page, review('page.accept.document'))
  await success(page).getByText(title).waitFor()
  await page.goto(`/shop?q=${encodeURIComponent(title)}`)
  await main(page).getByRole('link', { name: title }).first().waitFor()

  await openTask(page, '/office/transfers')
  const transfer = await rowOf(page, readableReference(begun.paymentRef, 'KR'))
  await transfer.getByRole('button', { name: money('transfers.confirm.open') }).click()
  await dialog(page)
    .getByLabel(uiText('ar', 'office:confirm.reason.label'))
    .fill('وصل المبلغ إلى الحساب')
  await press(page, fillText(money('transfers.confirm.submit'), { amount: price(25) }))
  await success(page).waitFor()
  expect(await shop.balanceOf(parent)).toBe(dinars(25))

  await openTask(page, '/office/conversations')
  await main(page).getByRole('searchbox').fill('الورفلي')
  await page.locator('.inbox__room', { hasText: 'الورفلي' }).click()
  await page.locator('.message', { hasText: 'متى يصل' }).waitFor()
  await page.locator('.composer__text').fill('وصل الآن، شكرًا على صبرك.')
  await page.locator('.composer button[type="submit"]').click()
  const asParent = await loggedIn(shop.url, parent, { locale: 'ar', viewport: PHONE })
  await asParent.page.goto('/chat')
  await asParent.page.getByText('وصل الآن').filter({ visible: true }).first().waitFor()
  await asParent.leave()
})

test('on a desktop: refunds an order, features a document, edits an answer, pays a teacher, closes the day', async () => {
  const parent = await shop.aCustomer({ lastName: 'المثلوثي', balance: dinars(30) })
  const bought = await shop.aDocument({ price: dinars(12) })
  await shop.buys(parent, [bought.id])
  await aPayoutRequest('القاسمي')
  const administrator = await shop.anOfficeAdministrator({ firstName: 'هيفاء' })
  const { page } = await atOffice(shop.url, administrator, { locale: 'ar', viewport: DESKTOP })
  await page.goto('/office')

  await openMenuEntry(page, '/office/orders')
  await (await rowOf(page, 'المثلوثي')).getByRole('link').first().click()
  await main(page)
    .getByRole('button', { name: money('order.refund.all') })
    .click()
  await dialog(page)
    .getByLabel(uiText('ar', 'office:confirm.reason.label'))
    .fill('اشترت الوثيقة مرّتين')
  await press(page, fillText(money('order.refund.submit'), { amount: price(12) }))
  await success(page).waitFor()
  expect(await shop.balanceOf(parent)).toBe(dinars(30))

  await openMenuEntry(page, '/office/featured')
  const title = 'تلخيص الهندسة الفضائيّة'
  await shop.aDocument({ title })
  await main(page).getByRole('searchbox').fill('الهندسة الفضائية')
  await page.keyboard.press('Enter')
  await press(page, fillText(catalogue('featured.addOne'), { name: title }))
  await press(page, catalogue('featured.save'))
  await page.locator('.save-order').waitFor({ state: 'detached' })
  await expect.poll(() => publicText('/')).toContain(title)

  await openMenuEntry(page, '/office/site-pages')
  await main(page).locator('a[href="/office/site-page?name=faq"]').click()
  await untilHydrated(page)
  await main(page).locator('.site-fold > summary').first().click()
  const inLanguages = inEachLanguage((each) => `Within an hour (${each}).`)
  for (const [locale, answer] of Object.entries(inLanguages)) {
    await main(page)
      .locator(`textarea[name^="items."][name$=".${locale}.text"]`)
      .first()
      .fill(answer)
  }
  await press(page, uiText('ar', 'office-site:editor.save'))
  await main(page)
    .locator('.save-state', { hasText: uiText('ar', 'office:form.saved') })
    .waitFor()
  for (const locale of LOCALES) {
    await expect.poll(() => publicText(pathIn(locale, '/faq'))).toContain(inLanguages[locale])
  }

  await openMenuEntry(page, '/office/teacher-payouts')
  const payout = await rowOf(page, 'القاسمي')
  await payout.getByRole('button', { name: money('payouts.record.open') }).click()
  await dialog(page).getByLabel(money('payouts.record.reference')).fill('VIR 2026-2041')
  await press(page, fillText(money('payouts.record.submit'), { amount: price(60) }))
  await success(page).waitFor()
  await expect.poll(() => payout.count()).toBe(0)

  await openMenuEntry(page, '/office/closing')
  const sheet = main(page).getByRole('article')
  await sheet.getByText(money('closing.sound')).waitFor()
  const coming = page.waitForEvent('download')
  await press(page, money('closing.download'))
  expect((await coming).suggestedFilename()).toMatch(/\.csv$/)
  await press(page, money('closing.close'))
  await success(page).getByText(money('closing.done')).waitFor()
  await sheet.getByText('هيفاء').first().waitFor()
  expect(JSON.parse(await shop.office('ledger', 'check', '--json'))).toMatchObject({ sound: true })
})
