// Discount codes in the office: a teacher makes one and stops it, an administrator makes one that a second confirms.
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('codes in the office', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-codes'>) => uiText(locale, `office-codes:${key}`)
  const price = (amount: number) => priceText(locale, dinars(amount))
  const submit = (page: Page) => page.locator('.code-form [type=submit]').click()
  const success = (page: Page) => page.locator('.alert--success')
  const row = (page: Page, code: string) => page.locator('main tbody tr', { hasText: code })
  const field = (page: Page, name: string) => page.locator(`.code-form [name=${name}]`)
  /** The form of a new code, on this page of the office. */
  async function openForm(
    person: Parameters<typeof atOffice>[1],
    path: '/office/codes' | '/office/all-codes',
  ) {
    const { page } = await atOffice(shop.url, person, { locale, viewport })
    await page.goto(shop.url + inLanguage(locale, path))
    await untilHydrated(page)
    await page.getByRole('button', { name: text('list.make'), exact: true }).click()
    return page
  }

  test('a teacher makes one for a document, passes it on and stops it', async () => {
    const teacher = await shop.anOfficeTeacher()
    const title = `Géométrie ${locale}`
    await shop.aDocument({ title, price: dinars(8), teacherId: teacher.teacherId })
    const page = await openForm(teacher, '/office/codes')

    await field(page, 'code').fill('a b')
    await field(page, 'percent').fill('120')
    await field(page, 'atMost').fill('5,555')
    await field(page, 'until').fill('2020-01-01')
    await field(page, 'usesMax').fill('0')
    await field(page, 'scope').selectOption('documents')
    await submit(page)
    for (const mistake of ['thirdDecimal', 'until', 'ids'] as const) {
      const words = fillText(text(`form.mistakes.${mistake}`), { most: 100 })
      await page.getByText(words, { exact: true }).waitFor()
    }
    expect(await page.locator('.code-form .field__error').count()).toBe(6)
    expect(await field(page, 'code').evaluate((box) => box === document.activeElement)).toBe(true)

    await page.getByRole('button', { name: text('form.suggest'), exact: true }).click()
    const code = await field(page, 'code').inputValue()
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    // Arabic digits, and a comma, as a phone's keyboard has them.
    await field(page, 'percent').fill('٢٠')
    await field(page, 'atMost').fill('5,500')
    await field(page, 'until').fill('')
    await field(page, 'usesMax').fill('10')
    await page.getByLabel(title).check()
    const paid = { paid: price(8), price: price(10) }
    await page.getByText(fillText(text('example.paid'), paid)).waitFor()
    const share = { share: price(5.6), before: price(7) }
    await page.getByText(fillText(text('example.own'), share)).waitFor()
    await submit(page)
    await success(page).getByText(text('form.done')).waitFor()
    await row(page, code).getByText(text('list.states.running')).waitFor()
    await row(page, code).getByText(title).waitFor()

    await row(page, code)
      .getByRole('button', { name: text('list.passOn.act') })
      .click()
    const dialog = page.getByRole('dialog')
    const path = inLanguage(locale, `/teacher-details/${teacher.teacherId}?code=${code}`)
    await dialog.getByText(shop.url + path, { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    await row(page, code)
      .getByRole('button', { name: text('list.stop.act') })
      .click()
    await dialog.getByRole('button', { name: text('list.stop.submit') }).click()
    await success(page).getByText(text('list.stop.done')).waitFor()
    await row(page, code).getByText(text('list.states.ended')).waitFor()
    expect(await row(page, code).getByRole('button').count()).toBe(0)
  })

  test('a second administrator confirms one that may cost more than a first does alone', async () => {
    const code = `RENTREE-${locale}`.toUpperCase()
    const page = await openForm(await shop.anOfficeAdministrator(), '/office/all-codes')
    await field(page, 'code').fill(code)
    await field(page, 'kind').selectOption('amount')
    await field(page, 'amount').fill('5')
    await page.getByText(text('cost.wholeOpen')).waitFor()
    await field(page, 'usesMax').fill('36')
    await page.getByText(fillText(text('cost.alone'), { left: price(200) })).waitFor()
    await field(page, 'usesMax').fill('37')
    const cost = { amount: price(203.13), uses: 37 }
    await page.getByText(fillText(text('cost.whole'), cost)).waitFor()
    await page.getByText(fillText(text('cost.second'), { left: price(200) })).waitFor()
    // A price of 10 of which the teacher keeps 7.
    await page
      .getByText(fillText(text('example.loss'), { share: price(7), rest: price(2) }))
      .waitFor()
    await submit(page)
    await page.getByText(text('form.mistakes.required'), { exact: true }).waitFor()
    await field(page, 'reason').fill('Rentrée')
    await submit(page)
    await success(page).getByText(uiText(locale, 'office-acts:waits.text')).waitFor()
    expect(await row(page, code).count()).toBe(0)

    const second = await shop.anOfficeAdministrator()
    const { page: acts } = await atOffice(shop.url, second, { locale, viewport })
    await acts.goto(shop.url + inLanguage(locale, '/office/acts'))
    const act = row(acts, code)
    await act.getByText(uiText(locale, 'office-acts:kinds.discount')).waitFor()
    await act.getByRole('button', { name: uiText(locale, 'office-acts:page.confirm') }).click()
    const confirm = acts.getByRole('dialog').getByRole('button', {
      name: uiText(locale, 'office-acts:page.confirm'),
    })
    await confirm.click()
    await success(acts).getByText(uiText(locale, 'office-acts:page.done.confirm')).waitFor()

    await page.reload()
    await row(page, code).getByText(text('list.states.running')).waitFor()
    await row(page, code).getByText(text('all.byShop')).waitFor()
  })

  test('the order of a buyer shows its code, and each price before it', async () => {
    const buyer = await shop.aCustomer({ balance: dinars(20) })
    const { id, title } = await shop.aDocument({ title: `Codé ${locale}`, price: dinars(8) })
    const { code } = await shop.aCode({ amount: dinars(2) })
    await shop.buys(buyer, [id], { code })
    const { id: orderId } = await shop.database.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    const administrator = await shop.anOfficeAdministrator()
    const { page } = await atOffice(shop.url, administrator, { locale, viewport })
    await page.goto(`${shop.url}${inLanguage(locale, '/office/order')}?id=${orderId}`)
    await page.locator('.order__facts').getByText(code, { exact: true }).waitFor()
    const words = `${uiText(locale, 'office-money:order.item.before')} ${price(8)}`
    expect(plain(await row(page, title).innerText())).toContain(plain(words))
    expect(plain(await row(page, title).innerText())).toContain(plain(price(6)))
  })
})

/** Without marks of direction, and with plain spaces. */
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ')
