import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { documentTag, teacherTag } from '../../../src/rules/page-tags.ts'
import { noteChanges } from '../../../src/server/publishing/changes/changes.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { button, link } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const FOUR = { ar: '4 نجوم', fr: '4 étoiles' }

const message = (locale: Locale, name: KeyIn<'ratings:form.messages'>) =>
  uiText(locale, `ratings:form.messages.${name}`)
const says = (page: Page, locale: Locale, name: KeyIn<'ratings:form.messages'>) =>
  page.locator('.rating-form').getByText(message(locale, name)).waitFor()
const star = (page: Page, label: string) =>
  page.locator('.star-choice label', { hasText: label }).first()
/** Waits until a page shows a text; skips the minute in which ratings are batched. */
async function published(tag: string, address: string, text: string): Promise<void> {
  await noteChanges(shop.database.kysely, [tag])
  await expect.poll(async () => (await fetch(shop.url + address)).text()).toContain(text)
}
const submit = (page: Page, locale: Locale) => button(page, locale, 'ratings:form.submit')

journeys('ratings', ({ locale, viewport }, test) => {
  const four = FOUR[locale]
  test('an owner rates by pointer, with a comment: the average follows, and it can be edited', async () => {
    const document = await shop.aDocument({ title: `Note ${locale}`, price: dinars(2) })
    const parent = await shop.aCustomer({ balance: dinars(5), firstName: 'Amal' })
    await shop.buys(parent, [document.id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const address = pathIn(locale, `/shop-details/${document.id}`)
    await page.goto(address)
    const average = page.locator('[data-average]')
    await expect.poll(() => average.innerText()).toContain(uiText(locale, 'common:rating.none'))
    await submit(page, locale).click()
    await says(page, locale, 'noStars')
    await star(page, four).click()
    await page.getByLabel(uiText(locale, 'ratings:form.comment')).fill('شرح واضح')
    await submit(page, locale).click()
    await says(page, locale, 'success')
    await expect.poll(() => average.innerText()).toContain(locale === 'fr' ? '4,0' : '4.0')
    await expect.poll(() => average.innerText()).toContain('(1)')
    // So do the bars, which a first rating adds.
    const bars = () =>
      page
        .locator('.star-counts li')
        .evaluateAll((all) => all.map((bar) => bar.lastChild?.textContent))
    await expect.poll(bars).toEqual(['0', '1', '0', '0', '0'])

    // On the next visit the form contains it.
    await published(documentTag(document.id), address, 'شرح واضح')
    await page.goto(address)
    await page.locator('.rating-form textarea').focus()
    await button(page, locale, 'ratings:form.again').waitFor()
    await expect.poll(() => page.locator('.rating-form textarea').inputValue()).toBe('شرح واضح')
    await expect.poll(() => page.getByRole('radio', { name: four }).isChecked()).toBe(true)
    const comment = page.locator('.comment', { hasText: 'شرح واضح' })
    await expect
      .poll(() => comment.innerText())
      .toContain(uiText(locale, 'ratings:comments.verified'))
    await expect.poll(() => comment.locator('.comment__text').getAttribute('dir')).toBe('auto')
  })

  test('by keyboard alone, for a teacher; a visitor who bought nothing does not count', async () => {
    const { teacherId } = await shop.aDocument({ title: `Prof ${locale}` })
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), { locale, viewport })
    const address = pathIn(locale, `/teacher-details/${teacherId}`)
    await page.goto(address)
    const radios = page.locator('.star-choice input')
    await radios.first().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => radios.first().isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => radios.nth(2).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Bien')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await says(page, locale, 'success')
    const average = page.locator('[data-average]')
    await expect.poll(() => average.innerText()).toContain(uiText(locale, 'common:rating.none'))
    await published(teacherTag(teacherId), address, 'Bien')
    await page.goto(address)
    const comment = page.locator('.comment', { hasText: 'Bien' })
    await expect.poll(() => comment.locator('.badge').count()).toBe(0)
  })

  const kinds = [
    ['document', 'logInToRateDocument'],
    ['teacher', 'logInToRateTeacher'],
  ] as const
  for (const [kind, name] of kinds) {
    test(`logged out, a star of a ${kind} asks to log in and leads there`, async () => {
      const { id, teacherId } = await shop.aDocument({ title: `Dehors ${locale} ${kind}` })
      const path = kind === 'document' ? `/shop-details/${id}` : `/teacher-details/${teacherId}`
      const { page } = await newVisitor(shop.url, { locale, viewport, at: path })
      await star(page, four).click()
      await says(page, locale, name)
      await page.waitForURL(
        (url) =>
          url.pathname === pathIn(locale, '/login') &&
          url.searchParams.get('returnTo') === inLanguage(locale, path),
      )
    })
  }

  test('every other failure has a message', async () => {
    const { id, teacherId } = await shop.aDocument({ title: `Erreurs ${locale}` })
    const parent = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, parent, {
      locale,
      viewport,
      allowed: [/status of [45]/],
    })
    let answer = { status: 500, error: 'server_error' }
    await page.route('**/api/ratings', (route) =>
      route.fulfill({ status: answer.status, json: { ...answer, message: '' } }),
    )
    await page.goto(pathIn(locale, `/shop-details/${id}`))
    await star(page, four).click()
    await submit(page, locale).click()
    await says(page, locale, 'failed')
    answer = { status: 404, error: 'document_not_found' }
    await submit(page, locale).click()
    await says(page, locale, 'documentNotFound')
    await page.goto(pathIn(locale, `/teacher-details/${teacherId}`))
    answer = { status: 404, error: 'teacher_not_found' }
    await star(page, four).click()
    await submit(page, locale).click()
    await says(page, locale, 'teacherNotFound')
    answer = { status: 401, error: 'invalid_token' }
    await submit(page, locale).click()
    await says(page, locale, 'logInToSubmit')
    await link(page.locator('.rating-form'), locale, 'ratings:form.login').waitFor()
  })
})

test('the English texts match the specification', () => {
  expect(
    (
      ['logInToRateDocument', 'logInToRateTeacher', 'logInToSubmit', 'noStars', 'success'] as const
    ).map((name) => message('en', name)),
  ).toEqual([
    'Please log in to rate the document',
    'Please log in to rate the teacher',
    'Please log in to submit a rating.',
    'Please select a star rating.',
    'Rating submitted successfully!',
  ])
  expect(message('en', 'failed')).toBe('Failed to submit rating. Please try again.')
  expect(message('en', 'documentNotFound')).toBe('Document not found.')
})
