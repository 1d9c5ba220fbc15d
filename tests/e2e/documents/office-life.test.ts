import { expect, test } from 'vitest'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { DESKTOP, fill, newVisitor, PHONE, untilHydrated } from '../../support/browser.ts'
import { aDraft, atOffice, field, inLocale } from '../../support/office-life.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { ARABIC, sharedShop } from '../../support/stage.ts'
import { mailedLink } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const storedText = async (teacher: Person, id: number) =>
  (await shop.send(teacher, 'GET', `/office/documents/${id}`)).body.document

test('in Arabic on a phone: a cover, a draft written offline, a withdrawn submission, and deletion', async () => {
  const { text, act, stands, isSaved } = inLocale('ar')
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const id = await aDraft(shop, teacher)
  const path = `/office/document?id=${id}`
  const { page, context } = await atOffice(shop, teacher, 'ar', PHONE)
  await page.goto(path)
  await field(page, 'title').fill('الكسور العشرية')
  for (const name of ['matiereId', 'niveauId', 'categoryId', 'type']) {
    await field(page, name).selectOption({ index: 1 })
  }
  await field(page, 'price').fill('12')
  await isSaved(page)

  // A cover: a file that is no image is refused, an image is shown where buyers see it.
  const cover = page
    .locator('.editor__form section')
    .filter({ hasText: text('form.cover.hint').slice(-20) })
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    cover.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer })
  await choose('cover.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await cover.getByText(uiText('ar', 'errors:codes.not_a_picture')).waitFor()
  await choose('cover.png', 'image/png', await aPicture('#2440a8'))
  await cover.getByText(text('form.cover.isPicture')).waitFor()
  // The preview is below the form, and loaded once it is near.
  await page.locator('.editor__parts > :last-child').scrollIntoViewIfNeeded()
  const picture = page.locator('.preview img').first()
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  await cover.getByRole('button', { name: text('form.cover.draw') }).click()
  await cover.getByText(text('form.cover.isDrawn')).waitFor()

  // The connection is lost while typing, and the tab is closed; the input is there later.
  await context.setOffline(true)
  await field(page, 'description').fill('كُتب دون اتّصال')
  await page.locator('.save-state--failed').waitFor()
  await page.close()
  await context.setOffline(false)
  expect((await storedText(teacher, id)).description).toBe('')
  const later = await context.newPage()
  await later.goto(path)
  await later.getByText(uiText('ar', 'office:form.restored')).waitFor()
  await expect.poll(() => field(later, 'description').inputValue()).toBe('كُتب دون اتّصال')
  await expect.poll(async () => (await storedText(teacher, id)).description).toBe('كُتب دون اتّصال')
  await isSaved(later)

  await later
    .locator('.editor__file input[type="file"]')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: aPdf('الكسور', 2) })
  await later.locator('.editor__file').getByText(text('form.file.there')).waitFor()
  await act(later, 'submit')
  await stands(later, 'submitted')
  await act(later, 'withdraw')
  await stands(later, 'draft')
  await expect.poll(() => field(later, 'title').inputValue()).toBe('الكسور العشرية')
  await act(later, 'delete')
  await later.waitForURL((url) => url.pathname === '/office/documents')
  await later.locator('.empty-state').waitFor()
})

test('in French on a desktop: this tab’s text overrides the other’s, then is taken down and republished', async () => {
  const { text, act, stands, isSaved } = inLocale('fr')
  const teacher = await shop.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  const { teacherId } = teacher
  const { id } = await shop.aDocument({ teacherId, title: 'Fractions' })
  const path = `${inLanguage('fr', '/office/document')}?id=${id}`
  const { page, context } = await atOffice(shop, teacher, 'fr', DESKTOP)
  await page.goto(path)
  await field(page, 'title').waitFor()
  const other = await context.newPage()
  await other.goto(path)
  await field(other, 'title').fill('Fractions décimales')
  await isSaved(other)

  await field(page, 'title').fill('Fractions et décimaux')
  const conflict = page.locator('.conflict')
  await conflict.getByText('Fractions décimales').waitFor()
  // A save in the other tab discards nothing here.
  await field(other, 'description').fill('Écrit dans l’autre onglet')
  await isSaved(other)
  await page.reload()
  await conflict.getByText('Fractions décimales').waitFor()
  await expect.poll(() => field(page, 'title').inputValue()).toBe('Fractions et décimaux')
  await conflict.getByRole('button', { name: text('form.conflict.keep') }).click()
  await isSaved(page)
  await conflict.waitFor({ state: 'detached' })
  expect(await storedText(teacher, id)).toMatchObject({ title: 'Fractions et décimaux' })
  await other.close()

  const sold = async () => (await fetch(`${shop.url}/api/documents/${id}`)).status
  expect(await sold()).toBe(200)
  await act(page, 'unpublish')
  await stands(page, 'unpublished')
  expect(await sold()).toBe(404)
  await act(page, 'publish')
  await stands(page, 'published')
  expect(await sold()).toBe(200)
})

test('in Arabic on a phone: a forgotten password is reset, and opens the office', async () => {
  const { locale, viewport } = ARABIC
  const password = (key: KeyIn<'password'>) => uiText(locale, `password:${key}`)
  const access = (key: KeyIn<'office-access'>) => uiText(locale, `office-access:${key}`)
  const email = `office-forgot-${locale}@karras.test`
  await shop.anOfficeTeacher({ email })
  const { page } = await newVisitor(shop.url, { locale, viewport, at: '/office/login' })
  await page.getByRole('link', { name: access('login.forgotten') }).click()
  await fill(page, password('forgot.email'), email)
  await page.getByRole('button', { name: password('forgot.submit') }).click()
  await page.getByText(password('forgot.sent')).waitFor()
  const link = await mailedLink(shop.dataDir, email)
  expect(link.pathname).toBe(pathIn(locale, '/office/reset-password'))
  await page.goto(link.pathname + link.search)
  await untilHydrated(page)
  await fill(page, password('reset.newPassword'), 'لوز وياسمين 2026')
  await fill(page, password('reset.confirmPassword'), 'لوز وياسمين 2026')
  await page.getByRole('button', { name: password('reset.submit') }).click()
  await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/login'))
  await untilHydrated(page)
  await fill(page, access('fields.username'), email)
  await fill(page, access('fields.password'), 'لوز وياسمين 2026')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === pathIn(locale, '/office'))
})
