import type { Page, Route } from 'playwright'
import { fillText } from '../../../../src/i18n/format.ts'
import type { Locale } from '../../../../src/i18n/locales.ts'
import { textsIn } from '../../../../src/i18n/texts.ts'
import { DETAILS } from '../../../../src/rules/document-fields.ts'
import { OPENING_STEPS } from '../../../../src/rules/upkeep.ts'
import { uiText } from '../../texts.ts'
import { type Scene, scene } from '../scene.ts'
import { answeredWith, answering, failing, NO_ROWS, open, plain } from './kinds.ts'
import { DOCUMENTS } from './teacher.ts'

/** Opens the panel with the whole menu, over the first page. */
async function showMore(page: Page, locale: Locale): Promise<void> {
  await open(page, locale, '/office')
  await page.locator('.office-bar:visible button').click()
  await page.locator('.office-panel:popover-open').waitFor()
}

/** Opens the search over everything by its key, and types. */
const found = (name: string, as: 'administrator' | 'teacher', q: string, until: string): Scene =>
  scene(name, { as, part: 'dialog' }, async (page, locale) => {
    await open(page, locale, '/office')
    await page.keyboard.press('/')
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.fill(q)
    await page.locator(`.finder ${until}`).first().waitFor()
  })

const refused = (scene: Scene): Scene => ({
  ...scene,
  async show(page, locale) {
    await page.route('**/api/office/admin/search?*', (route) => route.abort())
    await scene.show(page, locale)
  },
})

const home = plain('home', '/office', 'teacher')
const desk = { ...home, name: 'office-home-administrator', as: 'administrator' } as const
const DESK = '**/api/office/admin/waiting'
const REVIEW = '**/api/office/admin/review?*'
const JOINING = '**/api/office/admin/join-requests'

/** The review of a document as that of a correction of a paper for sale. */
async function withPaper(route: Route): Promise<void> {
  const response = await route.fetch()
  const paper = {
    ...Object.fromEntries(DETAILS.map((name) => [name, null])),
    ...{ id: 5, title: 'تمارين في الكسور مع الإصلاح المفصّل', teacher: 'Nour Zouari' },
    ...{ isOwn: false, matiereId: null, niveauId: null, categoryId: null },
    ...{ version: 1, pageCount: 4 },
  }
  await route.fulfill({ response, json: { ...(await response.json()), paper } })
}

/** The first page of each role, its menu, and the decisions that administrators make from there. */
export const HOME_SCENES: readonly Scene[] = [
  home,
  answering(home, 'waits', DOCUMENTS, {
    ...NO_ROWS,
    states: { returned: 2, draft: 3, submitted: 1 },
  }),
  {
    ...home,
    isPage: false,
    name: 'office-home-nothing',
    async show(page, locale) {
      await page.route(DOCUMENTS, (route) => route.fulfill({ json: NO_ROWS }))
      await page.route('**/api/office/ratings?*', answeredWith({ awaiting: 0 }))
      await page.route('**/api/office/earnings', answeredWith({ available: 0 }))
      await open(page, locale, '/office')
    },
  },
  {
    ...home,
    isPage: false,
    name: 'office-home-newcomer',
    async show(page, locale) {
      await page.route(DOCUMENTS, (route) => route.fulfill({ json: NO_ROWS }))
      await page.route('**/api/office/earnings', answeredWith({ available: 0 }))
      await page.route('**/api/office/me', answeredWith({ isApproved: false }))
      await open(page, locale, '/office')
    },
  },
  failing(home, DOCUMENTS),
  desk,
  answering(desk, 'nothing', DESK, {
    readAt: '2026-03-05T10:00:00Z',
    groups: [],
    opening: [],
    backupAt: '2026-03-05T02:00:00Z',
    ledgerAt: '2026-03-05T03:00:00Z',
    restoredFrom: null,
    officeCommand: 'karras',
    backupCommand: 'karras backup /srv/karras/backups/karras-$(date +%F-%H%M).karras',
  }),
  answering(desk, 'opening', DESK, {
    readAt: '2026-03-05T10:00:00Z',
    groups: [],
    opening: [...OPENING_STEPS],
    backupAt: null,
    ledgerAt: null,
    restoredFrom: null,
    officeCommand: 'karras',
    backupCommand: 'karras backup /srv/karras/backups/karras-$(date +%F-%H%M).karras',
  }),
  failing(desk, DESK),
  found('office-finder', 'administrator', 'سلمى', '[role="group"]'),
  found('office-finder-teacher', 'teacher', 'المعا', '[role="group"]'),
  found('office-finder-none', 'administrator', 'zzzzzz', '.finder__none:not(:empty)'),
  refused(found('office-finder-failed', 'administrator', 'سلمى', '.error-state')),
  { name: 'office-more-administrator', as: 'administrator', only: 'phone', show: showMore },
  plain('review', '/office/review', 'administrator'),
  answering(plain('review', '/office/review', 'administrator'), 'empty', REVIEW, NO_ROWS),
  plain('review-version', '/office/review-document', 'administrator', '?id=25'),
  scene('office-review-correction', { as: 'administrator' }, async (page, locale) => {
    await page.route('**/api/office/admin/review/72', withPaper)
    await open(page, locale, '/office/review-document', '?id=72')
    await page.locator('.review-files .page-picture img').nth(1).waitFor()
  }),
  scene('office-review-return', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/review-document', '?id=72')
    const fields = textsIn(locale, 'office-documents:fields')
    const note = fillText(uiText(locale, 'office-review:page.noteFor'), { field: fields.title })
    await page.getByRole('button', { name: note }).click()
    await page.locator('.review__return button[type="submit"]').click()
    await page.locator('.field__error').first().waitFor()
  }),
  plain('joining', '/office/join-requests', 'administrator'),
  answering(plain('joining', '/office/join-requests', 'administrator'), 'empty', JOINING, {
    requests: [],
    total: 0,
  }),
  scene('office-joining-refusal', { as: 'administrator' }, async (page, locale) => {
    const request = {
      ...{ id: 1, userId: 3, firstName: 'أميرة', lastName: 'الهمامي', email: null },
      ...{ phone: '98000111', subjects: 'Maths', message: '', locale: 'fr', submitted: 12 },
      confirmedAt: '2026-03-05T10:00:00Z',
    }
    await page.route(JOINING, (route) => route.fulfill({ json: { requests: [request], total: 1 } }))
    await open(page, locale, '/office/join-requests')
    await page.locator('.joining__acts .button:not(.button--primary)').click()
    await page.locator('.joining__one textarea').waitFor()
  }),
  { name: 'office-more', as: 'teacher', only: 'phone', show: showMore },
]
