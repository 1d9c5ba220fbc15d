import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { button, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import {
  A_CREDIT_NOTE,
  A_PAYMENT,
  A_PHOTO,
  A_RECEIPT,
  AN_INVOICE,
  AN_ORDER,
  FIRST_CART,
  SOME_PHOTOS,
  TOO_MANY_OPEN,
  withCodeOff,
} from './samples.ts'
import { type Scene, scene } from './scene.ts'

/** A wallet with every kind of movement. */
const MOVEMENTS = [
  ['adjustment', 1.5, 61.5, []],
  ['refund', 7, 60, [FIRST_CART[1]]],
  ['purchase', -17, 53, FIRST_CART],
  ['top_up', 50, 70, []],
  ['top_up', 20, 20, []],
].map(([kind, amount, balanceAfter, bought], at) => ({
  id: 5 - at,
  createdAt: `2026-03-0${5 - at}T10:00:00Z`,
  kind,
  amount,
  balanceAfter,
  orderId: null,
  documents: (bought as typeof FIRST_CART).map(({ documentId: id, title }) => ({ id, title })),
}))

const HISTORY = { content: MOVEMENTS, totalElements: 15, totalPages: 2, number: 0 }

/** A pending top-up by D17, and a failed one. */
const WAITING_TOP_UPS = [
  { paymentRef: 'b1b2c3d4e5f60718293a4b5c', state: 'pending' },
  { paymentRef: 'c1b2c3d4e5f60718293a4b5c', state: 'expired' },
].map((topUp) => ({
  ...topUp,
  method: 'd17',
  amount: 50,
  createdAt: A_PAYMENT.createdAt,
  expiresAt: A_PAYMENT.expiresAt,
  paymentUrl: topUp.state === 'pending' ? `/payment/transfer/${topUp.paymentRef}` : null,
}))

/** The page of a really started payment: one per customer, however often this runs. */
async function paymentPage(page: Page, locale: Locale, paymentMethod: string): Promise<void> {
  await open(page, locale, '/charging')
  const path = await page.evaluate(
    async ([method, lang]) => {
      const token = localStorage.getItem('token') ?? ''
      const { userId } = JSON.parse(atob(token.split('.')[1] ?? ''))
      const answer = await fetch('/api/wallet/recharge/initiate', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': `scene-${method}`,
        },
        body: JSON.stringify({ userId, amount: 25, paymentMethod: method }),
      })
      const { paymentUrl } = await answer.json()
      return (lang === 'ar' ? '' : `/${lang}`) + new URL(paymentUrl).pathname
    },
    [paymentMethod, locale] as const,
  )
  await page.goto(path)
  await page.locator('.payment-page').waitFor()
}

const PHOTOS = '.payment-page section:last-of-type'

async function photosPage(page: Page, locale: Locale, json: object): Promise<void> {
  await page.route('**/api/receipt-photos?*', (route) => route.fulfill({ json }))
  await page.route('**/api/receipt-photos/*/picture', (route) => route.fulfill({ path: A_PHOTO }))
  await paymentPage(page, locale, 'D17')
  await page.locator(`${PHOTOS} [aria-busy="true"]`).waitFor({ state: 'detached' })
}

const order = (name: string, json: object): Scene =>
  scene(`order-${name}`, { as: 'parent' }, async (page, locale) => {
    await page.route('**/api/orders/12', (route) => route.fulfill({ json }))
    await open(page, locale, '/order?id=12')
    await page.locator('.receipt').waitFor()
  })

const notice = (name: string, payment: object): Scene =>
  scene(`payment-${name}`, { as: 'parent', part: '.payment-notice' }, async (page, locale) => {
    await page.route('**/api/orderss/payment/state?*', (route) =>
      route.fulfill({ json: { ...A_PAYMENT, ...payment } }),
    )
    await open(page, locale, `/shop?payment=${A_PAYMENT.paymentRef}`)
    await page.locator('.payment-notice').waitFor()
  })

async function charging(page: Page, locale: Locale, query = ''): Promise<void> {
  await page.route('**/api/wallet/history?*', (route) => route.fulfill({ json: HISTORY }))
  await open(page, locale, `/charging${query}`)
  await page.locator('.history .table').waitFor()
  await page.locator('.balance .price').waitFor()
}

/** Pending payments, orders and the wallet. */
export const PAYMENT_SCENES: readonly Scene[] = [
  scene('transfer', { as: 'poor' }, async (page, locale) => {
    await paymentPage(page, locale, 'D17')
  }),
  scene('transfer-photos', { part: PHOTOS, as: 'poor' }, async (page, locale) => {
    await page.route(/\/api\/receipt-photos\/\d+$/, (route) => route.fulfill({ status: 204 }))
    await photosPage(page, locale, SOME_PHOTOS)
    await page.locator('.receipt-photos img:not(.skeleton)').last().waitFor()
  }),
  scene('transfer-photos-ended', { part: PHOTOS, as: 'poor' }, async (page, locale) => {
    await photosPage(page, locale, { photos: SOME_PHOTOS.photos.slice(1), isWaiting: false })
    await page.getByText(uiText(locale, 'payment:photos.ended')).waitFor()
  }),
  scene('transfer-photos-interrupted', { part: PHOTOS, as: 'poor' }, async (page, locale) => {
    await photosPage(page, locale, { ...SOME_PHOTOS, photos: [] })
    await page.route('**/api/receipt-photos/uploads', (route) => route.abort())
    await page.locator('input[type=file]').setInputFiles(A_PHOTO)
    await button(page, locale, 'payment:upload.tryNow').waitFor()
  }),
  scene('transfer-photos-refused', { part: PHOTOS, as: 'poor' }, async (page, locale) => {
    await photosPage(page, locale, { ...SOME_PHOTOS, photos: [] })
    const json = { status: 415, error: 'heic_picture', message: '' }
    await page.route('**/api/receipt-photos/uploads', (route) =>
      route.fulfill({ status: 415, json }),
    )
    await page.locator('input[type=file]').setInputFiles(A_PHOTO)
    await page.locator(`${PHOTOS} [role=alert]`).waitFor()
  }),
  scene('transfer-photos-failed', { part: PHOTOS, as: 'poor' }, async (page, locale) => {
    await page.route('**/api/receipt-photos?*', (route) => route.abort())
    await paymentPage(page, locale, 'D17')
    await page.locator(`${PHOTOS} .error-state`).waitFor()
  }),
  scene('transfer-photos-of-another', { part: PHOTOS, as: 'poor' }, async (page, locale) => {
    const json = { status: 404, error: 'payment_not_found', message: '' }
    await page.route('**/api/receipt-photos?*', (route) => route.fulfill({ status: 404, json }))
    await paymentPage(page, locale, 'D17')
    await page.getByText(uiText(locale, 'payment:photos.notYours')).waitFor()
  }),
  scene('sandbox', { as: 'poor' }, async (page, locale) => {
    await paymentPage(page, locale, 'sandbox')
  }),
  scene('charging-waiting', { part: '.history', as: 'parent' }, async (page, locale) => {
    await charging(page, locale)
    await page.route('**/api/wallet/history?*', (route) =>
      route.fulfill({ json: { ...HISTORY, waiting: WAITING_TOP_UPS } }),
    )
    await page.reload()
    await page.locator('.history .open-orders > li').first().waitFor()
  }),
  scene('charging-too-many-open', { part: '.charge-panel', as: 'parent' }, async (page, locale) => {
    await charging(page, locale)
    await page.route('**/api/wallet/recharge/initiate', (route) =>
      route.fulfill({ status: 409, json: TOO_MANY_OPEN }),
    )
    await page.locator('input[value="d17"]').check()
    await page.locator('.charge-panel button[type="submit"]').click()
    await page.locator('.open-payments').waitFor()
  }),
  order('pending', AN_ORDER),
  order('replaced', { ...AN_ORDER, status: 'replaced', payment: null }),
  order('receipt', A_RECEIPT),
  order('receipt-code', withCodeOff(A_RECEIPT)),
  order('bundle', {
    ...A_RECEIPT,
    items: A_RECEIPT.items.map((item, at) => (at === 0 ? item : { ...item, bundleId: 12 })),
  }),
  scene('order-invoice-request', { as: 'parent', part: '#invoice' }, async (page, locale) => {
    await order('paid', A_RECEIPT).show(page, locale)
    await button(page, locale, 'invoice:page.ask').click()
    await page.route('**/api/orders/12/invoice', (route) =>
      route.fulfill({
        status: 400,
        json: {
          status: 400,
          error: 'invalid_input',
          message: '',
          fields: { address: 'required', taxNumber: 'pattern' },
        },
      }),
    )
    await button(page, locale, 'invoice:page.submit').click()
    await page.locator('#invoice .field__error').first().waitFor()
  }),
  order('invoice', { ...A_RECEIPT, invoices: [AN_INVOICE, A_CREDIT_NOTE] }),
  scene('order-missing', { as: 'parent' }, async (page, locale) => {
    await open(page, locale, '/order')
    await page.getByText(uiText(locale, 'order:page.missing.title')).waitFor()
  }),
  notice('checking', { method: 'card' }),
  notice('paid', { state: 'paid' }),
  notice('topped-up', { state: 'paid', purpose: 'top_up', orderId: null }),
  notice('refused', { state: 'refused' }),
  notice('expired', { state: 'expired' }),
  scene('charging', { as: 'parent' }, (page, locale) => charging(page, locale)),
  scene('charging-for-a-document', { part: '.charge-panel', as: 'poor' }, async (page, locale) => {
    await charging(page, locale, '?documentPrice=320')
    await page
      .getByLabel(uiText(locale, 'charging:page.amount.custom'))
      .and(page.locator('[value="315"]'))
      .waitFor()
  }),
  scene('charging-raised', { part: '.charge-panel', as: 'parent' }, async (page, locale) => {
    await charging(page, locale)
    await page.getByLabel(uiText(locale, 'charging:page.amount.custom')).fill('4')
    await page.getByRole('radio').last().focus()
    await page.locator('.custom-amount__raised').waitFor()
  }),
  scene(
    'charging-refused',
    { part: '.charge-panel, .balance', as: 'parent' },
    async (page, locale) => {
      await page.route('**/api/wallet/recharge/initiate', (route) => route.abort())
      await page.route('**/api/wallet/balance?*', (route) => route.abort())
      await charging(page, locale)
      await page.locator('.charge-panel button').click()
      await page.locator('.charge-panel .alert').waitFor()
    },
  ),
  scene('charging-history-empty', { part: '.history', as: 'parent' }, async (page, locale) => {
    const json = { ...HISTORY, content: [], totalElements: 0, totalPages: 0 }
    await page.route('**/api/wallet/history?*', (route) => route.fulfill({ json }))
    await open(page, locale, '/charging')
    await page.getByText(uiText(locale, 'charging:page.history.empty')).waitFor()
  }),
  scene('charging-history-failed', { part: '.history', as: 'parent' }, async (page, locale) => {
    await page.route('**/api/wallet/history?*', (route) => route.abort())
    await open(page, locale, '/charging')
    await page.getByText(uiText(locale, 'charging:page.history.failed')).waitFor()
  }),
]
