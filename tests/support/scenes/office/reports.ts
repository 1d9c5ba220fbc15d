import { uiText } from '../../texts.ts'
import { type Scene, scene } from '../scene.ts'
import { admin, answering, failing, loading, NO_ROWS, open } from './kinds.ts'

const AT = '2026-03-05T09:30:00.000Z'
const ROW = {
  id: 4,
  document: { id: 1, title: 'المعادلات من الدرجة الأولى: تمارين محلولة', isOnSale: true },
  teacher: 'سلمى الزواري',
  openedAt: AT,
  closedAt: null,
  isAnswered: false,
  count: 2,
}
const REPORTS = [
  { id: 2, at: AT, reason: 'wrong', words: 'Page 9 : le résultat est faux.', who: null },
  {
    id: 1,
    at: AT,
    reason: 'copyright',
    words: 'الصفحة الثالثة من كتابي.',
    who: 'author@karras.test',
  },
]
const OPEN_CASE = { ...ROW, answer: null, reply: null, reports: REPORTS, history: [] }
const CLOSED_CASE = {
  ...OPEN_CASE,
  closedAt: '2026-03-07T09:30:00.000Z',
  isAnswered: true,
  answer: 'Je l’ai écrite en 2019.',
  reply: 'الوثيقة من عمل الأستاذة.',
}

const LIST = '**/api/office/admin/reports?*'
const CASE = '**/api/office/admin/reports/4'
const ALIKE = '**/api/office/admin/review/72/alike'
const OWN = '**/api/office/documents/*/reports'

const reports = admin('reports', '/office/reports')
const report = admin('report', '/office/report', '?id=4')
const openCase = answering(report, 'open', CASE, OPEN_CASE)

/** The review of a document, with this answer about what is like it. */
const alike = (name: string, likeness: object, then: Scene['show'] = async () => {}): Scene =>
  scene(
    `office-review-alike${name}`,
    { part: '.review-files', as: 'administrator' },
    async (page, locale) => {
      await page.route(ALIKE, (route) => route.fulfill({ json: likeness }))
      await open(page, locale, '/office/review-document', '?id=72')
      await then(page, locale)
    },
  )

/** Reports about documents, and documents that are alike. */
export const REPORT_SCENES: readonly Scene[] = [
  answering(reports, 'full', LIST, { ...NO_ROWS, content: [ROW], totalElements: 1, totalPages: 1 }),
  { ...answering(reports, 'empty', LIST, NO_ROWS), isPage: true },
  failing(reports, LIST),
  loading(reports, '/office/reports', LIST),
  { ...openCase, isPage: true },
  answering(report, 'closed', CASE, CLOSED_CASE),
  failing(report, CASE),
  scene('office-report-close', { as: 'administrator' }, async (page, locale) => {
    await openCase.show(page, locale)
    const close = uiText(locale, 'office-reports:page.close')
    await page.getByRole('button', { name: close }).click()
    await page.getByLabel(uiText(locale, 'office-reports:page.reason')).waitFor()
  }),
  scene('office-document-reported', { part: '.alert', as: 'teacher' }, async (page, locale) => {
    const own = '**/api/office/documents/*'
    await page.route(own, async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      const document = { ...answer.document, isReported: true }
      await route.fulfill({ json: answer.document ? { ...answer, document } : answer })
    })
    await page.route(OWN, (route) =>
      route.fulfill({ json: { answer: null, reports: REPORTS.map(({ who: _, ...one }) => one) } }),
    )
    await open(page, locale, '/office/document', '?id=18')
    await page.getByText(uiText(locale, 'office-reports:own.title')).waitFor()
  }),
  alike('-none', { isCompared: true, documents: [] }),
  alike('-missing', {
    isCompared: true,
    documents: [],
    notCompared: { pages: 120, longDocuments: 3, documents: 12, waiting: 4, hasMore: true },
  }),
  alike('-waiting', { isCompared: false, documents: [] }),
  alike(
    '',
    {
      isCompared: true,
      documents: [
        {
          id: 1,
          title: 'المعادلات من الدرجة الأولى: تمارين محلولة',
          teacher: 'سلمى الزواري',
          version: 1,
          percent: 84,
          pages: [{ page: 1, other: 1, percent: 84 }],
        },
      ],
    },
    async (page) => {
      const compare = page.locator('.review-files ol button[aria-expanded]')
      await compare.click()
      await page.locator('.review-sides--pair').waitFor()
    },
  ),
]
