import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import { formatDate } from '../../../src/i18n/dates.ts'
import { fillText, priceParts, priceText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { OfficePath } from '../../../src/rules/pages.ts'
import { isRib, readableRib } from '../../../src/rules/rib.ts'
import { tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { atOffice, fill, untilHydrated } from '../../support/browser.ts'
import { PASSWORD } from '../../support/people.ts'
import { journeys, shopForFile } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = shopForFile()

const RIB = '08006023011000456789'

// Sales can be paid out at once.
beforeAll(async () => {
  expect(isRib(RIB)).toBe(true)
  await shop.call('setPayoutTerms', 'holdDays=0', 'reason=At once')
})

journeys('a teacher’s earnings', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-earnings'>) => uiText(locale, `office-earnings:${key}`)
  const main = (page: Page) => page.locator('main')
  const price = (amount: number) => priceParts(locale, dinars(amount)).number

  test('sales, earnings, a statement and a payout that is requested and withdrawn', async () => {
    const teacher = await shop.anOfficeTeacher({ firstName: 'Salma', lastName: 'Zouari' })
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    const open = async (path: OfficePath) => {
      await page.goto(pathIn(locale, path))
      await untilHydrated(page)
    }

    await open('/office/sales')
    await page.getByText(text('sales.empty.title')).waitFor()
    await open('/office/statement')
    await page.getByText(text('statement.empty.title')).waitFor()

    const parent = await shop.aCustomer({ balance: dinars(200) })
    const { teacherId } = teacher
    const large = await shop.aDocument({ teacherId, title: 'الكسور', price: dinars(80) })
    const small = await shop.aDocument({ teacherId, title: 'Fractions', price: dinars(20) })
    await shop.buys(parent, [large.id, small.id])

    await open('/office/sales')
    const rows = main(page).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    await main(page).getByLabel(text('sales.filters.document')).selectOption(String(large.id))
    await expect.poll(() => rows.count()).toBe(1)
    await expect.poll(() => rows.innerText()).toContain(price(56))
    await expect.poll(() => rows.innerText()).toContain(text('sales.states.earned'))
    expect(new URL(page.url()).searchParams.get('documentId')).toBe(String(large.id))
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(2)

    await open('/office/earnings')
    await expect.poll(() => page.locator('.summary__amount').innerText()).toContain(price(70))
    await page.locator('.bar-chart summary').click()
    await expect
      .poll(() => page.locator('.bar-chart__rows tbody tr').last().innerText())
      .toContain(price(70))
    await main(page).getByLabel(text('earnings.chart.document')).selectOption(String(small.id))
    await expect.poll(() => page.locator('.bar-chart__head').innerText()).toContain(price(14))

    await open('/office/payouts')
    await page.getByText(text('payouts.ask.account')).waitFor()
    const save = main(page).getByRole('button', { name: text('account.submit') })
    await fill(page, text('account.holder'), 'سلمى الزواري')
    await fill(
      page,
      text('account.rib'),
      RIB.replace(/.$/, (last) => String((Number(last) + 1) % 10)),
    )
    await save.click()
    await page.getByText(text('account.mistakes.pattern')).waitFor()
    await fill(page, text('account.rib'), readableRib(RIB))
    const password = main(page).locator('.account-form input[name="password"]')
    await page.keyboard.press('Enter')
    await page.getByText(uiText(locale, 'office-access:fields.errors.required')).waitFor()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    const amount = main(page).getByLabel(text('payouts.ask.amount'), { exact: true })
    await amount.waitFor()
    const next = main(page).getByRole('button', { name: text('payouts.ask.next') })
    await amount.fill('70,5')
    await next.click()
    const limits = { available: priceText(locale, dinars(70)) }
    await page.getByText(fillText(text('payouts.ask.max'), limits)).waitFor()
    await expect.poll(() => amount.inputValue()).toBe('70,5')
    await amount.fill('٦٠')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: text('payouts.ask.title') })
    await expect.poll(() => dialog.innerText()).toContain(readableRib(RIB))
    await expect.poll(() => dialog.innerText()).toContain(price(60))
    const sum = { amount: priceText(locale, dinars(60)) }
    const submit = dialog.getByRole('button', { name: fillText(text('payouts.ask.submit'), sum) })
    await submit.click()
    await dialog.getByText(uiText(locale, 'office-access:fields.errors.required')).waitFor()
    await dialog.locator('input[name="password"]').fill(PASSWORD)
    await submit.click()
    await page.getByText(text('payouts.ask.done')).waitFor()
    await page.getByText(fillText(text('payouts.ask.open'), sum)).waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByRole('button', { name: text('payouts.list.cancel') }).click()
    const withdrawn = text('payouts.list.states.cancelled')
    const today = { date: formatDate(locale, new Date().toISOString()) }
    await rows.getByText(fillText(withdrawn, today)).waitFor()
    await amount.waitFor()

    const month = tunisianMonth(new Date())
    await page.goto(`${pathIn(locale, '/office/statement')}?month=${month}`)
    await page.getByText(text('statement.closing')).waitFor()
    await expect
      .poll(() => page.locator('.sheet__rows--sum tbody tr').last().innerText())
      .toContain(price(70))
    const coming = page.waitForEvent('download')
    await main(page)
      .getByRole('button', { name: text('statement.download') })
      .click()
    const file = await coming
    expect(file.suggestedFilename()).toBe(`karras-${month}.csv`)
    const csv = await readFile(await file.path(), 'utf8')
    expect(csv.startsWith('\uFEFF')).toBe(true)
    expect(csv).toContain('Fractions')
    await page.emulateMedia({ media: 'print' })
    expect(
      await page.locator('.office__side, .sheet__ways').filter({ visible: true }).count(),
    ).toBe(0)
  })
})
