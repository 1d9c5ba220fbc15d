import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { searchList, untilTablesLoaded } from '../../support/office-tables.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator', (person, test) => {
  const { locale } = person
  const open = async (page: Page, path: `/office/${string}`) => {
    await page.goto(pathIn(locale, '/office') + path.slice('/office'.length))
    await untilHydrated(page)
  }

  test('reads the figures of a month and a year, and downloads them', async () => {
    const text = (key: KeyIn<'office-figures'>) => uiText(locale, `office-figures:${key}`)
    const { page } = await atOffice(shop.url, await shop.anOfficeAdministrator(), person)
    await open(page, '/office/figures')
    await page.getByRole('heading', { name: text('figures.wayHeading') }).waitFor()
    await page.getByRole('heading', { name: text('figures.searchesHeading') }).waitFor()
    await untilTablesLoaded(page)
    await page.getByLabel(text('figures.unit'), { exact: true }).selectOption('year')
    await page.waitForURL(/unit=year/)
    await page.locator('.period__step button').first().click()
    await page.waitForURL(/at=20\d\d-12-31/)
    const year = new Date().getFullYear() - 1
    await page.getByRole('heading', { name: String(year), exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: String(year + 1), exact: true }).waitFor()
    const charts = page.locator('.bar-chart')
    await charts.first().waitFor()
    await charts.first().locator('summary').click()
    await charts.first().locator('tbody tr').first().waitFor()
    const saving = page.waitForEvent('download')
    await page
      .locator('section', { hasText: text('figures.salesHint') })
      .locator('button')
      .click()
    expect((await saving).suggestedFilename()).toBe(`karras-sums-${year + 1}-01-01.csv`)
  })

  test('sets a teacher’s share from now on, and is told when another administrator was first', async () => {
    const text = (key: KeyIn<'office-commissions'>) => uiText(locale, `office-commissions:${key}`)
    const lastName = `Kacem${locale}`
    await shop.aTeacher({ firstName: 'Ines', lastName })
    const admin = await shop.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
    const refused = { allowed: [/409/] }
    const { page } = await atOffice(shop.url, admin, { ...person, ...refused })
    const row = page.locator('main tbody tr', { hasText: lastName })
    const change = row.getByText(text('commissions.change'), { exact: true })
    const dialog = page.getByRole('dialog')
    const submit = dialog.locator('.button--primary')
    await open(page, '/office/commissions')
    await page.locator('.summary').waitFor()
    await searchList(page, `INES kacem${locale}`)
    await row.first().waitFor()
    await untilTablesLoaded(page)
    await change.first().click()
    await dialog.locator('input').fill('140')
    await submit.click()
    await expect.poll(() => dialog.locator('.field__error').count()).toBe(2)
    await untilTablesLoaded(page)
    await dialog.locator('input').fill('80')
    await dialog.locator('textarea').fill('Accord de rentrée')
    await submit.click()
    await page.getByText(text('commissions.dialog.done')).waitFor()
    await row.filter({ hasText: text('commissions.own') }).waitFor()
    await row.filter({ hasText: 'Accord de rentrée' }).waitFor()

    // Another administrator changes it while the dialog is open.
    await change.first().click()
    await dialog.locator('input').fill('60')
    await dialog.locator('textarea').fill('Trop tard')
    const other = await shop.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
    const { body: list } = await shop.send(
      other,
      'GET',
      `/office/admin/commissions/teachers?q=kacem${locale}`,
    )
    const { teacherId, seen } = list.content[0]
    const body = { teacherId, percent: 75, reason: 'Avant', seen }
    expect((await shop.send(other, 'POST', '/office/admin/commissions', body)).status).toBe(200)
    await submit.click()
    await dialog.getByText('Karim Jaziri').waitFor()
    await row
      .filter({ hasText: fillText(uiText(locale, 'office:table.percent'), { percent: 75 }) })
      .first()
      .waitFor()
  })
})
