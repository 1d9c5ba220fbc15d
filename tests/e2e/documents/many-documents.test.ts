import { zipSync } from 'fflate'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { fillText, isolate, pluralText } from '../../../src/i18n/format.ts'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { atOffice } from '../../support/browser.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { link } from '../../support/scene-steps.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const file = (name: string, buffer: Buffer | Uint8Array) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(buffer),
})
const rowsOf = (page: Page) => page.locator('main tbody tr')
const rowNamed = (page: Page, title: string) =>
  rowsOf(page).filter({ has: page.locator(`[data-field=title][value="${title}"]`) })
const cell = (row: ReturnType<typeof rowsOf>, field: string) => row.locator(`[data-field=${field}]`)

/** The own documents as the shop has them, by their titles. */
async function documentsOf(teacher: Person) {
  const { body } = await shop.send(teacher, 'GET', '/office/documents?size=100')
  const documents = body.content as { title: string; state: string; pageCount: number | null }[]
  return new Map(documents.map((document) => [document.title, document]))
}

async function openMany(page: Page, locale: Locale) {
  await page.goto(inLanguage(locale, '/office/documents'))
  await link(page, locale, 'office-many:page.link').click()
  await page.locator('.upload input[multiple]').waitFor({ state: 'attached' })
}

const drop = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('.upload input[multiple]').setInputFiles(files)

const paste = (control: ReturnType<typeof rowsOf>, text: string) =>
  control.evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    const event = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', event))
  }, text)

test.each(PERSONAS)(
  '$who: PDFs, pictures and a ZIP become drafts, are corrected in one table and sent',
  async ({ locale, viewport }) => {
    const texts = textsIn(locale, 'office-many:rows')
    const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await openMany(page, locale)
    await page.getByText(texts.empty).waitFor()
    const picture = await aPicture('#345')
    const archive = zipSync({
      'cours/resume.pdf': aPdf('resume', 2),
      '__MACOSX/cours/._resume.pdf': new Uint8Array([1]),
      'photos/page 10.png': picture,
      'photos/page 2.png': picture,
    })
    await drop(page, [
      file('devoir_de_contrôle_1_maths_9ème_2023-2024.pdf', aPdf('a', 3)),
      file('all.zip', archive),
      file('notes.txt', Buffer.from('x')),
      file('broken.zip', Buffer.from('PK')),
      file('page 1.png', picture),
      file('page 2.jpg', Buffer.from('x')),
    ])
    const rows = rowsOf(page)
    await expect.poll(() => rows.count()).toBe(3)
    const refused = page.locator('.alert li')
    await expect
      .poll(() => refused.allInnerTexts())
      .toEqual(
        ['broken.zip', 'notes.txt', 'page 2.jpg'].map((name) => expect.stringContaining(name)),
      )

    // The title's facts are in the cells; the pictures are the pages of one file.
    const exam = rows.nth(0)
    await expect.poll(() => cell(exam, 'paperKind').inputValue()).toBe('control')
    await expect.poll(() => cell(exam, 'schoolYear').inputValue()).toBe('2023/24')
    await expect.poll(async () => (await documentsOf(teacher)).get('photos')?.pageCount).toBe(2)

    // A column of titles is pasted; Enter goes down.
    await paste(cell(exam, 'title'), 'Contrôle un\nRésumé\nPhotos de pages')
    await expect
      .poll(async () => [...(await documentsOf(teacher)).keys()].toSorted())
      .toEqual(['Contrôle un', 'Photos de pages', 'Résumé'])
    await cell(exam, 'price').fill('abc')
    await cell(exam, 'price').press('Enter')
    await exam.locator('.field__error').waitFor()
    expect(await cell(rows.nth(1), 'price').evaluate((it) => it === document.activeElement)).toBe(
      true,
    )

    // What they share is written into all; a pasted name that no class has changes nothing.
    const fill = page.locator('main form')
    const chooseFirst = (name: string) => fill.locator(`[name=${name}]`).selectOption({ index: 1 })
    for (const name of ['niveauId', 'categoryId', 'type']) await chooseFirst(name)
    await chooseFirst('matiereId')
    await fill.locator('[name=rule]').selectOption('pages')
    await fill.locator('[name=price]').fill('9000')
    await fill.locator('[type=submit]').click()
    await fill.locator('.field__error').waitFor()
    await fill.locator('[name=price]').fill('1')
    await fill.locator('[type=submit]').click()
    await paste(cell(exam, 'niveauId'), 'nulle part\nailleurs')
    await page.getByText(pluralText(locale, texts, 'unknown', 2)).waitFor()
    await expect.poll(() => rows.locator('.state-mark--good').count()).toBe(3)
    expect(await cell(exam, 'price').inputValue()).toBe(locale === 'fr' ? '3,00' : '3.00')

    // One is left for later, another opens in its own form.
    await rows.nth(1).getByRole('checkbox').uncheck()
    await page.locator('main .many > .cluster .button--primary').click()
    await page.getByText(pluralText(locale, texts, 'sent', 2)).waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    const sent = await documentsOf(teacher)
    expect([...sent.values()].map(({ title, state }) => [title, state]).toSorted()).toEqual([
      ['Contrôle un', 'submitted'],
      ['Photos de pages', 'submitted'],
      ['Résumé', 'draft'],
    ])
    await rows.nth(0).getByRole('button').last().click()
    await page.getByRole('dialog').locator('.button--danger').click()
    await page.getByText(texts.empty).waitFor()
  },
)

test.each(PERSONAS)(
  '$who: a file that the shop has, and one that comes twice, are said in their rows as they arrive',
  async ({ locale, viewport }) => {
    const texts = textsIn(locale, 'office-many:row')
    const seller = await shop.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
    const title = `Devoir ${locale}`
    const sold = aPdf(`sold ${locale}`, 1)
    const { id } = await shop.aDocument({ teacherId: seller.teacherId, title, file: sold })
    const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await openMany(page, locale)
    const twice = aPdf(`twice ${locale}`, 2)
    await drop(page, [file('sold.pdf', sold), file('one.pdf', twice), file('two.pdf', twice)])
    const said = (name: string) => rowNamed(page, name).locator('.many__alike a')
    const like = { title: isolate(title), teacher: isolate('Leïla Gharbi') }
    await said('sold').getByText(fillText(texts.same, like)).waitFor()
    expect(await said('sold').getAttribute('href')).toBe(inLanguage(locale, `/shop-details/${id}`))
    await said('one')
      .getByText(fillText(texts.sameOwn, { title: isolate('two') }))
      .waitFor()
    await said('two')
      .getByText(fillText(texts.sameOwn, { title: isolate('one') }))
      .waitFor()
    // It only informs, and goes with its cause.
    await rowNamed(page, 'two').getByRole('button').last().click()
    await page.getByRole('dialog').locator('.button--danger').click()
    await expect.poll(() => rowsOf(page).count()).toBe(2)
    await page.reload()
    await said('sold').waitFor()
    expect(await said('one').count()).toBe(0)
  },
)

test('an interrupted file goes on after a reload, and a repeated one begins no second draft', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const line = await cuttableProxy(shop.url)
  const { page } = await atOffice(line.url, teacher, { locale: 'fr', allowed: [/ERR_/] })
  await openMany(page, 'fr')
  const pdf = file('Fractions.pdf', Buffer.concat([aPdf('a', 1), Buffer.alloc(300_000, ' ')]))
  let parts = 0
  await page.route('**/part?*', async (route) => {
    parts++
    if (parts === 2) line.cut()
    await route.continue()
  })
  await drop(page, pdf)
  await page.getByText(uiText('fr', 'office:upload.tryNow')).waitFor()
  line.mend()
  await page.unroute('**/part?*')
  await page.reload()
  await expect.poll(async () => (await documentsOf(teacher)).get('Fractions')?.pageCount).toBe(1)
  await rowNamed(page, 'Fractions').waitFor()
  await drop(page, pdf)
  await page.getByText(/déjà parmi vos brouillons/).waitFor()
  expect((await documentsOf(teacher)).size).toBe(1)
})

test('a draft that changed elsewhere keeps that, and takes what is typed here', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const draft = await shop.send(teacher, 'POST', '/office/documents')
  const { page } = await atOffice(shop.url, teacher, { locale: 'fr', allowed: [/409/] })
  await openMany(page, 'fr')
  await rowsOf(page).first().waitFor()
  const { id, revision } = draft.body
  const text = { title: 'Ailleurs', description: '', price: null, priceDiscount: null }
  const names = { matiereId: null, niveauId: null, categoryId: null, type: null }
  await shop.send(teacher, 'PUT', `/office/documents/${id}`, { revision, ...text, ...names })
  await cell(rowsOf(page).first(), 'price').fill('4,5')
  await cell(rowsOf(page).first(), 'price').blur()
  await expect
    .poll(async () => (await shop.send(teacher, 'GET', `/office/documents/${id}`)).body.document)
    .toMatchObject({ title: 'Ailleurs', price: 4.5 })
  await rowNamed(page, 'Ailleurs').waitFor()
})
