import type { Page } from 'playwright'
import type { PurchasedDocument } from '../../../src/contract/library.ts'
import type { Locale } from '../../../src/i18n/locales.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { downloadOfFirst, showBooks, showChoices, showTable } from '../library.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import { OWNED } from './samples.ts'
import { type Scene, scene } from './scene.ts'

type Book = Record<string, unknown>

/** Stubs my documents with others instead of the real purchases. */
async function withDocuments(
  page: Page,
  change: (documents: readonly Book[]) => readonly Book[],
): Promise<void> {
  await page.route('**/api/purchaseddocuments/user/purchased', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: change(await answer.json()) })
  })
}

async function openDocuments(page: Page, locale: Locale): Promise<void> {
  await open(page, locale, '/my-documents')
  await page.locator('[data-purchased]').first().waitFor()
}

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`

/** Long and short, in both scripts, as teachers write them. */
const TITLES = [
  'الكسور خطوة بخطوة: دروس وتمارين محلولة للسنة السادسة من التعليم الأساسي',
  'Équations du second degré : méthodes et exercices corrigés, 2ᵉ année secondaire',
  'Past simple',
  'فرض مراقبة عدد 3 في الرياضيات',
]

const sixty = ([first]: readonly Book[]): Book[] =>
  Array.from({ length: 60 }, (_, n) => ({
    ...first,
    documentId: 1000 + n,
    documentTitle: `${TITLES[n % TITLES.length]} ${n + 1}`,
    matiereCode: ['mathematics', 'science', 'english', 'arabic'][n % 4],
    purchaseDate: at(1 + (n % 28)),
    amount: n % 5 === 0 ? 0 : 7.5,
    averageRating: n % 3 === 0 ? 0 : 4.5,
    ownRating: n % 4 === 0 ? 4 : null,
    pageCount: 24,
    place: n % 3 === 0 ? { page: 1 + (n % 24), at: at(1 + (n % 28)) } : undefined,
  }))

/** The first document has a new version, and the previous one is still offered. */
function withNews([first, ...others]: readonly Book[]): Book[] {
  const now = new Date()
  const news: Pick<PurchasedDocument, 'newVersion' | 'earlierVersion'> = {
    newVersion: {
      number: 3,
      at: now.toISOString(),
      changes: 'تصحيح التمرين 3 في الصفحة 12\nExercice 7 : énoncé plus clair',
    },
    earlierVersion: { number: 2, until: new Date(now.getTime() + 30 * DAY_MS).toISOString() },
  }
  return [{ ...first, ...news }, ...others]
}

const SHELVES = [
  { id: 1, name: 'ياسمين', documentIds: [OWNED] },
  { id: 2, name: 'Mohamed Amine (7ème)', documentIds: [] },
]

const withShelves = (page: Page, shelves: readonly object[] = SHELVES) =>
  page.route('**/api/library/shelves', (route) => route.fulfill({ json: shelves }))

const mine = (
  name: string,
  more: Partial<Omit<Scene, 'name' | 'show'>>,
  show: Scene['show'],
): Scene => ({ name: `my-documents${name && '-'}${name}`, as: 'parent', show, ...more })

/** A dialog over my documents. */
const over = (name: string, more: Pick<Scene, 'only'>, show: Scene['show']): Scene =>
  mine(name, { part: 'dialog', ...more }, show)

/** Purchases: my documents in every state, their dialogs, and the page while offline. */
export const LIBRARY_SCENES: readonly Scene[] = [
  mine('', {}, openDocuments),
  mine('shelf', { only: 'wide' }, async (page, locale) => {
    await openDocuments(page, locale)
    await showBooks(page, locale)
    await page.locator('.books').waitFor()
  }),
  mine('table', { only: 'phone' }, async (page, locale) => {
    await openDocuments(page, locale)
    await showTable(page, locale)
    await page.locator('.row-actions').first().waitFor()
  }),
  mine('one', { part: '.library' }, async (page, locale) => {
    await withDocuments(page, (documents) => documents.slice(0, 1))
    await openDocuments(page, locale)
  }),
  mine('sixty', { part: '.library' }, async (page, locale) => {
    await withDocuments(page, sixty)
    await withShelves(page)
    await openDocuments(page, locale)
    await showChoices(page, locale)
    await page.locator('.shelf-label').first().waitFor()
  }),
  mine('none-found', { part: '.library' }, async (page, locale) => {
    await openDocuments(page, locale)
    await showChoices(page, locale)
    await page.getByLabel(uiText(locale, 'library:page.search')).fill('zzz')
    await button(page, locale, 'library:page.none.clear').waitFor()
  }),
  over('book', { only: 'phone' }, async (page, locale) => {
    await withShelves(page)
    await openDocuments(page, locale)
    await page
      .locator('[aria-haspopup=dialog][aria-label]')
      .filter({ visible: true })
      .last()
      .click()
    await page.locator('dialog .facts-list').waitFor()
  }),
  over('new-version', { only: 'phone' }, async (page, locale) => {
    await withDocuments(page, withNews)
    await openDocuments(page, locale)
    const book = page.locator('[data-purchased]', { has: page.locator('.badge') })
    await book.locator('[aria-haspopup=dialog]').click()
    await page.locator('.new-version').waitFor()
  }),
  over('rating', {}, async (page, locale) => {
    await openDocuments(page, locale)
    await page.locator('.own-stars').first().click()
    await page.locator('dialog').getByRole('radio').first().waitFor()
  }),
  over('several', {}, async (page, locale) => {
    await withDocuments(page, sixty)
    await openDocuments(page, locale)
    await button(page, locale, 'downloads:several.open').click()
    await dialogOf(page, locale, 'downloads:several.title')
  }),
  over('shelves', {}, async (page, locale) => {
    await withShelves(page)
    await openDocuments(page, locale)
    await showChoices(page, locale)
    await button(page, locale, 'library:shelves.edit').click()
    const dialog = await dialogOf(page, locale, 'library:shelves.title')
    await dialog.locator('.shelf-list').waitFor()
  }),
  over('fill-shelf', {}, async (page, locale) => {
    await withShelves(page)
    await openDocuments(page, locale)
    await showChoices(page, locale)
    await button(page, locale, 'library:shelves.edit').click()
    const dialog = await dialogOf(page, locale, 'library:shelves.title')
    await button(dialog, locale, 'library:shelves.fill').first().click()
    await dialog.locator('.fill-shelf').waitFor()
  }),
  mine('download-outside', { part: '[data-purchased]' }, async (page, locale) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'userAgent', { value: 'Instagram' })
    })
    await openDocuments(page, locale)
    await showTable(page, locale)
    await downloadOfFirst(page, locale).click()
    await page.locator('[data-purchased] .download .alert').waitFor()
  }),
  mine('loading', { part: 'main' }, async (page, locale) => {
    await page.route('**/api/purchaseddocuments/user/purchased', () => undefined)
    await open(page, locale, '/my-documents')
    await page
      .getByText(uiText(locale, 'library:page.loading'))
      .first()
      .waitFor({ state: 'attached' })
  }),
  mine('empty', { as: 'poor' }, async (page, locale) => {
    await withDocuments(page, () => [])
    await open(page, locale, '/my-documents')
    await page.getByText(uiText(locale, 'library:page.empty.title')).waitFor()
  }),
  mine('failed', {}, async (page, locale) => {
    await page.route('**/api/purchaseddocuments/user/purchased', (route) => route.abort())
    await open(page, locale, '/my-documents')
    await page.getByText(uiText(locale, 'library:page.failed.title')).waitFor()
  }),
  scene('preview', { as: 'parent' }, async (page, locale) => {
    await openDocuments(page, locale)
    await showTable(page, locale)
    await button(page, locale, 'library:page.preview').first().click()
    const first = page.frameLocator('dialog iframe').locator('img').first()
    await first.evaluate(
      (image: HTMLImageElement) =>
        image.complete || new Promise((resolve) => image.addEventListener('load', resolve)),
    )
  }),
  scene('offline', {}, async (page, locale) => {
    await open(page, locale, '/offline')
    await page.locator('main h1').waitFor()
  }),
]
