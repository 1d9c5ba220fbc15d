import type { Route } from 'playwright'
import { DETAILS } from '../../../../src/rules/document-fields.ts'
import { button } from '../../scene-steps.ts'
import { type Scene, scene } from '../scene.ts'
import { SOME_CODES } from './codes.ts'
import { answeredWith, answering, failing, loading, NO_ROWS, open, plain } from './kinds.ts'

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
/** What titles state of three papers, one of which is in review, and a former change. */
const STATED = '**/api/office/stated-facts'
async function withStatedFacts(route: Route): Promise<void> {
  const shared = {
    ...{ kind: 'facts', price: null, percent: null, from: null, until: null, by: 'x' },
    ...{ at: '2026-03-05T10:00:00Z', undoes: null, undoneBy: null },
  }
  if (route.request().method() === 'GET') {
    const former = { ...shared, id: 1, changed: 12, reason: '', isDone: true }
    return route.fulfill({ json: [{ ...former, id: 2, undoes: 1 }, former] })
  }
  const side = { state: 'published', price: 5, finalPrice: 5, earns: 3.5 }
  const none = Object.fromEntries(DETAILS.map((name) => [name, null]))
  const row = (id: number, title: string, facts: object) => ({
    document: { id, title, teacher: '' },
    ...{ before: side, after: side },
    facts: { ...none, ...facts },
  })
  const title = 'Devoir de contrôle n°1, mathématiques, 9ème année de base, lycée Carnot, 2024-2025'
  const school = { minutes: 60, school: 'Lycée Carnot' }
  const rows = [
    row(1, title, { paperKind: 'control', paperNumber: '1', schoolYear: 2024, ...school }),
    row(2, 'فرض تأليفي عدد 2 في الرياضيات', {
      paperKind: 'synthesis',
      paperNumber: '2',
      trimester: 't2',
    }),
    row(3, 'سلسلة تمارين عدد 4', { paperKind: 'series', paperNumber: '4' }),
  ]
  const kept = { document: { id: 4, title: 'الكسور', teacher: '' }, code: 'nothing_stated' }
  const counts = { chosen: 4, changing: 3, changed: 0, kept: [{ code: kept.code, count: 1 }] }
  const view = { ...shared, id: 3, state: 'previewed', reason: null, ...counts }
  return route.fulfill({ json: { ...view, rows, keptRows: [kept] } })
}
const statedFacts = plain('paper-facts', '/office/paper-facts', 'teacher')

/** What two links brought, one of them of the greatest length. */
function withLinks(route: Route): Promise<void> {
  const links = [
    { link: 'salma-maths', visits: 1204, sales: 31, share: 152.6 },
    { link: 'maths-9eme-annee-college-carno', visits: 18, sales: 0, share: 0 },
  ]
  const days = links.map((link) => ({ ...link, day: '2026-03-05' }))
  return route.fulfill({ json: { links, days } })
}

const documents = plain('documents', '/office/documents', 'teacher')
const many = plain('many', '/office/many', 'teacher')
const wanted = plain('wanted', '/office/wanted', 'teacher')
const bundles = plain('bundles', '/office/bundles', 'teacher')
const codes = plain('codes', '/office/codes', 'teacher')
const CODES = '**/api/office/codes?*'
/** A sale that a code lowered, and was refunded. */
const A_LOWERED_SALE = {
  id: '7-3',
  soldAt: '2026-03-05T10:00:00Z',
  document: { id: 3, title: 'سلسلة تمارين عدد 4' },
  buyer: 'Amal B.',
  price: 1208.4,
  priceBefore: 1510.5,
  share: 845.88,
  refundedAt: '2026-03-06T10:00:00Z',
  payableFrom: '2026-03-12T10:00:00Z',
}
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
  many,
  answering(many, 'empty', DOCUMENTS, NO_ROWS),
  failing(many, DOCUMENTS),
  scene('office-many-alike', { as: 'teacher' }, async (page, locale) => {
    let ids: readonly number[] = []
    await page.route(DOCUMENTS, async (route) => {
      // The demo teacher has no drafts: three documents for sale stand for them.
      const url = new URL(route.request().url())
      url.search = '?state=published&size=3'
      const response = await route.fetch({ url: url.href })
      const json = await response.json()
      const content = json.content.map((each: object) => ({ ...each, state: 'draft' }))
      ids = content.map(({ id }: { id: number }) => id)
      await route.fulfill({ response, json: { ...json, content } })
    })
    const alike = [
      { id: 5, title: 'تمارين في الكسور مع الإصلاح', teacher: 'Nour Zouari', percent: 100 },
      { id: 6, title: 'Devoir de contrôle 1', teacher: null, percent: 64 },
    ]
    await page.route('**/api/office/documents/alike', (route) =>
      route.fulfill({ json: { drafts: ids.map((document) => ({ document, alike })), waiting: 0 } }),
    )
    await open(page, locale, '/office/many')
    await page.locator('.many__alike').first().waitFor()
  }),
  wanted,
  bundles,
  answering(bundles, 'empty', '**/api/office/bundles?*', NO_ROWS),
  scene('office-bundles-new', { as: 'teacher' }, async (page, locale) => {
    await bundles.show(page, locale)
    await button(page, locale, 'office-bundles:list.make').click()
    await page.locator('.bundle-form__found input').first().check()
    await page.locator('.bundle-form__row').waitFor()
  }),
  scene('office-bundles-price', { as: 'teacher' }, async (page, locale) => {
    await bundles.show(page, locale)
    await button(page.locator('main'), locale, 'office-bundles:list.change.act').first().click()
    await page.getByRole('dialog').waitFor()
  }),
  codes,
  answering(codes, 'some', CODES, SOME_CODES),
  failing(codes, CODES),
  loading(codes, '/office/codes', CODES),
  scene('office-codes-new', { as: 'teacher' }, async (page, locale) => {
    await codes.show(page, locale)
    await button(page, locale, 'office-codes:list.make').click()
    await page.locator('[name=percent]').fill('20')
  }),
  scene('office-codes-mistakes', { as: 'teacher' }, async (page, locale) => {
    await codes.show(page, locale)
    await button(page, locale, 'office-codes:list.make').click()
    await page.locator('[name=scope]').selectOption('classes')
    await page.locator('.choice-card').first().waitFor()
    await page.locator('.code-form [type=submit]').click()
    await page.locator('.field__error').first().waitFor()
  }),
  scene('office-codes-pass-on', { as: 'teacher' }, async (page, locale) => {
    await answering(codes, 'some', CODES, SOME_CODES).show(page, locale)
    await page.locator('.office-table__actions button').first().click()
    await page.getByRole('dialog').waitFor()
  }),
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
  statedFacts,
  failing(statedFacts, STATED),
  {
    ...statedFacts,
    ...{ isPage: false, name: 'office-paper-facts-rows' },
    async show(page, locale) {
      await page.route(STATED, withStatedFacts)
      await statedFacts.show(page, locale)
    },
  },
  sales,
  answering(sales, 'lowered', '**/api/office/sales?*', {
    ...NO_ROWS,
    content: [A_LOWERED_SALE],
    totalElements: 1,
    totalPages: 1,
  }),
  answering(sales, 'empty', '**/api/office/sales?*', NO_ROWS),
  failing(sales, '**/api/office/sales?*'),
  earnings,
  scene('office-earnings-rows', { as: 'teacher' }, async (page, locale) => {
    await earnings.show(page, locale)
    await page.locator('.bar-chart summary').click()
    await page.locator('.bar-chart__rows').waitFor()
  }),
  scene('office-earnings-links', { as: 'teacher' }, async (page, locale) => {
    await page.route('**/api/office/links', withLinks)
    await earnings.show(page, locale)
    await page.locator('main details summary').last().click()
  }),
  failing(earnings, '**/api/office/links'),
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
  plain('poster-none', '/office/poster', 'teacher'),
  scene('office-poster', { as: 'teacher' }, async (page, locale) => {
    await page.route('**/api/office/profile', answeredWith({ link: 'salma-maths' }))
    await open(page, locale, '/office/poster')
    await page.locator('.poster-cards').waitFor()
  }),
  failing(profile, '**/api/office/profile'),
  loading(profile, '/office/profile', '**/api/office/profile'),
  plain('ratings', '/office/ratings', 'teacher'),
  plain('questions', '/office/questions', 'teacher'),
  plain('import', '/office/import', 'teacher'),
  plain('file', '/office/file', 'teacher', ONE_DOCUMENT),
  plain('sample', '/office/sample', 'teacher', ONE_DOCUMENT),
]
