import type { Page } from 'playwright'
import type { Locale } from '../../../../src/i18n/locales.ts'
import { type KeyIn, uiText } from '../../texts.ts'
import { type Scene, scene } from '../scene.ts'
import { admin, answering, failing, loading, NO_ROWS, open } from './kinds.ts'

/** The list of all documents with its first page selected, about to be changed. */
const changing = (name: string, then: (page: Page, locale: Locale) => Promise<void>): Scene =>
  scene(`office-${name}`, { as: 'administrator' }, async (page, locale) => {
    const words = (key: KeyIn<'office-goods'>) => uiText(locale, `office-goods:${key}`)
    await open(page, locale, '/office/all-documents')
    await page.locator('main tbody tr').first().waitFor()
    await page.getByRole('button', { name: words('documents.pickPage'), exact: true }).click()
    await page.getByRole('button', { name: words('documents.change'), exact: true }).click()
    await page.locator('.change__form').waitFor()
    await then(page, locale)
  })

const allDocuments = admin('all-documents', '/office/all-documents')
const allRatings = admin('all-ratings', '/office/all-ratings')
const DOCUMENTS_OF_ALL = '**/api/office/admin/documents?*'
const RATINGS_OF_ALL = '**/api/office/admin/ratings?*'

/** Ratings, and bulk changes of documents. */
export const GOODS_SCENES: readonly Scene[] = [
  allRatings,
  scene('office-all-ratings-hide', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/all-ratings', '?state=counts&words=written')
    const name = uiText(locale, 'office-goods:ratings.hide.open')
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
  }),
  allDocuments,
  changing('all-documents-change', async (page) => {
    await page.locator('.change__form [type="submit"]').click()
    await page.locator('.field__error').first().waitFor()
  }),
  changing('all-documents-preview', async (page) => {
    await page.locator('.change__form [name="kind"]').selectOption('percent')
    await page.locator('.change__form [name="percent"]').fill('-25')
    await page.locator('.change__form [type="submit"]').click()
    await page.locator('.change__counts').waitFor()
  }),
  failing(allDocuments, DOCUMENTS_OF_ALL),
  loading(allDocuments, '/office/all-documents', DOCUMENTS_OF_ALL),
  answering(allDocuments, 'empty', DOCUMENTS_OF_ALL, NO_ROWS),
  failing(allRatings, RATINGS_OF_ALL),
  loading(allRatings, '/office/all-ratings', RATINGS_OF_ALL),
]
