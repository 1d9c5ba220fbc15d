import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, DESKTOP, PHONE, untilHydrated } from '../../support/browser.ts'
import { searchList } from '../../support/office-tables.ts'
import { sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

test('in Arabic on a phone a rating is hidden with a reason, and shown again', async () => {
  const locale = 'ar'
  const text = (key: KeyIn<'office-goods'>) => uiText(locale, `office-goods:${key}`)
  const author = await shop.aCustomer({ firstName: 'Mouna', lastName: 'Khemakhem' })
  const document = await shop.aDocument({ title: 'وثيقة لا تليق' })
  const subject = { user: { id: author.id }, document: { id: document.id } }
  await shop.send(author, 'POST', '/ratings', { ...subject, rating: 1, comment: 'كلام لا يليق' })
  const admin = await shop.anOfficeAdministrator()
  const { page } = await atOffice(shop.url, admin, { locale, viewport: PHONE })
  await page.goto(pathIn(locale, '/office/all-ratings'))
  await untilHydrated(page)
  await searchList(page, 'khemakhem')
  const row = page.locator('main tbody tr', { hasText: 'كلام لا يليق' })
  await row.getByRole('button').click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: text('ratings.hide.submit') })
  await submit.click()
  await dialog.getByText(uiText(locale, 'office:confirm.reason.missing')).waitFor()
  await dialog.getByRole('textbox').fill('شتيمة')
  await submit.click()
  await row.getByText('شتيمة').waitFor()
  await row.getByText(text('ratings.states.hidden')).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.setViewportSize(PHONE)
  await row.getByRole('button').click()
  await dialog.getByRole('button', { name: text('ratings.show.submit') }).click()
  await row.getByText('شتيمة').waitFor({ state: 'detached' })
})

test('in French on a desktop many documents are selected, previewed, changed and reverted', async () => {
  const locale = 'fr'
  const text = (key: KeyIn<'office-goods'>) => uiText(locale, `office-goods:${key}`)
  const teacher = await shop.aTeacher({ firstName: 'Mehdi', lastName: 'Zouaghi' })
  for (const price of [10, 20, 0]) {
    await shop.aDocument({ teacherId: teacher.id, price: dinars(price) })
  }
  const admin = await shop.anOfficeAdministrator()
  const { page } = await atOffice(shop.url, admin, { locale, viewport: DESKTOP })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${pathIn(locale, '/office/all-documents')}?teacher=${teacher.id}`)
  await untilHydrated(page)
  const rows = page.locator('main .office-table').first().locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(3)

  // One by its checkbox, then all that match the filter.
  await rows.first().getByRole('checkbox').check()
  await page.locator('.picking__count', { hasText: '1' }).waitFor()
  await page.getByRole('button', { name: /\(3\)/ }).click()
  await expect.poll(() => page.locator('tbody input:checked').count()).toBe(3)
  await button(text('documents.change')).click()
  await page.getByLabel(text('change.what')).selectOption('percent')
  await button(text('change.preview')).click()
  const percent = page.getByLabel(text('change.fields.percent'))
  await expect.poll(() => percent.getAttribute('aria-invalid')).toBe('true')
  await page.setViewportSize(DESKTOP)
  await percent.fill('-25')
  await page.keyboard.press('Enter')
  await page.locator('.change__counts', { hasText: '2' }).waitFor()
  await page.locator('.change tbody tr', { hasText: '15,00' }).waitFor()
  await page.locator('.change__kept', { hasText: text('change.obstacles.unchanged') }).waitFor()
  await page.setViewportSize(DESKTOP)

  await page.getByLabel(uiText(locale, 'office:confirm.reason.label')).fill('Rentrée')
  await page.locator('.change .button--primary').click()
  await page.locator('[role=status].alert--success', { hasText: '2' }).waitFor()
  await rows.filter({ hasText: '7,50' }).waitFor()
  await button(text('changes.undo')).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(uiText(locale, 'office:confirm.reason.label')).fill('Erreur')
  await dialog.getByRole('button', { name: text('changes.undo') }).click()
  await rows.filter({ hasText: '10,00' }).waitFor()
  await page.getByText(text('changes.undone'), { exact: true }).first().waitFor()
})
