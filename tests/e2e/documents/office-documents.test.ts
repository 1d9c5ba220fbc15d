// @everyday: a teacher submits a document.

import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { detailTexts } from '../../../src/i18n/details.ts'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { DETAILS, type Detail, ruleOf } from '../../../src/rules/document-fields.ts'
import type { Deps } from '../../../src/server/deps.ts'
import { accept, returnToTeacher } from '../../../src/server/documents/documents.ts'
import { atOffice, DESKTOP, PHONE } from '../../support/browser.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import { examPdf } from '../../support/exam-pdf.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** Console errors of a cut connection, of a refused request, and of a check that goes on. */
const allowed = [/ERR_|status of (400|409|415)/]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.locator(`.editor__text [name="${name}"]`)
const isSaved = (page: Page, locale: Locale) =>
  page.locator('.save-state').getByText(uiText(locale, 'office:form.saved')).waitFor()

/** A value that a detail of a test paper may have. */
function valueFor(name: Detail): number | string {
  const rule = ruleOf(name)
  if (name === 'correctionPage') return 2
  if ('least' in rule) return rule.most
  return rule.kind === 'option' ? (rule.options[0] ?? '') : arabicDigits(12)
}

const arabicDigits = (value: number) =>
  new Intl.NumberFormat('ar-EG', { useGrouping: false }).format(value)

/** Fills in everything but the file. */
async function fillIn(page: Page, locale: Locale, title: string): Promise<void> {
  await field(page, 'title').fill(title)
  for (const name of ['niveauId', 'matiereId', 'categoryId', 'type']) {
    await field(page, name).selectOption({ index: 1 })
  }
  // The first class has no economics; every class has other subjects.
  const subjects = await field(page, 'matiereId').locator('option').allInnerTexts()
  expect(subjects).toContain(uiText(locale, 'catalogue:matieres.other'))
  expect(subjects).not.toContain(uiText(locale, 'catalogue:matieres.economics'))
  await field(page, 'price').fill('١٢٫٥')
  // A lesson is no paper, so that its form has no number of a paper.
  await field(page, 'categoryId').selectOption(uiText(locale, 'catalogue:categories.lessons'))
  await field(page, 'trimester').waitFor()
  expect(await field(page, 'paperNumber').isVisible()).toBe(false)
  await field(page, 'categoryId').selectOption(uiText(locale, 'catalogue:categories.exams'))
  // The correction is in this file; the paper of one sold apart has a journey of its own.
  for (const name of DETAILS.filter((each) => ruleOf(each).kind !== 'paper')) {
    const value = valueFor(name)
    if (ruleOf(name).kind === 'option') await field(page, name).selectOption(String(value))
    else await field(page, name).fill(typeof value === 'number' ? arabicDigits(value) : value)
  }
}

/** The details that `writeTitle` fills in, as the page for buyers and its preview show them. */
const detailsOn = (locale: Locale) => {
  const details = Object.fromEntries(DETAILS.map((name) => [name, valueFor(name)]))
  const texts = textsIn(locale, 'office-documents:details')
  return detailTexts(locale, texts, details).map(
    ([name, value]) => `${uiText(locale, `office-documents:fields.${name}`)}\n${value}`,
  )
}

const factsOn = async (page: Page) =>
  (await page.locator('.facts-list > div').allInnerTexts()).map((fact) =>
    fact.replace(/\s*\n\s*/g, '\n'),
  )

test('in Arabic on a phone: a draft, its file across a cut connection and a reload, and its submission', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const line = await cuttableProxy(shop.url)
  const { page } = await atOffice(line.url, teacher, { locale: 'ar', viewport: PHONE, allowed })
  await page.goto('/office/documents')
  await page.locator('.empty-state a').click()
  await page.waitForURL(/\/office\/document\?id=\d+$/)
  await field(page, 'title').waitFor()

  // A teacher who sends a draft is told at its fields what it lacks, and not before.
  const needed = page.locator('.editor .field__error, .editor__missing')
  expect(await needed.count()).toBe(0)
  const bar = await page.locator('.save-foot').boundingBox()
  expect(bar?.height).toBeLessThan(PHONE.height / 5)
  await button(page, uiText('ar', 'office-documents:acts.submit.button')).click()
  await expect.poll(() => needed.count()).toBeGreaterThan(5)
  await page.locator('.editor__missing').waitFor()
  await page.route(/\/_astro\/Preview\./, (route) => route.abort())
  await page.reload()
  await field(page, 'title').waitFor()

  // An invalid value is reported at its field, and no input is lost.
  await field(page, 'title').fill('ط'.repeat(5000))
  await page.locator('.field__error').first().waitFor()
  await fillIn(page, 'ar', '../الكسور')
  await isSaved(page, 'ar')
  await expect.poll(() => page.locator('.editor__earned').innerText()).toContain('8.75')

  // The buyers' preview is loaded once it comes near, and again after the connection was cut.
  await page.locator('.editor__parts > :last-child').scrollIntoViewIfNeeded()
  await page.getByText(uiText('ar', 'errors:codes.network')).waitFor()
  await page.unroute(/\/_astro\/Preview\./)
  await button(page, uiText('ar', 'office-documents:form.failed.retry')).click()
  const title = page.locator('.preview .card__title')
  await expect.poll(() => title.innerText()).toBe('../الكسور')
  expect(await factsOn(page)).toEqual(expect.arrayContaining(detailsOn('ar')))

  const input = page.locator('.editor__file input[type="file"]')
  await input.setInputFiles({
    name: 'lesson.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('MZ no lesson at all'),
  })
  await page
    .locator('.editor__file [role="alert"]')
    .getByText(uiText('ar', 'office-errors:codes.not_a_pdf'))
    .waitFor()

  const pdf = Buffer.concat([aPdf('الكسور', 3), Buffer.alloc(700_000, ' ')])
  // The connection is cut after the first parts.
  let parts = 0
  await page.route('**/part?*', async (route) => {
    parts++
    if (parts === 2) line.cut()
    await route.continue()
  })
  await input.setInputFiles({ name: '../../x.pdf', mimeType: 'application/pdf', buffer: pdf })
  await page.locator('.editor__file progress').waitFor()
  await button(page, uiText('ar', 'office:upload.tryNow')).waitFor()
  line.mend()
  await page.unroute('**/part?*')
  await page.reload()
  await page
    .locator('.editor__file')
    .getByText(uiText('ar', 'office-documents:form.file.there'))
    // The file is checked at a low priority; meanwhile the page asks again.
    .waitFor({ timeout: 3 * PATIENCE.timeout })
  await expect.poll(() => field(page, 'title').inputValue()).toBe('../الكسور')

  await button(page, uiText('ar', 'office-documents:acts.submit.button')).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('button', { name: uiText('ar', 'office-documents:acts.submit.button') })
    .click()
  await page
    .locator('.standing')
    .getByText(uiText('ar', 'office-documents:states.submitted'))
    .waitFor()
  await page.goto('/office/documents?state=submitted')
  await page.locator('.own-title').waitFor()
})

test('in French on a desktop: two tabs, a return reason beside its field, and a new version', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  // The shop renders its pages again on its own; this test does not check them.
  const publisher = { changed: () => {} }
  const deps = { database: shop.database, now: Date.now, publisher } as unknown as Deps
  const { body: draft } = await shop.send(teacher, 'POST', '/office/documents')
  const { id } = draft as { id: number }
  const path = `${inLanguage('fr', '/office/document')}?id=${id}`
  const visitor = await atOffice(shop.url, teacher, { locale: 'fr', viewport: DESKTOP, allowed })
  const { page } = visitor
  await page.goto(path)
  await field(page, 'title').waitFor()
  const other = await visitor.context.newPage()
  await other.goto(path)
  await field(other, 'title').waitFor()

  await fillIn(page, 'fr', 'Fractions')
  await isSaved(page, 'fr')
  await field(other, 'description').fill('Écrit dans l’autre onglet')
  const conflict = other.locator('.conflict')
  await conflict.waitFor()
  await expect.poll(() => conflict.innerText()).toContain('Fractions')
  await expect.poll(() => conflict.innerText()).toContain('Écrit dans l’autre onglet')
  await conflict
    .getByRole('button', { name: uiText('fr', 'office-documents:form.conflict.take') })
    .click()
  await expect.poll(() => field(other, 'title').inputValue()).toBe('Fractions')
  await other.close()

  const choose = (name: string, pages: number) =>
    page.locator('.editor__file input[type="file"]').setInputFiles({
      name,
      mimeType: 'application/pdf',
      buffer: aPdf(name, pages),
    })
  // The file is in use, and the response to that is lost: a reload neither fails nor sends it
  // again.
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/part?offset=0')) sent++
  })
  const taking = `**/office/documents/${id}/file`
  await page.route(taking, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await choose('un.pdf', 2)
  await button(page, uiText('fr', 'office:upload.tryNow')).waitFor()
  await page.unroute(taking)
  await page.reload()
  await page.locator('.editor__file').getByText(uiText('fr', 'office:upload.done')).waitFor()
  expect(sent).toBe(1)
  await page
    .locator('.editor__file')
    .getByText(uiText('fr', 'office-documents:form.file.there'))
    .waitFor()
  expect((await shop.send(teacher, 'POST', `/office/documents/${id}/submit`)).status).toBe(200)
  const reason = 'Le titre est trop court.'
  await returnToTeacher(deps, { id, actor: 'command line' }, { reason, field: 'title' })
  await page.reload()
  await page.locator('.editor__text .field__error').getByText(reason).waitFor()

  await shop.send(teacher, 'POST', `/office/documents/${id}/submit`)
  await accept(deps, { id, actor: 'command line' })
  await page.goto(inLanguage('fr', `/shop-details/${id}`))
  expect(await factsOn(page)).toEqual(expect.arrayContaining(detailsOn('fr')))
  await page.goto(path)
  await page.getByLabel(uiText('fr', 'office-documents:form.file.note')).fill('Page 3 corrigée')
  const correction = page.locator('.field:has([name="correctionPage"])')
  await field(page, 'correctionPage').fill('3')
  await correction.getByText(uiText('fr', 'office-documents:needs.noSuchPage')).waitFor()
  await field(page, 'correctionPage').fill('2')
  await isSaved(page, 'fr')
  await choose('deux.pdf', 3)
  await page.locator('.editor > :last-child').scrollIntoViewIfNeeded()
  await page.locator('.life').getByText('Page 3 corrigée').first().waitFor()
  await page
    .locator('.standing')
    .getByText(uiText('fr', 'office-documents:form.waitingVersion'))
    .waitFor()
  // The note can also be typed after the file was chosen.
  const note = page.getByLabel(uiText('fr', 'office-documents:form.file.note'))
  await note.fill('Pages 3 et 4 corrigées')
  await note.press('Enter')
  await page.locator('.life').getByText('Pages 3 et 4 corrigées').first().waitFor()
  await expect
    .poll(() => field(page, 'niveauId').locator('optgroup').first().getAttribute('label'))
    .toBe(uiText('fr', 'catalogue:levels.primary-school.name'))

  await page
    .locator('.editor__file')
    .getByRole('link', { name: uiText('fr', 'office-documents:form.file.look') })
    .click()
  const picture = page.locator('.file img')
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(width).toBeGreaterThan(0)
  await button(page, uiText('fr', 'office-file:pages.next')).click()
  await expect.poll(() => picture.getAttribute('alt')).toBe('Page 2 sur 3')
  await expect.poll(width).toBeGreaterThan(0)
  await page.goto(`${inLanguage('fr', '/office/file')}?id=${id}&version=9`)
  await page.getByRole('alert').getByText(uiText('fr', 'errors:codes.file_missing')).waitFor()
})

test('in French on a desktop: what the title states is proposed, taken at once and saved', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'Salma', lastName: 'Trabelsi' })
  const { page } = await atOffice(shop.url, teacher, { locale: 'fr', viewport: DESKTOP })
  await page.goto(inLanguage('fr', '/office/documents/new'))
  await page.waitForURL(/\/office\/document\?id=\d+$/)
  await field(page, 'title').fill('Devoir de contrôle n°2, maths, 9ème, 2023-2024')
  const proposed = page.locator('.editor__proposed')
  await proposed.getByText(uiText('fr', 'office-documents:details.paperKind_control')).waitFor()
  await button(page, uiText('fr', 'office-documents:form.proposals.take')).click()
  await proposed.waitFor({ state: 'detached' })
  // It was said once, in a region that was there before.
  const title = uiText('fr', 'office-documents:form.proposals.title')
  const said = page.locator('.editor__text > [role="status"]', { hasText: title })
  expect(await said.count()).toBe(1)
  const focused = page.locator('.editor__text :focus')
  expect(await focused.getAttribute('name')).toBe('matiereId')
  const isTaken = async () => {
    await expect.poll(() => field(page, 'paperKind').inputValue()).toBe('control')
    expect(await field(page, 'paperNumber').inputValue()).toBe('2')
    expect(await field(page, 'schoolYear').inputValue()).toBe('2023/24')
    const subject = field(page, 'matiereId').locator('option:checked')
    expect(await subject.innerText()).toBe(uiText('fr', 'catalogue:matieres.mathematics'))
  }
  await isTaken()
  await isSaved(page, 'fr')
  await page.reload()
  await isTaken()

  // The first page of the file states what the title does not.
  const buffer = examPdf({ pages: ['Lycée Carnot\nDurée : 1h', 'Exercice 1'] })
  await page
    .locator('.editor__file input[type="file"]')
    .setInputFiles({ name: 'dc.pdf', mimeType: 'application/pdf', buffer })
  await proposed.getByText('Lycée Carnot').waitFor({ timeout: 3 * PATIENCE.timeout })
  await proposed.getByText(uiText('fr', 'office-documents:form.proposals.titleAndPage')).waitFor()
})

test('in French on a desktop: an empty draft is found again, and points are judged as they are typed', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'Salma', lastName: 'Jlassi' })
  const { page } = await atOffice(shop.url, teacher, { locale: 'fr', viewport: DESKTOP })
  const begin = async () => {
    await page.goto(inLanguage('fr', '/office/documents/new'))
    await page.waitForURL(/\/office\/document\?id=\d+$/)
    return page.url()
  }
  const first = await begin()
  expect(await begin()).toBe(first)
  await field(page, 'title').fill('Brevet blanc')
  await field(page, 'categoryId').selectOption({
    label: uiText('fr', 'catalogue:categories.exams'),
  })
  const points = field(page, 'exercisePoints')
  await points.fill('6 + 7')
  await page.getByText('Au total\u00a0: 13 sur 20').waitFor()
  expect(await points.getAttribute('aria-invalid')).not.toBe('true')
  await points.fill('6 + 7 + 8')
  await page.getByText('21 points').waitFor()
  expect(await points.getAttribute('aria-invalid')).toBe('true')
  await points.fill('six')
  await page.getByText(uiText('fr', 'office-documents:form.points.wrong')).waitFor()
  await points.fill('6 + 7 + 7')
  await page.getByText('Au total\u00a0: 20 sur 20').waitFor()
  await isSaved(page, 'fr')
  expect(await begin()).not.toBe(first)
})
