import type { Route } from 'playwright'
import { button } from '../../scene-steps.ts'
import { type Scene, scene } from '../scene.ts'
import { answering, failing, loading, NO_ROWS, open, plain } from './kinds.ts'

export const DOCUMENTS = '**/api/office/documents?*'
const DOCUMENT = /\/api\/office\/documents\/\d+$/
const ONE_DOCUMENT = '?id=1'

/** Answers the document with these changes, whatever its state in the demo shop. */
const withDocument = (changes: object) => async (route: Route) => {
  const response = await route.fetch()
  const json = await response.json()
  await route.fulfill({ json: { ...json, document: { ...json.document, ...changes } } })
}

const aDocument = (state: string, changes: object): Scene =>
  scene(`office-document-${state}`, { as: 'teacher' }, async (page, locale) => {
    await page.route(DOCUMENT, withDocument(changes))
    await open(page, locale, '/office/document', ONE_DOCUMENT)
    await page.locator('.editor').waitFor()
  })

const REASON = {
  ar: 'العنوان لا يقول أيّ مستوى هو. أضفه من فضلك.',
  fr: 'Le titre ne dit pas de quel niveau il s’agit. Ajoutez-le, s’il vous plaît.',
}
const EMPTY_TEXT = {
  state: 'draft',
  title: '',
  description: '',
  price: null,
  priceDiscount: null,
  categorie: null,
  matiere: null,
  classe: null,
  type: null,
  coverPath: null,
  coverMapping: null,
  fileType: null,
  pageCount: null,
  firstPublishedAt: null,
}
const documents = plain('documents', '/office/documents', 'teacher')
const sales = plain('sales', '/office/sales', 'teacher')
const earnings = plain('earnings', '/office/earnings', 'teacher')
const profile = plain('profile', '/office/profile', 'teacher')
const payouts = plain('payouts', '/office/payouts', 'teacher')

/** A teacher's documents, money and profile. */
export const TEACHER_SCENES: readonly Scene[] = [
  documents,
  answering(documents, 'empty', DOCUMENTS, NO_ROWS),
  failing(documents, DOCUMENTS),
  loading(documents, '/office/documents', DOCUMENTS),
  aDocument('published', {}),
  aDocument('new', EMPTY_TEXT),
  aDocument('submitted', { state: 'submitted' }),
  scene('office-document-returned', { as: 'teacher' }, async (page, locale) => {
    const reason = REASON[locale === 'ar' ? 'ar' : 'fr']
    const returned = { reason, field: 'title', at: '2026-03-05T10:00:00Z' }
    const scene = aDocument('', { state: 'returned', returned })
    await scene.show(page, locale)
  }),
  scene('office-document-unpublish', { as: 'teacher' }, async (page, locale) => {
    await aDocument('', {}).show(page, locale)
    await button(page, locale, 'office-documents:acts.unpublish.button').click()
    await page.getByRole('dialog').waitFor()
  }),
  sales,
  answering(sales, 'empty', '**/api/office/sales?*', NO_ROWS),
  failing(sales, '**/api/office/sales?*'),
  earnings,
  scene('office-earnings-rows', { as: 'teacher' }, async (page, locale) => {
    await earnings.show(page, locale)
    await page.locator('.bar-chart summary').click()
    await page.locator('.bar-chart__rows').waitFor()
  }),
  plain('statement', '/office/statement', 'teacher'),
  payouts,
  profile,
  scene('office-profile-errors', { as: 'teacher' }, async (page, locale) => {
    await profile.show(page, locale)
    await page.locator('.profile__text [name="bio"]').fill('')
    await page.locator('.profile__text [name="latinName"]').fill('سلمى')
    await page.locator('.save-foot button').click()
    await page.locator('.field__error').first().waitFor()
  }),
  failing(profile, '**/api/office/profile'),
  loading(profile, '/office/profile', '**/api/office/profile'),
  plain('ratings', '/office/ratings', 'teacher'),
  plain('questions', '/office/questions', 'teacher'),
  plain('import', '/office/import', 'teacher'),
  plain('file', '/office/file', 'teacher', ONE_DOCUMENT),
  plain('sample', '/office/sample', 'teacher', ONE_DOCUMENT),
]
