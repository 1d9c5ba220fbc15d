import { describe, expect, test } from 'vitest'
import { fillText, pluralText } from '../../../src/i18n/format.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { TYPED_PAGES } from '../../../src/rules/reading.ts'
import { atOffice, DESKTOP } from '../../support/browser.ts'
import { hasFocus, tabTo } from '../../support/keyboard.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aDocument, box, field, kept, pathOf, save, ticked } from '../../support/sample-page.ts'
import { PERSONAS, type Persona, sharedShop, testOnceAcrossLocales } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

describe.each(PERSONAS)('$who', ({ locale, viewport }: Persona) => {
  const texts = textsIn(locale, 'office-sample:page')

  test('a teacher selects pages by images and by numbers, at most a third', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 9)
    const visitor = await atOffice(shop.url, teacher, { locale, viewport })
    const { page } = visitor
    await page.goto(`${inLanguage(locale, '/office/document')}?id=${document.id}`)
    await page
      .getByRole('link', { name: uiText(locale, 'office-documents:form.file.sample') })
      .click()
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
    await visitor.leave()
  })

  test('errors of saving are shown, and the input stays', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 6)
    const allowed = [/status of 409|ERR_/]
    const visitor = await atOffice(shop.url, teacher, { locale, viewport, allowed })
    const { page } = visitor
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
    await visitor.leave()
  })

  const testOnce = testOnceAcrossLocales(locale)

  testOnce('a selection made during a save stays', async () => {
    const teacher = await shop.anOfficeTeacher()
    const document = await aDocument(shop, teacher, 6)
    const visitor = await atOffice(shop.url, teacher, { locale, viewport })
    const { page } = visitor
    await page.goto(pathOf(locale, document))
    await field(page).fill('2')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/sample', async (route) => {
      await released
      await route.continue()
    })
    const saved = page.waitForResponse('**/sample')
    await save(page).click()
    await expect.poll(() => save(page).getAttribute('aria-busy')).toBe('true')
    await box(page, 3).check()
    release()
    await (await saved).finished()
    await save(page).click()
    await expect.poll(() => kept(shop, teacher, document)).toEqual([2, 3])
    await expect.poll(() => field(page).inputValue()).toBe('2, 3')
    await visitor.leave()
  })

  testOnce(
    'images whose links have expired load through new links, which are requested once',
    async () => {
      const teacher = await shop.anOfficeTeacher()
      const document = await aDocument(shop, teacher, 3)
      const allowed = [/status of 403/]
      const visitor = await atOffice(shop.url, teacher, { locale, viewport, allowed })
      const { page } = visitor
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
      await visitor.leave()
    },
  )

  testOnce('documents of one, two and three pages show one of them', async () => {
    const teacher = await shop.anOfficeTeacher()
    const visitor = await atOffice(shop.url, teacher, { locale, viewport })
    const { page } = visitor
    for (const pages of [1, 2, 3]) {
      const document = await aDocument(shop, teacher, pages)
      await page.goto(pathOf(locale, document))
      await page.getByText(pluralText(locale, texts.rule, 'pages', 1), { exact: true }).waitFor()
      expect(await page.locator('.sample__page').count()).toBe(pages)
      expect(await ticked(page)).toEqual([1])
      if (pages === 1) continue
      await box(page, pages).check()
      const tooMany = pluralText(locale, texts.wrong, 'tooMany', 1)
      await page.locator('.field__error').getByText(tooMany, { exact: true }).waitFor()
      await box(page, 1).uncheck()
      await save(page).click()
      await expect.poll(() => kept(shop, teacher, document)).toEqual([pages])
    }
    await visitor.leave()
  })

  testOnce(
    'a document that was taken down has its sample too, another teacher’s is not found',
    async () => {
      const [teacher, other] = await Promise.all([shop.anOfficeTeacher(), shop.anOfficeTeacher()])
      const unpublished = await aDocument(shop, teacher, 3, false)
      const theirs = await aDocument(shop, other, 3)
      const allowed = [/status of 404/]
      const visitor = await atOffice(shop.url, teacher, { locale, viewport, allowed })
      const { page } = visitor
      await page.goto(pathOf(locale, unpublished))
      await field(page).fill('3')
      await save(page).click()
      await expect.poll(() => kept(shop, teacher, unpublished)).toEqual([3])
      for (const missing of [theirs.id, 999_999_999]) {
        await page.goto(pathOf(locale, { id: missing }))
        await page
          .getByRole('alert')
          .getByText(uiText(locale, 'errors:codes.document_not_found'))
          .waitFor()
        // Retrying does not load it.
        expect(await page.locator('main .error-state button').count()).toBe(0)
      }
      await visitor.leave()
    },
  )
})

test.each(['ar', 'fr'] as const)('by keyboard alone, in %s', async (locale) => {
  const teacher = await shop.anOfficeTeacher()
  const document = await aDocument(shop, teacher, 6)
  const visitor = await atOffice(shop.url, teacher, { locale, viewport: DESKTOP })
  const { page } = visitor
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
  await visitor.leave()
})
