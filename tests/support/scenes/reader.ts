import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { untilHydrated } from '../browser.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import { OWNED } from './samples.ts'
import { type Scene, scene } from './scene.ts'

/** Opens the reader at the first page, and waits for its image. */
async function openReader(page: Page, locale: Locale): Promise<void> {
  await open(page, locale, `/read/${OWNED}`)
  await untilHydrated(page)
  const first = page.locator('[data-page="1"] img')
  await first.waitFor()
  await first.evaluate((picture: HTMLImageElement) => picture.decode())
}

/** Changes the response about the reader's document. */
const withReading = (page: Page, answer: (reading: object) => { status?: number; json: object }) =>
  page.route('**/api/library/documents/*/reading', async (route) => {
    const reading = await (await route.fetch()).json()
    await route.fulfill(answer(reading))
  })

const OUTLINE = [
  { title: 'الدرس', page: 1, depth: 0 },
  { title: 'تعريف الكسر، ومتى نقول إن كسرين متساويان', page: 1, depth: 1 },
  { title: 'Comparer deux fractions', page: 2, depth: 1 },
  { title: 'التمارين', page: 3, depth: 0 },
  { title: 'الحلول', page: 5, depth: 0 },
]

/** The reader, its panels, and its messages for a document that it cannot open. */
export const READER_SCENES: readonly Scene[] = [
  { name: 'reader', as: 'parent', show: openReader },
  scene('reader-scroll', { as: 'parent' }, async (page, locale) => {
    await openReader(page, locale)
    await button(page, locale, 'reader:page.view').click()
    await page.getByRole('radio', { name: uiText(locale, 'reader:view.scroll') }).check()
    await page.keyboard.press('Escape')
    await page.locator('.reader__stage--scroll').waitFor()
  }),
  scene('reader-find', { as: 'parent' }, async (page, locale) => {
    await openReader(page, locale)
    await button(page, locale, 'reader:page.find').click()
    const panel = await dialogOf(page, locale, 'reader:find.title')
    await panel.getByLabel(uiText(locale, 'reader:find.label')).fill('الك')
    await button(panel, locale, 'reader:find.submit').click()
    await panel.locator('.reader__list li').first().waitFor()
  }),
  scene('reader-contents', { as: 'parent' }, async (page, locale) => {
    await withReading(page, (reading) => ({ json: { ...reading, outline: OUTLINE } }))
    await openReader(page, locale)
    await button(page, locale, 'reader:page.contents').click()
    await dialogOf(page, locale, 'reader:contents.title')
  }),
  scene('reader-unreadable', { as: 'parent' }, async (page, locale) => {
    await withReading(page, () => ({
      status: 422,
      json: { error: 'document_unreadable', message: '' },
    }))
    await open(page, locale, `/read/${OWNED}`)
    await page.getByText(uiText(locale, 'reader:problems.unreadable.title')).waitFor()
  }),
]
