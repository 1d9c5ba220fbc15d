import { type Scene, scene } from '../scene.ts'
import { admin, failing, loading } from './kinds.ts'

const commissions = admin('commissions', '/office/commissions')
const COMMISSIONS = '**/api/office/admin/commissions'
const figures = admin('figures', '/office/figures')
const FIGURES = '**/api/office/admin/figures?*'

/** Administrators' actions with money. */
export const MONEY_SCENES: readonly Scene[] = [
  admin('transfers', '/office/transfers'),
  admin('orders', '/office/orders'),
  admin('invoices', '/office/invoices'),
  admin('order', '/office/order', '?id=2'),
  admin('wallet', '/office/wallet', '?id=20'),
  admin('adjustments', '/office/adjustments'),
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
