import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DEFAULT_HOLD_DAYS, payableFrom } from '../../../src/rules/payouts.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { bookPayout, requestPayout } from '../../../src/server/money/money.ts'
import { atOffice, loggedIn, untilHydrated } from '../../support/browser.ts'
import { atCheckout, atDocuments, choice, payButton } from '../../support/checkout.ts'
import { showTable } from '../../support/library.ts'
import { searchList, untilTablesLoaded } from '../../support/office-tables.ts'
import { buyNow, named } from '../../support/purchase-modal.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, shopForFile } from '../../support/stage.ts'
import { confirmOrder } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

// Binding terms, and the facts about taxes, are those of the whole shop.
const shop = shopForFile()

const LEGAL = {
  name: 'Karras SARL',
  taxNumber: '1282182W/A/M/000',
  register: '1282182W',
  vatRate: '19',
  stamp: '1,000',
}

journeys('papers', ({ locale, viewport }, test) => {
  const money = (key: KeyIn<'office-money'>) => uiText(locale, `office-money:${key}`)
  const office = async (path: `/office/${string}`) => {
    const administrator = await shop.anOfficeAdministrator()
    const { page } = await atOffice(shop.url, administrator, { locale, viewport, at: path })
    await untilHydrated(page)
    return page
  }
  const exact = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const downloaded = async (page: Page, press: () => Promise<void>) => {
    const coming = page.waitForEvent('download')
    await press()
    const file = await coming
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }

  test('the office states the taxes; a buyer asks for an invoice, and a refund makes a credit note', async () => {
    const facts = await office('/office/facts#legal')
    const form = facts.locator('#legal form')
    for (const [name, value] of Object.entries(LEGAL)) {
      await form.locator(`[name="${name}"]`).fill(value)
    }
    await form.locator('[name="taxNumber"]').fill('1282182X/A/M/000')
    await form.locator('button[type="submit"]').click()
    await facts.getByText(uiText(locale, 'office-site:mistakes.taxNumber')).waitFor()
    await form.locator('[name="taxNumber"]').fill(LEGAL.taxNumber)
    await form.locator('button[type="submit"]').click()
    await expect
      .poll(async () => (await (await fetch(`${shop.url}/api/site/facts`)).json()).legal)
      .toMatchObject({ ...LEGAL, stamp: '1.00' })

    const buyer = await shop.aCustomer({ balance: dinars(50), firstName: 'Amal' })
    const document = await shop.aDocument({ title: `Facturé ${locale}`, price: dinars(12.5) })
    await shop.buys(buyer, [document.id])
    const { id } = await shop.database.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    const { page } = await loggedIn(shop.url, buyer, {
      locale,
      viewport,
      allowed: [/status of 400/],
    })
    await page.goto(pathIn(locale, '/my-documents'))
    await showTable(page, locale)
    await page.locator('[data-purchased] [aria-haspopup=dialog]').click()
    await page
      .locator(`dialog[open] a[href="${pathIn(locale, '/order')}?id=${id}#invoice"]`)
      .click()
    await page.getByText(LEGAL.taxNumber).waitFor()
    await button(page, locale, 'invoice:page.ask').click()
    const submit = button(page, locale, 'invoice:page.submit')
    await submit.click()
    await page.getByText(uiText(locale, 'invoice:page.mistakes.required')).first().waitFor()
    await page.getByLabel(uiText(locale, 'invoice:page.address')).fill('4, rue de Sfax, Tunis')
    await submit.click()
    const download = button(page, locale, 'invoice:page.download')
    const invoice = await downloaded(page, () => download.click())
    expect(invoice.name).toMatch(/^20\d\d-\d{6}\.pdf$/)
    expect(invoice.bytes.subarray(0, 5).toString()).toBe('%PDF-')

    const order = await office(`/office/order?id=${id}`)
    await order.getByRole('button', { name: money('order.refund.all') }).click()
    await order
      .getByRole('dialog')
      .getByLabel(uiText(locale, 'office:confirm.reason.label'))
      .fill('Erreur de saisie')
    const amount = priceText(locale, dinars(12.5))
    await exact(order, fillText(money('order.refund.submit'), { amount })).click()
    await order.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await expect.poll(() => download.count()).toBe(2)
    const note = await downloaded(page, () => download.last().click())
    expect(note.bytes.equals(invoice.bytes)).toBe(false)

    const list = await office('/office/invoices')
    await untilTablesLoaded(list)
    const csv = await downloaded(list, () => exact(list, money('invoices.export')).click())
    const lines = csv.bytes
      .toString()
      .split('\r\n')
      .filter((line) => line.includes(`;${id};`))
    expect(lines.map((line) => line.split(';').at(-1))).toEqual(['12,500', '-12,500'])
  })

  test('the office withholds from a payout, and books what it pays to the tax office', async () => {
    const lastName = `Retenue ${locale}`
    const { teacherId } = await shop.anOfficeTeacher({ firstName: 'Sami', lastName })
    const page = await office('/office/commissions')
    await untilTablesLoaded(page)
    const name = `\u2068Sami ${lastName}\u2069`
    const texts = (key: KeyIn<'office-commissions'>) => uiText(locale, `office-commissions:${key}`)
    await searchList(page, lastName)
    await page
      .getByRole('button', { name: fillText(texts('commissions.withhold.of'), { name }) })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(texts('commissions.withhold.percent')).fill('45')
    const submit = exact(page, texts('commissions.withhold.submit'))
    await submit.click()
    await dialog.getByLabel(texts('commissions.withhold.percent')).fill('12,5')
    await dialog.getByLabel(uiText(locale, 'office:confirm.reason.label')).fill('Contrat')
    await submit.click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('main tbody').getByText('12.5').waitFor()

    const sold = await shop.aDocument({ teacherId, title: lastName, price: dinars(100) })
    await shop.buys(await shop.aCustomer({ balance: dinars(100) }), [sold.id])
    const now = new Date()
    const account = { holder: lastName, rib: `${'0'.repeat(18)}97`, taxNumber: LEGAL.taxNumber }
    await transaction(shop.database, async (tx) => {
      await tx
        .insertInto('bankAccounts')
        .values({ teacherId, ...account, changedAt: now })
        .execute()
      const payable = payableFrom(now, DEFAULT_HOLD_DAYS).getTime() + 1
      const request = { actor: 'test', teacherId, amount: dinars(60), at: payable }
      const { id: payoutId } = await requestPayout(tx, request)
      await bookPayout(tx, { payoutId, at: now, reference: 'VIR' })
    })
    await page.goto(pathIn(locale, '/office/withheld'))
    const row = page.locator('main tr', { hasText: lastName })
    await row.getByText(LEGAL.taxNumber).waitFor()
    await expect.poll(() => row.innerText()).toContain(locale === 'fr' ? '7,50' : '7.50')
    const tax = (key: KeyIn<'office-withheld'>) => uiText(locale, `office-withheld:${key}`)
    const record = exact(page, tax('record.submit'))
    await exact(page, tax('record.open')).click()
    await dialog.getByLabel(tax('record.amount')).fill('1000')
    await dialog.getByLabel(tax('record.reference')).fill(`Quittance ${locale}`)
    await record.click()
    await dialog.locator('.field__error').waitFor()
    await dialog.getByLabel(tax('record.amount')).fill('7,5')
    await record.click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('main tr', { hasText: `Quittance ${locale}` }).waitFor()
    await page.getByText(tax('page.done')).waitFor()
  })

  test('terms that were made binding are accepted with the next purchase', async () => {
    const editor = await office('/office/site-page?name=terms')
    const site = (key: KeyIn<'office-site'>) => uiText(locale, `office-site:${key}`)
    const text = editor.locator(`[name="${locale}.text"]`)
    await text.fill(`${await text.inputValue()}\n\n${locale}`)
    await exact(editor, site('editor.save')).click()
    const saved = uiText(locale, 'office:form.saved')
    await editor.locator('.save-state', { hasText: saved }).waitFor()
    await exact(editor, site('terms.publish')).click()
    await editor
      .getByRole('dialog')
      .getByRole('button', { name: site('terms.publish') })
      .click()
    await editor.getByRole('dialog').waitFor({ state: 'detached' })

    const allowed = [/status of 409|purchase:/]
    const persona = { locale, viewport }
    const { customer, page } = await atCheckout(shop, persona, { price: 4, balance: 30, allowed })
    await choice(page, 'wallet').check()
    await payButton(page).click()
    await page.getByText(uiText(locale, 'purchase:notice.text')).waitFor()
    await confirmOrder(page, locale)
    const accept = page.getByLabel(uiText(locale, 'purchase:notice.accept'))
    await accept.waitFor()
    const pay = button(page, locale, 'checkout:confirm.yes')
    await expect.poll(() => pay.isDisabled()).toBe(true)
    await accept.check()
    await pay.click()
    await atDocuments(page, locale)
    const { notice } = await shop.database.kysely
      .selectFrom('orders')
      .select('notice')
      .where('buyerId', '=', customer.id)
      .executeTakeFirstOrThrow()
    expect(notice).toBe(`${locale} 0`)

    // The modal asks as well, for people who have not accepted them.
    const another = await shop.aCustomer({ balance: dinars(30) })
    const document = await shop.aDocument({ title: `Accepté ${locale}`, price: dinars(5) })
    const { page: details } = await loggedIn(shop.url, another, { ...persona, allowed })
    const modal = await buyNow(details, locale, document.id)
    await named(modal, locale, 'modal.payWallet').click()
    await details.getByLabel(uiText(locale, 'purchase:notice.accept')).check()
    await named(details, locale, 'notice.goOn').click()
    await atDocuments(details, locale)
    expect(await shop.balanceOf(another)).toBe(dinars(25))

    const { page: register } = await loggedIn(shop.url, { token: '' }, persona)
    await register.goto(pathIn(locale, '/register'))
    await register.getByLabel(uiText(locale, 'account:register.terms')).waitFor()
  })
})
