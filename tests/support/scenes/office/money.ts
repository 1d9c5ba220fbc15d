import { A_PHOTO, SOME_PHOTOS } from '../samples.ts'
import { type Scene, scene } from '../scene.ts'
import { SOME_CODES } from './codes.ts'
import { admin, answering, failing, loading, NO_ROWS } from './kinds.ts'

const commissions = admin('commissions', '/office/commissions')
const COMMISSIONS = '**/api/office/admin/commissions'
const withheld = admin('withheld', '/office/withheld')
const WITHHELD = '**/api/office/admin/withheld?*'
/** As the server answers it, amounts in dinars. */
const SOME_WITHHELD = {
  owed: 51.3,
  teachers: [
    {
      id: 1,
      name: 'سنية الغربي',
      holder: 'Sonia Gharbi',
      taxNumber: '1282182W/A/M/000',
      payouts: 3,
      amount: 842,
      withheld: 126.3,
    },
    {
      id: 2,
      name: 'كريم الدريدي',
      holder: 'Karim Dridi',
      taxNumber: '',
      payouts: 1,
      amount: 60,
      withheld: 9,
    },
  ],
  payments: [{ id: 1, paidOn: '2026-02-12', reference: 'Quittance 2026-118', amount: 84 }],
}
const figures = admin('figures', '/office/figures')
const FIGURES = '**/api/office/admin/figures?*'

const somebody = { id: 16, name: 'نور المنصوري', email: 'buyer3@karras.test', phone: '20100103' }
const acts = admin('acts', '/office/acts')
const ACTS = '**/api/office/admin/acts?*'
const anAct = {
  id: 3,
  kind: 'bound',
  customer: null,
  amount: 500,
  detail: '',
  endsDeletion: false,
  bound: { name: 'bound_refund', from: 200, to: 500 },
  reason: 'Beaucoup de remboursements à la rentrée',
  needsSecond: true,
  state: 'waiting',
  proposer: 'command line',
  isYours: false,
  mayConfirm: true,
  aloneFrom: null,
  proposedAt: '2026-03-05T10:00:00Z',
  decider: null,
  decidedAt: null,
  refusal: null,
}
/** One act for this administrator to decide, one of their own, one that nobody else may confirm. */
const SOME_ACTS = {
  ...NO_ROWS,
  content: [
    anAct,
    {
      ...anAct,
      id: 2,
      kind: 'merge',
      customer: somebody,
      amount: 240,
      detail: 'Rania Kacem (buyer7@karras.test)',
      bound: null,
      isYours: true,
      mayConfirm: false,
      proposer: 'هيفاء العياري',
    },
    {
      ...anAct,
      id: 1,
      kind: 'adjustment',
      customer: somebody,
      amount: -240,
      bound: null,
      isYours: true,
      mayConfirm: false,
      aloneFrom: '2026-03-06T10:00:00Z',
      proposer: 'هيفاء العياري',
    },
  ],
  totalElements: 3,
  totalPages: 1,
}
/** Opens the page with these acts, and presses the first of these buttons. */
const deciding = (name: string, button: string): Scene =>
  scene(`office-${name}`, { as: 'administrator' }, async (page, locale) => {
    await answering(acts, 'some', ACTS, SOME_ACTS).show(page, locale)
    await page.locator(button).first().click()
    await page.getByRole('dialog').waitFor()
  })

const allCodes = admin('all-codes', '/office/all-codes')
const ALL_CODES = '**/api/office/admin/codes?*'

const transfers = admin('transfers', '/office/transfers')
const A_WAITING_TRANSFER = {
  paymentRef: '9c20e8f1b47a65d30f1e8a7b',
  reference: 'KR-9C20-E8F1',
  purpose: 'top_up',
  method: 'bank_transfer',
  state: 'pending',
  amount: 545.5,
  orderId: null,
  payer: somebody,
  createdAt: '2026-03-05T10:00:00Z',
  expiresAt: '2026-03-08T10:00:00Z',
  settledAt: null,
  photos: 0,
  needsSecond: true,
  waits: 7,
}
const payouts = admin('teacher-payouts', '/office/teacher-payouts')
const A_WAITING_PAYOUT = {
  id: 3,
  state: 'requested',
  amount: 1200,
  withheld: 120,
  requestedAt: '2026-03-05T10:00:00Z',
  decidedAt: null,
  holder: 'Salma Ben Amor',
  rib: '08006023011000456789',
  reference: null,
  reason: null,
  teacher: { id: 1, name: 'سلمى بن عمر', email: 'teacher@karras.test' },
  left: 169.75,
  transferredOn: null,
  needsApproval: true,
  waits: null,
  isUnapproved: false,
}

/** A payment of which the gateway reports another sum than the shop requested. */
const A_DIFFERENCE = {
  id: 1,
  paymentRef: '4b1e07d2c9a865f30e1d8b7c',
  orderId: 8121,
  payer: { ...somebody, name: 'Mohamed Ali Ben Abdallah' },
  kind: 'amount',
  expected: 1123.5,
  state: 'pending',
  reported: 1121,
  reportedState: 'paid',
  gatewayReference: 'gw-1',
  notedAt: '2026-03-05T10:00:00Z',
  outcome: null,
  decider: null,
  decidedAt: null,
  reason: null,
}

/** Administrators' actions with money. */
export const MONEY_SCENES: readonly Scene[] = [
  transfers,
  answering(transfers, 'second', '**/api/office/admin/transfers?*', {
    ...NO_ROWS,
    content: [{ ...A_WAITING_TRANSFER, waits: null }, A_WAITING_TRANSFER].map((transfer, at) => ({
      ...transfer,
      paymentRef: `${at}${transfer.paymentRef.slice(1)}`,
    })),
    totalElements: 2,
    totalPages: 1,
  }),
  scene('office-transfers-photos', { as: 'administrator' }, async (page, locale) => {
    await page.route('**/api/office/admin/receipt-photos/*/picture', (route) =>
      route.fulfill({ path: A_PHOTO }),
    )
    await page.route('**/api/office/admin/transfers/*/photos', (route) =>
      route.fulfill({ json: SOME_PHOTOS.photos }),
    )
    const content = [{ ...A_WAITING_TRANSFER, waits: null, photos: 3 }]
    const json = { ...NO_ROWS, content, totalElements: 1, totalPages: 1 }
    await answering(transfers, 'with-photos', '**/api/office/admin/transfers?*', json).show(
      page,
      locale,
    )
    await page.locator('.office-table button.link').click()
    await page.locator('.receipt-frame img:not(.skeleton)').last().waitFor()
  }),
  answering(transfers, 'differences', '**/api/office/admin/differences*', {
    ...NO_ROWS,
    content: [A_DIFFERENCE, { ...A_DIFFERENCE, id: 2, kind: 'reference' }],
    totalElements: 2,
    totalPages: 1,
  }),
  admin('orders', '/office/orders'),
  admin('invoices', '/office/invoices'),
  withheld,
  failing(withheld, WITHHELD),
  loading(withheld, '/office/withheld', WITHHELD),
  scene('office-withheld-record', { as: 'administrator' }, async (page, locale) => {
    await answering(withheld, 'full', WITHHELD, SOME_WITHHELD).show(page, locale)
    await page.locator('.sheet__ways button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.button--primary').click()
    await dialog.locator('.field__error').first().waitFor()
  }),
  admin('order', '/office/order', '?id=2'),
  admin('wallet', '/office/wallet', '?id=20'),
  acts,
  answering(acts, 'some', ACTS, SOME_ACTS),
  deciding('acts-confirm', 'main table .button--primary'),
  deciding('acts-refuse', 'main table .button:not(.button--primary)'),
  deciding('acts-bound', '.bound .button'),
  admin('teacher-payouts', '/office/teacher-payouts', '?state=paid'),
  answering(payouts, 'approval', '**/api/office/admin/payouts?*', {
    ...NO_ROWS,
    content: [
      A_WAITING_PAYOUT,
      { ...A_WAITING_PAYOUT, id: 4, waits: 9 },
      { ...A_WAITING_PAYOUT, id: 5, state: 'paid', needsApproval: false, isUnapproved: true },
    ],
    totalElements: 3,
    totalPages: 1,
  }),
  admin('closing', '/office/closing'),
  commissions,
  failing(commissions, COMMISSIONS),
  loading(commissions, '/office/commissions', COMMISSIONS),
  scene('office-commissions-change', { as: 'administrator' }, async (page, locale) => {
    await commissions.show(page, locale)
    await page.locator('.summary button').click()
    await page.getByRole('dialog').waitFor()
  }),
  allCodes,
  answering(allCodes, 'some', ALL_CODES, SOME_CODES),
  failing(allCodes, ALL_CODES),
  loading(allCodes, '/office/all-codes', ALL_CODES),
  scene('office-all-codes-new', { as: 'administrator' }, async (page, locale) => {
    await answering(allCodes, 'some', ALL_CODES, SOME_CODES).show(page, locale)
    await page.locator('main .button--primary').click()
    await page.locator('[name=percent]').fill('50')
    await page.locator('[name=atMost]').fill('5')
    await page.locator('[name=scope]').selectOption('teachers')
    await page.locator('.code-form strong').waitFor()
  }),
  figures,
  failing(figures, FIGURES),
  loading(figures, '/office/figures', FIGURES),
]
