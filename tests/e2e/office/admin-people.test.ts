import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { searchList, untilTablesLoaded } from '../../support/office-tables.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-people'>) => uiText(locale, `office-people:${key}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const open = async (page: Page, path: `/office/${string}`) => {
    await page.goto(pathIn(locale, '/office') + path.slice('/office'.length))
    await untilHydrated(page)
  }
  const row = (page: Page, name: string) => page.locator('main tbody tr', { hasText: name })

  test('finds a person, blocks the account with a reason, and reads that in the log', async () => {
    const name = `Zeineb ${locale}`
    const customer = await shop.aCustomer({ firstName: name, lastName: 'Mejri' })
    const admin = await shop.anOfficeAdministrator({
      firstName: 'Nadia',
      lastName: `Gharbi ${locale}`,
    })
    const { page } = await atOffice(shop.url, admin, { locale, viewport })
    await open(page, '/office/people')
    await searchList(page, `mejri ${name}`)
    await row(page, name).waitFor()
    await untilTablesLoaded(page)
    await row(page, name).getByRole('link').click()
    await page.locator('.person__who').waitFor()
    await untilTablesLoaded(page)

    await button(page, text('person.acts.block.button')).click()
    const dialog = page.getByRole('dialog')
    await button(page, text('person.acts.block.button')).last().click()
    await dialog.getByText(uiText(locale, 'office:confirm.reason.missing')).waitFor()
    await dialog.getByLabel(uiText(locale, 'office:confirm.reason.label')).fill('Insultes')
    await dialog.locator('.button--danger').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(text('person.acts.block.done')).waitFor()
    await page.locator('.alert--error', { hasText: 'Insultes' }).waitFor()

    await open(page, `/office/log?q=${customer.id}&who=${admin.id}`)
    const rows = page.locator('main tbody tr')
    await rows.filter({ hasText: uiText(locale, 'office-log:actions.block') }).waitFor()
    await rows.filter({ hasText: uiText(locale, 'office-log:actions.see') }).waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    await untilTablesLoaded(page)
    const saving = page.waitForEvent('download')
    await button(page, uiText(locale, 'office-log:log.export')).click()
    expect((await saving).suggestedFilename()).toBe('karras-log.csv')
  })

  test('invites a teacher, and merges two accounts of one family', async () => {
    const admin = await shop.anOfficeAdministrator()
    const from = await shop.aCustomer({ balance: dinars(7), firstName: `Ines ${locale}` })
    const into = await shop.aCustomer({ firstName: `Anis ${locale}` })
    const { page } = await atOffice(shop.url, admin, { locale, viewport })
    await open(page, '/office/people')
    await button(page, text('people.invite')).click()
    const dialog = page.getByRole('dialog')
    await button(page, text('invite.submit')).click()
    await dialog.getByText(text('invite.wrong')).waitFor()
    const email = `teacher-${locale}@mail.example`
    await dialog.getByLabel(text('invite.email')).fill(email)
    await dialog.getByLabel(text('invite.role')).selectOption('TEACHER')
    await button(page, text('invite.submit')).click()
    await page.getByText(text('invite.done')).waitFor()

    await open(page, '/office/merge')
    await page.getByText(text('merge.nobodyNamed')).waitFor()
    await open(page, '/office/person')
    await page.locator('.error-state').waitFor()
    expect(await page.locator('.error-state button').count()).toBe(0)
    await open(page, `/office/merge?id=${into.id}`)
    await page.locator('input[name="q"]').fill(from.email)
    await page.keyboard.press('Enter')
    await page.locator('.person__list button').click()
    await page.locator('.merge__pair').waitFor()
    await untilTablesLoaded(page)
    await page.getByLabel(uiText(locale, 'office:confirm.reason.label')).fill('Une famille')
    await button(page, text('merge.submit')).click()
    await dialog.locator('.button--danger').click()
    await page.getByText(text('merge.done')).waitFor()
    await page.getByRole('link', { name: text('merge.open') }).click()
    await page.locator('.person__who').waitFor()
    await page.locator('.spans__amount', { hasText: '7' }).first().waitFor()
    await open(page, `/office/person?id=${from.id}`)
    await page.getByText(text('person.closed')).waitFor()
  })
})
