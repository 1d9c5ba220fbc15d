import type { Page, Route } from 'playwright'
import { fillText } from '../../src/i18n/format.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { textsIn } from '../../src/i18n/texts.ts'
import { OFFICE_TOKEN_KEY } from '../../src/rules/office-storage-keys.ts'
import type { OfficePath } from '../../src/rules/pages.ts'
import { DEMO_PASSWORD } from '../../src/server/demo/demo.ts'
import { type Visitor, type VisitorOptions, visitor } from './browser.ts'
import { type KeyIn, said } from './texts.ts'

/** Tokens of the office for staff of the demo shop. */
export interface OfficeCast {
  /** Has documents, sales, and a payout. */
  readonly teacher: string
  readonly administrator: string
}

/** One screen of the office, or one dialog over a screen, and how a visitor's page gets there. */
export interface OfficeScene {
  readonly name: string
  /** Who is logged in; nobody unless named. */
  readonly as?: keyof OfficeCast
  /** What exists only below 1024 px. */
  readonly only?: 'phone'
  /** Leaves the page in that state; `page` is that of a visitor with nothing saved but a token. */
  show(page: Page, locale: Locale): Promise<void>
}

/** Logs both in over HTTP. */
export async function callOfficeCast(shopUrl: string): Promise<OfficeCast> {
  const enter = async (username: string) => {
    const answer = await fetch(`${shopUrl}/api/office/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: DEMO_PASSWORD }),
    })
    if (!answer.ok) throw new Error(`${username}: ${await answer.text()}`)
    return ((await answer.json()) as { accessToken: string }).accessToken
  }
  return {
    teacher: await enter('teacher@karras.test'),
    administrator: await enter('admin@karras.test'),
  }
}

/** Somebody whom the scene is for: a visitor, logged in where it asks for that. */
export async function officeVisitor(
  { as }: OfficeScene,
  cast: OfficeCast,
  shopUrl: string,
  options: VisitorOptions,
): Promise<Visitor> {
  const someone = await visitor(shopUrl, options)
  if (as) {
    await someone.context.addInitScript(([key, token]) => localStorage.setItem(key, token), [
      OFFICE_TOKEN_KEY,
      cast[as],
    ] as const)
  }
  return someone
}

/** Goes to a page of the office, and waits until nothing on it is being read any more. */
async function open(page: Page, locale: Locale, path: OfficePath, query = ''): Promise<void> {
  await page.goto(inLanguage(locale, path) + query, { waitUntil: 'load' })
  await page.waitForFunction(() => {
    // What is loaded once it is near comes near.
    document.querySelector('main .skeleton')?.scrollIntoView({ block: 'nearest' })
    return !document.querySelector('astro-island[ssr], main .skeleton, main [aria-busy="true"]')
  })
  await page.evaluate(() => scrollTo(0, 0))
}

/** What floats moves in. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)))
}

/** The panel with the whole menu, over the first page. */
async function showMore(page: Page, locale: Locale): Promise<void> {
  await open(page, locale, '/office')
  await page.locator('.office-bar:visible button').click()
  await page.locator('.office-more:popover-open').waitFor()
  await settle(page)
}

const plain = (name: string, path: OfficePath, as?: keyof OfficeCast, query = ''): OfficeScene => ({
  name: `office-${name}`,
  ...(as && { as }),
  show: (page, locale) => open(page, locale, path, query),
})

/** The same page with its first part unfolded, and all that loads within it. */
const unfolded = (name: string, path: OfficePath, query = ''): OfficeScene => ({
  name: `office-${name}`,
  as: 'administrator',
  async show(page, locale) {
    await open(page, locale, path, query)
    await page.locator('main .site-fold > summary').first().click()
    await page.locator('main .site-fold[open] :is(input, textarea):visible').first().waitFor()
    await page.waitForFunction(() => !document.querySelector('main .site-fold[open] .skeleton'))
  },
})

/** Answers a call as the server does, but for these members. */
const answeredWith = (changes: object) => async (route: Route) => {
  const response = await route.fetch()
  await route.fulfill({ json: { ...(await response.json()), ...changes } })
}

/** The same page where the server answers this call with something else. */
const answering = (scene: OfficeScene, state: string, call: string, json: object): OfficeScene => ({
  ...scene,
  name: `${scene.name}-${state}`,
  async show(page, locale) {
    await page.route(call, (route) => route.fulfill({ json }))
    await scene.show(page, locale)
  },
})

/** The same page where this call is cut off. */
const failing = (scene: OfficeScene, call: string): OfficeScene => ({
  ...scene,
  name: `${scene.name}-failed`,
  async show(page, locale) {
    await page.route(call, (route) => route.abort())
    await scene.show(page, locale)
  },
})

/** The same page where this call is never answered. */
const loading = (scene: OfficeScene, path: OfficePath, call: string): OfficeScene => ({
  ...scene,
  name: `${scene.name}-loading`,
  async show(page, locale) {
    await page.route(call, () => {})
    await page.goto(inLanguage(locale, path), { waitUntil: 'load' })
    await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]'))
    await page.locator('main .skeleton, main [aria-busy="true"]').first().waitFor()
  },
})

const NO_ROWS = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 20, states: {} }

const DOCUMENTS = '**/api/office/documents?*'
const DOCUMENT = /\/api\/office\/documents\/\d+$/
const ONE_DOCUMENT = '?id=1'

/** Answers the document with these changes, whatever its state is in the demo shop. */
const withDocument = (changes: object) => async (route: Route) => {
  const response = await route.fetch()
  const json = await response.json()
  await route.fulfill({ json: { ...json, document: { ...json.document, ...changes } } })
}

const aDocument = (state: string, changes: object): OfficeScene => ({
  name: `office-document-${state}`,
  as: 'teacher',
  async show(page, locale) {
    await page.route(DOCUMENT, withDocument(changes))
    await open(page, locale, '/office/document', ONE_DOCUMENT)
    await page.locator('.editor').waitFor()
  },
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

const home = plain('home', '/office', 'teacher')
const desk = { ...home, name: 'office-home-administrator', as: 'administrator' } as const
const DESK = '**/api/office/admin/waiting'
const REVIEW = '**/api/office/admin/review?*'
const JOINING = '**/api/office/admin/join-requests'
const documents = plain('documents', '/office/documents', 'teacher')
const sales = plain('sales', '/office/sales', 'teacher')
const earnings = plain('earnings', '/office/earnings', 'teacher')
const profile = plain('profile', '/office/profile', 'teacher')
const payouts = plain('payouts', '/office/payouts', 'teacher')
const invitation = plain('invitation', '/office/invitation', undefined, `?token=${'0'.repeat(43)}`)

const admin = (name: string, path: OfficePath, query = '') =>
  plain(name, path, 'administrator', query)

const commissions = admin('commissions', '/office/commissions')
const COMMISSIONS = '**/api/office/admin/commissions'
const figures = admin('figures', '/office/figures')
const FIGURES = '**/api/office/admin/figures?*'

const stamp = admin('stamp', '/office/stamp')
const STAMP = '**/api/office/admin/stamp'
const TROUBLES = [
  ['damaged', 'الكسور والأعداد العشريّة: تمارين وحلول'],
  ['encrypted', 'Devoir de contrôle n° 2 – Mathématiques, 9e année de base'],
  ['too_slow', 'Dictées'],
].map(([reason, title], at) => ({
  documentId: at + 1,
  title,
  teacher: at === 1 ? 'Mohamed Aziz Ben Abdallah' : 'سامي الطرابلسي',
  reason,
  at: `2026-1${at % 2}-0${at + 1}T08:00:00Z`,
  isTriedAgain: at === 1,
}))

/** The switch of the stamp and what could not be stamped or drawn. */
const STAMP_SCENES: readonly OfficeScene[] = [
  stamp,
  failing(stamp, STAMP),
  loading(stamp, '/office/stamp', STAMP),
  answering(stamp, 'full', STAMP, {
    isOn: false,
    changed: { by: 'Leïla Mansour', at: '2026-11-20T09:30:00Z' },
    seen: 3,
    unstamped: { total: 240, newest: TROUBLES },
    undrawn: { total: 3, newest: TROUBLES },
  }),
  {
    name: 'office-stamp-switch',
    as: 'administrator',
    async show(page, locale) {
      await stamp.show(page, locale)
      await page.locator('.summary button').click()
      await page.getByRole('dialog').waitFor()
      await settle(page)
    },
  },
]

/** What administrators do with money. */
const ADMIN_MONEY: readonly OfficeScene[] = [
  admin('transfers', '/office/transfers'),
  admin('orders', '/office/orders'),
  admin('order', '/office/order', '?id=2'),
  admin('wallet', '/office/wallet', '?id=20'),
  admin('adjustments', '/office/adjustments'),
  admin('teacher-payouts', '/office/teacher-payouts', '?state=paid'),
  admin('closing', '/office/closing'),
  commissions,
  failing(commissions, COMMISSIONS),
  loading(commissions, '/office/commissions', COMMISSIONS),
  {
    name: 'office-commissions-change',
    as: 'administrator',
    async show(page, locale) {
      await commissions.show(page, locale)
      await page.locator('.summary button').click()
      await page.getByRole('dialog').waitFor()
      await settle(page)
    },
  },
  figures,
  failing(figures, FIGURES),
  loading(figures, '/office/figures', FIGURES),
]
/** The page of the first customer in the list, or what it leads to. */
const person = (
  name: string,
  then?: (page: Page, locale: Locale) => Promise<void>,
): OfficeScene => ({
  name: `office-${name}`,
  as: 'administrator',
  async show(page, locale) {
    await open(page, locale, '/office/people', '?role=PARENT&sort=since')
    await page.locator('main table th a').first().click()
    await page.locator('.person__who').waitFor()
    await then?.(page, locale)
  },
})

/** A conversation of the common inbox that nobody has taken, and what is opened from it. */
const conversation = (
  name: string,
  then?: (page: Page, locale: Locale) => Promise<void>,
): OfficeScene => ({
  name: `office-${name}`,
  as: 'administrator',
  async show(page, locale) {
    await open(page, locale, '/office/conversations', '?q=buyer1@')
    await page.locator('.chat__room').first().click()
    await page.locator('.message').first().waitFor()
    await page.waitForFunction(() => !document.querySelector('main .skeleton'))
    await then?.(page, locale)
  },
})

const conversations = admin('conversations', '/office/conversations')
const CONVERSATIONS = '**/api/office/admin/conversations?*'

/** The common inbox. */
const INBOX: readonly OfficeScene[] = [
  conversations,
  answering(conversations, 'empty', CONVERSATIONS, NO_ROWS),
  failing(conversations, CONVERSATIONS),
  loading(conversations, '/office/conversations', CONVERSATIONS),
  conversation('conversation'),
  conversation('conversation-canned', async (page, locale) => {
    const name = said(locale, 'office-conversations:canned.open')
    await page.getByRole('button', { name }).click()
    await page.locator('.canned__choice').first().waitFor()
    await settle(page)
  }),
  conversation('conversation-canned-new', async (page, locale) => {
    await page
      .getByRole('button', { name: said(locale, 'office-conversations:canned.open') })
      .click()
    await page.locator('.canned__choice').first().waitFor()
    await page
      .getByRole('button', { name: said(locale, 'office-conversations:canned.add') })
      .click()
    await page.getByRole('dialog').locator('textarea').first().waitFor()
    await settle(page)
  }),
  {
    ...conversation('conversation-customer', async (page) => {
      await page.locator('.inbox__about:visible').click()
      await page.getByRole('dialog').locator('.inbox__facts').waitFor()
      await settle(page)
    }),
    only: 'phone',
  },
]

/** The list of all documents with its first page picked, on the way to a change of them. */
const changing = (
  name: string,
  then: (page: Page, locale: Locale) => Promise<void>,
): OfficeScene => ({
  name: `office-${name}`,
  as: 'administrator',
  async show(page, locale) {
    const words = (key: KeyIn<'office-goods'>) => said(locale, `office-goods:${key}`)
    await open(page, locale, '/office/all-documents')
    await page.locator('main tbody tr').first().waitFor()
    await page.getByRole('button', { name: words('documents.pickPage'), exact: true }).click()
    await page.getByRole('button', { name: words('documents.change'), exact: true }).click()
    await page.locator('.change__form').waitFor()
    await then(page, locale)
  },
})

const allDocuments = admin('all-documents', '/office/all-documents')
const allRatings = admin('all-ratings', '/office/all-ratings')
const DOCUMENTS_OF_ALL = '**/api/office/admin/documents?*'
const RATINGS_OF_ALL = '**/api/office/admin/ratings?*'

/** Ratings, and changes of many documents. */
const GOODS: readonly OfficeScene[] = [
  allRatings,
  {
    name: 'office-all-ratings-hide',
    as: 'administrator',
    async show(page, locale) {
      await open(page, locale, '/office/all-ratings', '?state=counts&words=written')
      const name = said(locale, 'office-goods:ratings.hide.open')
      await page.getByRole('button', { name }).first().click()
      await page.getByRole('dialog').waitFor()
      await settle(page)
    },
  },
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

/** Every screen of the office, and what floats over it. */
export const OFFICE_SCENES: readonly OfficeScene[] = [
  plain('login', '/office/login'),
  {
    name: 'office-login-code',
    async show(page, locale) {
      await page.route('**/api/office/login', (route) =>
        route.fulfill({ json: { accessToken: null } }),
      )
      await open(page, locale, '/office/login')
      await page.locator('input[name="username"]').fill('teacher@karras.test')
      await page.locator('input[name="password"]').fill(DEMO_PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: said(locale, 'office-access:login.step') }).waitFor()
    },
  },
  plain('join', '/office/join'),
  {
    name: 'office-join-errors',
    async show(page, locale) {
      await open(page, locale, '/office/join')
      await page.locator('main button[type="submit"]').click()
      await page.locator('.field__error').first().waitFor()
    },
  },
  answering(invitation, 'teacher', '**/api/office/invitation', {
    email: 'amira@mail.example',
    role: 'TEACHER',
    firstName: 'أميرة',
    lastName: 'الطرابلسي',
  }),
  { ...invitation, name: 'office-invitation-spent' },
  plain('forget-password', '/office/forget-password'),
  plain('reset-password', '/office/reset-password', undefined, `?token=${'0'.repeat(43)}`),
  plain('elsewhere', '/office/elsewhere'),
  home,
  answering(home, 'waits', DOCUMENTS, {
    ...NO_ROWS,
    states: { returned: 2, draft: 3, submitted: 1 },
  }),
  {
    ...home,
    name: 'office-home-nothing',
    async show(page, locale) {
      await page.route(DOCUMENTS, (route) => route.fulfill({ json: NO_ROWS }))
      await page.route('**/api/office/ratings?*', answeredWith({ awaiting: 0 }))
      await page.route('**/api/office/earnings', answeredWith({ available: 0 }))
      await open(page, locale, '/office')
    },
  },
  failing(home, DOCUMENTS),
  desk,
  answering(desk, 'nothing', DESK, {
    readAt: '2026-03-05T10:00:00Z',
    groups: [],
    backupAt: '2026-03-05T02:00:00Z',
    ledgerAt: '2026-03-05T03:00:00Z',
  }),
  failing(desk, DESK),
  { name: 'office-more-administrator', as: 'administrator', only: 'phone', show: showMore },
  plain('review', '/office/review', 'administrator'),
  answering(plain('review', '/office/review', 'administrator'), 'empty', REVIEW, NO_ROWS),
  plain('review-version', '/office/review-document', 'administrator', '?id=25'),
  {
    name: 'office-review-return',
    as: 'administrator',
    async show(page, locale) {
      await open(page, locale, '/office/review-document', '?id=72')
      const fields = textsIn(locale, 'office-documents:fields')
      const note = fillText(said(locale, 'office-review:page.noteFor'), { field: fields.title })
      await page.getByRole('button', { name: note }).click()
      await page.locator('.review__return button[type="submit"]').click()
      await page.locator('.field__error').first().waitFor()
    },
  },
  plain('joining', '/office/join-requests', 'administrator'),
  answering(plain('joining', '/office/join-requests', 'administrator'), 'empty', JOINING, {
    requests: [],
    total: 0,
  }),
  { name: 'office-more', as: 'teacher', only: 'phone', show: showMore },
  documents,
  answering(documents, 'empty', DOCUMENTS, NO_ROWS),
  failing(documents, DOCUMENTS),
  loading(documents, '/office/documents', DOCUMENTS),
  aDocument('published', {}),
  aDocument('new', EMPTY_TEXT),
  aDocument('submitted', { state: 'submitted' }),
  {
    name: 'office-document-returned',
    as: 'teacher',
    async show(page, locale) {
      const reason = REASON[locale === 'ar' ? 'ar' : 'fr']
      const returned = { reason, field: 'title', at: '2026-03-05T10:00:00Z' }
      const scene = aDocument('', { state: 'returned', returned })
      await scene.show(page, locale)
    },
  },
  {
    name: 'office-document-unpublish',
    as: 'teacher',
    async show(page, locale) {
      await aDocument('', {}).show(page, locale)
      await page
        .getByRole('button', { name: said(locale, 'office-documents:acts.unpublish.button') })
        .click()
      await page.getByRole('dialog').waitFor()
      await settle(page)
    },
  },
  sales,
  answering(sales, 'empty', '**/api/office/sales?*', NO_ROWS),
  failing(sales, '**/api/office/sales?*'),
  earnings,
  {
    name: 'office-earnings-rows',
    as: 'teacher',
    async show(page, locale) {
      await earnings.show(page, locale)
      await page.locator('.bar-chart summary').click()
      await page.locator('.bar-chart__rows').waitFor()
    },
  },
  plain('statement', '/office/statement', 'teacher'),
  payouts,
  profile,
  {
    name: 'office-profile-errors',
    as: 'teacher',
    async show(page, locale) {
      await profile.show(page, locale)
      await page.locator('.profile__text [name="bio"]').fill('')
      await page.locator('.profile__text [name="latinName"]').fill('سلمى')
      await page.locator('.save-foot button').click()
      await page.locator('.field__error').first().waitFor()
    },
  },
  failing(profile, '**/api/office/profile'),
  loading(profile, '/office/profile', '**/api/office/profile'),
  plain('ratings', '/office/ratings', 'teacher'),
  plain('facts', '/office/facts', 'administrator'),
  plain('site-pages', '/office/site-pages', 'administrator'),
  plain('site-page', '/office/site-page', 'administrator', '?name=faq'),
  unfolded('facts-open', '/office/facts'),
  unfolded('site-page-open', '/office/site-page', '?name=faq'),
  unfolded('interface-texts', '/office/interface-texts', '?q=mail%3Ahello'),
  plain('questions', '/office/questions', 'teacher'),
  plain('profile', '/office/profile', 'teacher'),
  plain('import', '/office/import', 'teacher'),
  plain('file', '/office/file', 'teacher', ONE_DOCUMENT),
  plain('sample', '/office/sample', 'teacher', ONE_DOCUMENT),
  plain('people', '/office/people', 'administrator'),
  {
    name: 'office-people-invite',
    as: 'administrator',
    async show(page, locale) {
      await open(page, locale, '/office/people')
      await page.getByRole('button', { name: said(locale, 'office-people:people.invite') }).click()
      await page.getByRole('dialog').waitFor()
      await settle(page)
    },
  },
  plain('catalogue-covers', '/office/catalogue', 'administrator', '?list=covers'),
  {
    name: 'office-catalogue',
    as: 'administrator',
    async show(page, locale) {
      await open(page, locale, '/office/catalogue')
      await page.locator('.lists__entry [aria-expanded]').first().click()
      await page.locator('.lists__entry .move-buttons button').nth(3).click()
      await page.locator('.save-order').waitFor()
    },
  },
  {
    name: 'office-featured',
    as: 'administrator',
    async show(page, locale) {
      await open(page, locale, '/office/featured')
      await page.locator('input[name="q"]').fill('رياضيات')
      await page.locator('.lists__find button').click()
      await page.locator('search ~ ul').waitFor()
    },
  },
  person('person'),
  person('person-block', async (page, locale) => {
    const name = said(locale, 'office-people:person.acts.block.button')
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor()
    await settle(page)
  }),
  person('merge', async (page, locale) => {
    await page.getByRole('link', { name: said(locale, 'office-people:person.merge') }).click()
    await page.locator('input[name="q"]').fill('parent2@karras.test')
    await page.getByRole('button', { name: said(locale, 'office-people:merge.find') }).click()
    await page.locator('.person__list button').first().click()
    await page.locator('.merge__pair').waitFor()
  }),
  ...GOODS,
  plain('log', '/office/log', 'administrator'),
  plain('security', '/office/security', 'teacher'),
  ...ADMIN_MONEY,
  ...STAMP_SCENES,
  ...INBOX,
  {
    name: 'office-security-set-up',
    as: 'teacher',
    async show(page, locale) {
      await open(page, locale, '/office/security')
      await page
        .getByRole('button', { name: said(locale, 'office-access:security.start'), exact: true })
        .click()
      await page.locator('.security__form input[name="password"]').first().fill(DEMO_PASSWORD)
      await page
        .getByRole('button', { name: said(locale, 'office-access:security.continue') })
        .click()
      await page.locator('.security__secret').waitFor()
    },
  },
]
