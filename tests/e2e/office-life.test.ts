import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../src/i18n/paths.ts'
import { OFFICE_TOKEN_KEY } from '../../src/rules/office-storage-keys.ts'
import { violationsInBoth } from '../support/axe.ts'
import { DESKTOP, fill, PHONE, untilAwake, type Visitor, visitor } from '../support/browser.ts'
import { hasFocus, keepsFocus, tabTo } from '../support/keyboard.ts'
import { linkIn, outbox } from '../support/mail.ts'
import { aPdf } from '../support/pdf.ts'
import { PASSWORD, type Person } from '../support/people.ts'
import { aPicture } from '../support/picture.ts'
import { expectReadable } from '../support/reading.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { type KeyIn, said } from '../support/texts.ts'

const shop = sharedShop()

/** What a browser says of a line that is cut, and of an answer that refuses. */
const allowed = [/ERR_|status of (400|409|415|422)/]

async function atOffice(
  person: Pick<Person, 'token'>,
  locale: Locale,
  viewport: typeof PHONE,
): Promise<Visitor> {
  const someone = await visitor(shop.url, { locale, viewport, allowed })
  await someone.page.goto('/robots.txt')
  await someone.page.evaluate(([key, token]) => localStorage.setItem(key, token), [
    OFFICE_TOKEN_KEY,
    person.token,
  ] as const)
  return someone
}

/** What is said and pressed in the documents' part of the office. */
const inLocale = (locale: Locale) => {
  const text = (key: KeyIn<'office-documents'>) => said(locale, `office-documents:${key}`)
  return {
    text,
    /** Presses what is offered, and says yes to it. */
    async act(page: Page, act: 'submit' | 'withdraw' | 'publish' | 'unpublish' | 'delete') {
      const name = text(`acts.${act}.button`)
      await page.locator('main').getByRole('button', { name, exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: text(`acts.${act}.title`) })
      await dialog.getByRole('button', { name, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    },
    stands: (page: Page, state: 'draft' | 'submitted' | 'published' | 'unpublished') =>
      page
        .locator('.standing')
        .getByText(text(`states.${state}`))
        .first()
        .waitFor(),
    isSaved: (page: Page) =>
      page.locator('.save-state').getByText(said(locale, 'office:form.saved')).waitFor(),
  }
}

const field = (page: Page, name: string) => page.locator(`.editor__text [name="${name}"]`)

async function aDraft(teacher: Person): Promise<number> {
  const { body } = await shop.send(teacher, 'POST', '/office/documents')
  return (body as { id: number }).id
}

const textOf = async (teacher: Person, id: number) =>
  (await shop.send(teacher, 'GET', `/office/documents/${id}`)).body.document

test('in Arabic on a phone: a cover, a draft written offline, a submission withdrawn, and its end', async () => {
  const { text, act, stands, isSaved } = inLocale('ar')
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const id = await aDraft(teacher)
  const path = `/office/document?id=${id}`
  const someone = await atOffice(teacher, 'ar', PHONE)
  const { page, context } = someone
  await page.goto(path)
  await field(page, 'title').fill('الكسور العشرية')
  for (const name of ['matiereId', 'niveauId', 'categoryId', 'type']) {
    await field(page, name).selectOption({ index: 1 })
  }
  await field(page, 'price').fill('12')
  await isSaved(page)

  // A cover: what is no picture is refused, a picture is seen where buyers see it.
  const cover = page
    .locator('.editor__form section')
    .filter({ hasText: text('form.cover.hint').slice(-20) })
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    cover.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer })
  await choose('cover.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await cover.getByText(said('ar', 'office-errors:codes.not_a_picture')).waitFor()
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

  // The line is gone while somebody types, and the tab is closed; what was typed is there later.
  await context.setOffline(true)
  await field(page, 'description').fill('كُتب دون اتّصال')
  await page.locator('.save-state--failed').waitFor()
  await page.close()
  await context.setOffline(false)
  expect((await textOf(teacher, id)).description).toBe('')
  const later = await context.newPage()
  await later.goto(path)
  await later.getByText(said('ar', 'office:form.restored')).waitFor()
  await expect.poll(() => field(later, 'description').inputValue()).toBe('كُتب دون اتّصال')
  await expect.poll(async () => (await textOf(teacher, id)).description).toBe('كُتب دون اتّصال')
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
  await someone.leave()
})

test('in French at a desk: this tab’s text is kept over the other’s, then out of the shop and back', async () => {
  const { text, act, stands, isSaved } = inLocale('fr')
  const teacher = await shop.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  const { teacherId } = teacher
  const { id } = await shop.aDocument({ teacherId, title: 'Fractions' })
  const path = `${inLanguage('fr', '/office/document')}?id=${id}`
  const someone = await atOffice(teacher, 'fr', DESKTOP)
  const { page, context } = someone
  await page.goto(path)
  await field(page, 'title').waitFor()
  const other = await context.newPage()
  await other.goto(path)
  await field(other, 'title').fill('Fractions décimales')
  await isSaved(other)

  await field(page, 'title').fill('Fractions et décimaux')
  const conflict = page.locator('.conflict')
  await conflict.getByText('Fractions décimales').waitFor()
  // What the other tab saves forgets nothing here.
  await field(other, 'description').fill('Écrit dans l’autre onglet')
  await isSaved(other)
  await page.reload()
  await conflict.getByText('Fractions décimales').waitFor()
  await expect.poll(() => field(page, 'title').inputValue()).toBe('Fractions et décimaux')
  await conflict.getByRole('button', { name: text('form.conflict.keep') }).click()
  await isSaved(page)
  await conflict.waitFor({ state: 'detached' })
  expect(await textOf(teacher, id)).toMatchObject({ title: 'Fractions et décimaux' })
  await other.close()

  const sold = async () => (await fetch(`${shop.url}/api/documents/${id}`)).status
  expect(await sold()).toBe(200)
  await act(page, 'unpublish')
  await stands(page, 'unpublished')
  expect(await sold()).toBe(404)
  await act(page, 'publish')
  await stands(page, 'published')
  expect(await sold()).toBe(200)
  await someone.leave()
})

describe.each(PEOPLE)('$who', ({ locale, viewport }) => {
  const turn = inTurn(locale)

  turn('by keyboard alone on a phone: from the log-in to a submission', async () => {
    const { text, isSaved, stands } = inLocale(locale)
    const teacher = await shop.anOfficeTeacher({ firstName: 'نور', lastName: 'الغربي' })
    await shop.aDocument({ teacherId: teacher.teacherId, title: 'الزوايا' })
    await aDraft(teacher)
    const someone = await visitor(shop.url, { locale, viewport: PHONE, allowed })
    const { page } = someone
    const press = (key: string) => page.keyboard.press(key)
    /** Goes to a field and types. */
    const type = async (target: Locator, value: string) => {
      await tabTo(page, target)
      await page.keyboard.type(value)
    }
    /** Goes to a button or link and presses it. */
    const enter = async (target: Locator) => {
      await tabTo(page, target)
      await press('Enter')
    }

    await page.goto(pathIn(locale, '/office/login'))
    await untilAwake(page)
    await type(page.getByLabel(said(locale, 'office-access:fields.username')), teacher.email)
    await type(page.locator('input[type="password"]'), PASSWORD)
    await press('Enter')
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office'))

    // The menu has the focus in it while it is open, and gives it back.
    await untilAwake(page)
    const more = page.locator('.office-bar:visible button')
    await enter(more)
    const menu = page.locator('.office-more:popover-open')
    await menu.waitFor()
    await press('Escape')
    await menu.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(more)).toBe(true)
    await press('Enter')
    await enter(menu.getByRole('link', { name: said(locale, 'office:menu.documents') }))
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/documents'))

    // What narrows the list, and what sorts it where heads cannot be seen.
    const titles = page.locator('main .own-title')
    await expect.poll(() => titles.count()).toBe(2)
    await expectReadable(page, locale)
    const drafts = page.locator('.document-states button', { hasText: text('states.draft') })
    await enter(drafts)
    await expect.poll(() => titles.count()).toBe(1)
    await expect.poll(() => hasFocus(drafts)).toBe(true)
    await tabTo(page, page.getByLabel(said(locale, 'office:table.sort')))
    await press('Home')
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).not.toBeNull()

    await enter(page.locator('main tbody').getByRole('link').first())
    await page.waitForURL(/\/office\/document\?id=\d+$/)
    await field(page, 'title').waitFor()
    const choose = page.locator('.editor__file .upload button').first()
    const chooser = page.waitForEvent('filechooser')
    await enter(choose)
    const file = { name: 'درس.pdf', mimeType: 'application/pdf', buffer: aPdf('الزوايا', 2) }
    await (await chooser).setFiles(file)
    await page.locator('.editor__file').getByText(text('form.file.there')).waitFor()
    await type(field(page, 'title'), 'الكسور العشرية')
    for (const name of ['matiereId', 'niveauId', 'categoryId', 'type'] as const) {
      await tabTo(page, field(page, name))
      await press('ArrowDown')
    }
    await type(field(page, 'price'), '12')
    const submit = page.locator('.save-foot').getByRole('button', {
      name: text('acts.submit.button'),
    })
    await tabTo(page, submit)
    await isSaved(page)
    await expectReadable(page, locale)

    // A dialog holds the focus, and gives it back at Escape.
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: text('acts.submit.title') })
    await keepsFocus(page, dialog)
    expect(await violationsInBoth(page)).toEqual([])
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(submit)).toBe(true)
    await press('Enter')
    await enter(dialog.getByRole('button', { name: text('acts.submit.button') }))
    await stands(page, 'submitted')
    await someone.leave()
  })

  turn('a forgotten password is set anew, and opens the office', async () => {
    const password = (key: KeyIn<'password'>) => said(locale, `password:${key}`)
    const access = (key: KeyIn<'office-access'>) => said(locale, `office-access:${key}`)
    const email = `office-forgot-${locale}@karras.test`
    await shop.anOfficeTeacher({ email })
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, '/office/login'))
    await page.getByRole('link', { name: access('login.forgotten') }).click()
    await fill(page, password('forgot.email'), email)
    await page.getByRole('button', { name: password('forgot.submit') }).click()
    await page.getByText(password('forgot.sent')).waitFor()
    const mailed = async () =>
      (await outbox(shop.dataDir)).find(({ headers }) => headers.includes(`To: ${email}`))
    await expect.poll(mailed).toBeDefined()
    const mail = await mailed()
    if (!mail) throw new Error('no mail')
    const link = linkIn(mail)
    expect(link.pathname).toBe(pathIn(locale, '/office/reset-password'))
    await page.goto(link.pathname + link.search)
    await untilAwake(page)
    await fill(page, password('reset.newPassword'), 'لوز وياسمين 2026')
    await fill(page, password('reset.confirmPassword'), 'لوز وياسمين 2026')
    await page.getByRole('button', { name: password('reset.submit') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/login'))
    await untilAwake(page)
    await fill(page, access('fields.username'), email)
    await fill(page, access('fields.password'), 'لوز وياسمين 2026')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office'))
    await someone.leave()
  })
})

test('by keyboard alone, in French at a desk: a table, a form and a dialog', async () => {
  const locale = 'fr'
  const { text, isSaved, stands } = inLocale(locale)
  const teacher = await shop.anOfficeTeacher({ firstName: 'Nour', lastName: 'Gharbi' })
  const { teacherId } = teacher
  for (const title of ['Angles', 'Barycentres']) await shop.aDocument({ teacherId, title })
  const someone = await atOffice(teacher, locale, DESKTOP)
  const { page } = someone
  await page.goto(pathIn(locale, '/office/documents'))
  const rows = page.locator('main tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('Tab')
  await expect.poll(() => hasFocus(page.locator('.skip'))).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.locator('#main'))).toBe(true)

  // The search, then the head that sorts, keep the focus while the rows come.
  await tabTo(page, page.getByRole('searchbox', { name: text('list.search') }))
  await page.keyboard.type('bary')
  await expect.poll(() => rows.count()).toBe(1)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect.poll(() => rows.count()).toBe(2)
  const head = page.locator('th button', { hasText: text('list.columns.title') })
  await tabTo(page, head)
  for (const [order, first] of [
    ['ascending', 'Angles'],
    ['descending', 'Barycentres'],
  ] as const) {
    await page.keyboard.press('Enter')
    await expect.poll(() => head.locator('xpath=..').getAttribute('aria-sort')).toBe(order)
    await expect.poll(() => rows.first().innerText()).toContain(first)
    await expect.poll(() => hasFocus(head)).toBe(true)
  }

  // A dialog holds the focus, and gives it back at Escape.
  const unpublish = rows
    .first()
    .getByRole('button', { name: text('acts.unpublish.button') })
    .first()
  await tabTo(page, unpublish)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: text('acts.unpublish.title') })
  await keepsFocus(page, dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(unpublish)).toBe(true)

  // Into the form, which saves what is typed, and to what can be done at its end.
  const way = rows.first().getByRole('link').first()
  await way.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/office\/document\?id=\d+$/)
  await tabTo(page, field(page, 'title'))
  await page.keyboard.press('End')
  await page.keyboard.type(' 2')
  await tabTo(page, page.locator('.save-foot button').first())
  await isSaved(page)
  await page.keyboard.press('Enter')
  await keepsFocus(page, dialog)
  await tabTo(page, dialog.getByRole('textbox'))
  await page.keyboard.type('Une pause')
  await tabTo(page, dialog.getByRole('button', { name: text('acts.unpublish.button') }))
  await page.keyboard.press('Enter')
  await stands(page, 'unpublished')
  await someone.leave()
})
