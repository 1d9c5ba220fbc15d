import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { SAMPLE_QUERY } from '../../../src/rules/sample-query.ts'
import { untilHydrated } from '../browser.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import { OWNED, PAPER } from './samples.ts'
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

/** As a paper of two pages with its correction, whose exercises have points. */
const asPaper = (reading: object) => ({
  json: {
    ...reading,
    paper: {
      ...{ minutes: null, correctionPage: 3, exercisePoints: [24, 30, 26] },
      ...{ matiereId: 1, matiereName: '', matiereCode: 'mathematics', matiereNames: null },
    },
  },
})

async function startExam(page: Page, locale: Locale): Promise<void> {
  await button(page, locale, 'reader:exam.open').click()
  await button(page, locale, 'reader:exam.start').click()
  await page.locator('.exam-clock').waitFor()
}

async function endExam(page: Page, locale: Locale): Promise<void> {
  await button(page, locale, 'reader:exam.stop').click()
  await button(page, locale, 'reader:exam.stopYes').click()
  await page.locator('.exam-sheet img').nth(1).waitFor()
}

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
  scene('reader-exam', { as: 'parent' }, async (page, locale) => {
    await withReading(page, asPaper)
    await openReader(page, locale)
    await button(page, locale, 'reader:exam.open').click()
    await dialogOf(page, locale, 'reader:exam.title')
  }),
  scene('reader-exam-clock', { as: 'parent' }, async (page, locale) => {
    await withReading(page, asPaper)
    await openReader(page, locale)
    await startExam(page, locale)
    await button(page, locale, 'reader:exam.stop').click()
    await button(page, locale, 'reader:exam.stopYes').waitFor()
  }),
  scene('reader-exam-over', { as: 'parent' }, async (page, locale) => {
    await withReading(page, asPaper)
    await openReader(page, locale)
    await startExam(page, locale)
    await endExam(page, locale)
  }),
  scene('reader-exam-mark', { as: 'parent', part: '.reader__panel' }, async (page, locale) => {
    await withReading(page, asPaper)
    await openReader(page, locale)
    await startExam(page, locale)
    await endExam(page, locale)
    await button(page, locale, 'reader:exam.give').click()
    const panel = await dialogOf(page, locale, 'reader:exam.give')
    await button(panel, locale, 'reader:exam.save').click()
    await panel.locator('.field__error').first().waitFor()
  }),
  scene('reader-sample', { as: 'parent' }, async (page, locale) => {
    await open(page, locale, `/read/${PAPER}${SAMPLE_QUERY}`)
    await button(page, locale, 'reader:exam.start').waitFor()
    await page.locator('[data-page="1"] img').waitFor()
  }),
  scene('reader-sample-over', { as: 'parent' }, async (page, locale) => {
    await open(page, locale, `/read/${PAPER}${SAMPLE_QUERY}`)
    await button(page, locale, 'reader:exam.start').click()
    await button(page, locale, 'reader:exam.stop').click()
    await button(page, locale, 'reader:exam.stopYes').click()
    await page.locator('.exam-sheet img').waitFor()
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
