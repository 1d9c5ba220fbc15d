import { type Scene, scene } from '../scene.ts'
import { admin, answering, failing, loading } from './kinds.ts'

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

/** Administrators' actions with money. */
export const MONEY_SCENES: readonly Scene[] = [
  admin('transfers', '/office/transfers'),
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
  admin('acts', '/office/acts'),
  admin('teacher-payouts', '/office/teacher-payouts', '?state=paid'),
  admin('closing', '/office/closing'),
  commissions,
  failing(commissions, COMMISSIONS),
  loading(commissions, '/office/commissions', COMMISSIONS),
  scene('office-commissions-change', { as: 'administrator' }, async (page, locale) => {
    await commissions.show(page, locale)
    await page.locator('.summary button').click()
    await page.getByRole('dialog').waitFor()
  }),
  figures,
  failing(figures, FIGURES),
  loading(figures, '/office/figures', FIGURES),
]
