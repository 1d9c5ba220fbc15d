import { expect, test } from 'vitest'
import { fillText, pluralText } from '../../../src/i18n/format.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { TYPED_PAGES } from '../../../src/rules/reading.ts'
import { atOffice } from '../../support/browser.ts'
import { hasFocus, tabTo } from '../../support/keyboard.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aDocument, box, field, kept, pathOf, save, ticked } from '../../support/sample-page.ts'
import { link } from '../../support/scene-steps.ts'
import { FRENCH, journeys, sharedShop } from '../../support/stage.ts'
import { hold } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a sample', ({ locale, viewport }, test) => {
  const texts = textsIn(locale, 'office-sample:page')

  test('a teacher selects pages by images and by numbers, at most a third', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 9)
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await page.goto(`${inLanguage(locale, '/office/document')}?id=${document.id}`)
    await link(page, locale, 'office-documents:form.file.sample').click()
    await page.getByText(pluralText(locale, texts.rule, 'pages', 3), { exact: true }).waitFor()
    expect(await ticked(page)).toEqual([1, 2])
    expect(await field(page).inputValue()).toBe('1, 2')
    await expect
      .poll(() =>
        page
          .locator('.sample__page img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBe(480)

    await box(page, 5).check()
    await expect.poll(() => field(page).inputValue()).toBe('1, 2, 5')
    await box(page, 9).check()
    const tooMany = pluralText(locale, texts.wrong, 'tooMany', 3)
    await page.locator('.field__error').getByText(tooMany, { exact: true }).waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await box(page, 1).uncheck()
    await page.locator('.field__error').waitFor({ state: 'detached' })
    await save(page).click()
    await page.getByRole('status').getByText(texts.saved, { exact: true }).waitFor()
    expect(await kept(shop, teacher, document)).toEqual([2, 5, 9])

    await page.reload()
    await expect.poll(() => ticked(page)).toEqual([2, 5, 9])
    for (const [typed, sentence] of [
      ['10', fillText(texts.wrong.unknown, { count: 9 })],
      ['3 3', texts.wrong.repeated],
      ['x', fillText(texts.wrong.unreadable, { example: `\u2066${TYPED_PAGES}\u2069` })],
    ] as const) {
      await field(page).fill(typed)
      await page.locator('.field__error').getByText(sentence, { exact: true }).waitFor()
    }
    // As Arabic keyboards type it.
    await field(page).fill('٢-٣، 7')
    await expect.poll(() => ticked(page)).toEqual([2, 3, 7])
    await save(page).click()
    await expect.poll(() => field(page).inputValue()).toBe('2, 3, 7')
    expect(await kept(shop, teacher, document)).toEqual([2, 3, 7])
    await page.getByRole('button', { name: texts.first, exact: true }).click()
    await expect.poll(() => ticked(page)).toEqual([1, 2])
    await expect.poll(() => kept(shop, teacher, document)).toBe(null)
  })

  test('errors of saving are shown, and the input stays', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 6)
    const allowed = [/status of 409|ERR_/]
    const { page } = await atOffice(shop.url, teacher, { locale, viewport, allowed })
    await page.goto(pathOf(locale, document))
    await field(page).fill('4')
    await page.route('**/sample', (route) => route.abort())
    await save(page).click()
    const alert = page.getByRole('alert')
    await alert.getByText(uiText(locale, 'errors:codes.network'), { exact: true }).waitFor()
    await page.unroute('**/sample')

    await shop.database.kysely
      .updateTable('documents')
      .set({ state: 'submitted' })
      .where('id', '=', document.id)
      .execute()
    await save(page).click()
    const refused = uiText(locale, 'office-errors:codes.document_under_review')
    await alert.getByText(refused, { exact: true }).waitFor()
    expect(await field(page).inputValue()).toBe('4')
    expect(await kept(shop, teacher, document)).toBe(null)
  })

  test('a selection made during a save stays', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 6)
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await page.goto(pathOf(locale, document))
    await field(page).fill('2')
    const release = await hold(page, '**/sample')
    const saved = page.waitForResponse('**/sample')
    await save(page).click()
    await expect.poll(() => save(page).getAttribute('aria-busy')).toBe('true')
    await box(page, 3).check()
    release()
    await (await saved).finished()
    await save(page).click()
    await expect.poll(() => kept(shop, teacher, document)).toEqual([2, 3])
    await expect.poll(() => field(page).inputValue()).toBe('2, 3')
  })

  test('images whose links have expired load through new links, which are requested once', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 3)
    const allowed = [/status of 403/]
    const { page } = await atOffice(shop.url, teacher, { locale, viewport, allowed })
    // Until other links are requested.
    let links = 0
    await page.route('**/api/office/documents/*/preview*', async (route) => {
      links++
      await route.continue()
    })
    await page.route('**/api/preview/**', (route) =>
      links === 1 ? route.fulfill({ status: 403 }) : route.continue(),
    )
    await page.goto(pathOf(locale, document))
    const pictures = page.locator('.sample__page img')
    await expect.poll(() => pictures.count()).toBe(3)
    for (let at = 0; at < 3; at++) {
      const picture = pictures.nth(at)
      await picture.scrollIntoViewIfNeeded()
      const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
      await expect.poll(width, PATIENCE).toBe(480)
    }
    expect(links).toBe(2)
  })

  test('of another teacher’s document is not found, which retrying does not change', async () => {
    const [teacher, other] = await Promise.all([shop.anOfficeTeacher(), shop.anOfficeTeacher()])
    const allowed = [/status of 404/]
    const { page } = await atOffice(shop.url, teacher, { locale, viewport, allowed })
    await page.goto(pathOf(locale, await aDocument(shop, other, 3)))
    const missing = uiText(locale, 'errors:codes.document_not_found')
    await page.getByRole('alert').getByText(missing).waitFor()
    expect(await page.locator('main .error-state button').count()).toBe(0)
  })
})

test('by keyboard alone', async () => {
  const { locale } = FRENCH
  const teacher = await shop.anOfficeTeacher()
  const document = await aDocument(shop, teacher, 6)
  const { page } = await atOffice(shop.url, teacher, FRENCH)
  await page.goto(pathOf(locale, document))
  await tabTo(page, field(page))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await expect.poll(() => kept(shop, teacher, document)).toEqual([2])
  await tabTo(page, box(page, 3))
  await page.keyboard.press('Space')
  await expect.poll(() => field(page).inputValue()).toBe('2, 3')
  await expect.poll(() => hasFocus(box(page, 3))).toBe(true)
})
