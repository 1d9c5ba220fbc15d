import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { DEMO_PASSWORD } from '../../src/server/demo/demo.ts'
import { loggedIn, type Visitor, type VisitorOptions, visitor } from './browser.ts'
import { LIBRARY_SCENES } from './library-scenes.ts'
import { button, dialogOf, open, settle } from './scene-steps.ts'
import { type KeyIn, said } from './texts.ts'

/** Tokens of two customers of the demo shop. */
export interface Cast {
  /** Has 60 dinars, two documents, and three in the cart of which one is owned. */
  readonly parent: string
  /** Has 5 dinars, and more than that in the cart. */
  readonly poor: string
}

/** One screen, or one dialog over a screen, and how a visitor's page gets there. */
export interface Scene {
  readonly name: string
  /** Who is logged in; nobody unless named. */
  readonly as?: keyof Cast
  /** What exists only below 768 px, or only from there. */
  readonly only?: 'phone' | 'wide'
  /** What of the screen is this scene's own, by its selector, where the rest of it is another scene's. */
  readonly part?: string
  /** Leaves the page in that state; `page` is that of a visitor with nothing saved but a token. */
  show(page: Page, locale: Locale): Promise<void>
}

const OWNED = 1
/** Documents below and from 10 dinars on. */
const SMALL = 64
const LARGE = 71
const FIRST_CART = [
  { documentId: 69, title: 'Informatique bac : exercices de programmation', price: 10 },
  { documentId: 66, title: 'العلم بين الحقيقة والنمذجة: ملخّص وأسئلة', price: 7 },
]

const aWish = (id: number, title: string, price: number, priceDiscount: number | null) => ({
  createdAt: '2026-03-04T10:00:00.000Z',
  document: {
    id,
    title,
    price,
    priceDiscount,
    filePath: null,
    coverPath: null,
    coverMapping: null,
    teacher: { username: 'سلمى الزواري' },
    matiereCode: id % 2 ? 'mathematics' : 'science',
  },
})
const WISHES = [
  aWish(66, 'العلم بين الحقيقة والنمذجة: ملخّص وأسئلة', 7, null),
  aWish(69, 'Informatique bac : exercices de programmation', 10, 8),
]

/** A good answer; a shop that is too busy right after its start is asked again. */
async function answered(ask: () => Promise<Response>, tries = 10): Promise<Response> {
  const response = await ask()
  if (response.ok) return response
  if (response.status !== 503 || tries === 0) {
    throw new Error(`${response.url}: ${await response.text()}`)
  }
  await delay(1000)
  return answered(ask, tries - 1)
}

/** Logs both customers in over HTTP and fills their carts. */
export async function callCast(shopUrl: string): Promise<Cast> {
  const enter = async (username: string, cart: number[]) => {
    const logIn = await answered(() =>
      fetch(`${shopUrl}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: DEMO_PASSWORD }),
      }),
    )
    const { accessToken } = (await logIn.json()) as { accessToken: string }
    const { userId } = JSON.parse(
      Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString(),
    ) as { userId: number }
    for (const documentId of cart) {
      await answered(() =>
        fetch(`${shopUrl}/api/carts/add?userId=${userId}&documentId=${documentId}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}` },
        }),
      )
    }
    return accessToken
  }
  return {
    parent: await enter('parent@karras.test', [69, 66, OWNED]),
    poor: await enter('parent2@karras.test', [65]),
  }
}

/** Somebody whom the scene is for: a visitor, logged in where it asks for that. */
export async function visitorOf(
  { as }: Scene,
  cast: Cast,
  shopUrl: string,
  options: VisitorOptions,
): Promise<Visitor> {
  return as ? loggedIn(shopUrl, { token: cast[as] }, options) : visitor(shopUrl, options)
}

/** The document whose sample is looked at: of five pages, the first. */
const LOOKED_INTO = 1

/** Opens a path once the pages of `LOOKED_INTO` are read, which the shop does soon after its start. */
async function openSampled(page: Page, locale: Locale, path: string): Promise<void> {
  await open(page, locale, '/shop-details/1')
  while (
    !(await page.evaluate(
      async (id) => (await (await fetch(`/api/documents/${id}/sample`)).json()).key,
      LOOKED_INTO,
    ))
  ) {
    await delay(200)
  }
  await open(page, locale, path)
}

async function lookedInside(page: Page, locale: Locale): Promise<void> {
  await openSampled(page, locale, `/shop-details/${LOOKED_INTO}`)
  await page.locator('[data-look-inside]').click()
  const first = page.locator('.look-dialog img').first()
  await first.waitFor()
  await first.evaluate((picture: HTMLImageElement) => picture.decode())
}

async function addAsked(page: Page, locale: Locale): Promise<Locator> {
  await open(page, locale, '/shop-details/69')
  await page.locator('main .add-to-cart button:visible').first().click()
  return dialogOf(page, locale, 'cart:overlays.anonymous.title')
}

async function introduced(page: Page, locale: Locale): Promise<Locator> {
  const prompt = await addAsked(page, locale)
  await button(prompt, locale, 'cart:overlays.anonymous.continue').click()
  return dialogOf(page, locale, 'cart:overlays.walletIntro.title')
}

async function payingFromWallet(page: Page, locale: Locale): Promise<void> {
  await open(page, locale, '/checkout')
  await page.getByRole('radio', { name: said(locale, 'checkout:payment.wallet') }).check()
}

/** A wallet in which everything has moved that can. */
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

const A_PAYMENT = {
  paymentRef: 'a1b2c3d4e5f60718293a4b5c',
  purpose: 'order',
  method: 'bank_transfer',
  state: 'pending',
  amount: 17,
  orderId: 12,
  paymentUrl: '/payment/transfer/a1b2c3d4e5f60718293a4b5c',
  returnTo: '/my-documents',
  createdAt: '2026-03-05T10:00:00Z',
  expiresAt: '2126-03-08T10:00:00Z',
}

const AN_ORDER = {
  id: 12,
  status: 'pending',
  method: 'bank_transfer',
  total: 17,
  createdAt: A_PAYMENT.createdAt,
  paidAt: null,
  expiresAt: A_PAYMENT.expiresAt,
  receiptNumber: null,
  buyer: { name: 'سلمى بن عمر', email: 'parent@karras.test' },
  items: FIRST_CART.map((item) => ({ ...item, refundedAt: null, isOwned: false })),
  payment: A_PAYMENT,
}

/** A top-up by D17 that waits, and one that came to nothing. */
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

const TOO_MANY_OPEN = {
  status: 409,
  error: 'too_many_open_payments',
  message: '',
  payments: ['a1', 'b1', 'c1'].map((start, at) => ({
    ...A_PAYMENT,
    paymentRef: `${start}b2c3d4e5f60718293a4b5c`,
    amount: 17 + at * 10,
  })),
}

/** An order of the cart's documents that waits. */
async function withWaitingOrder(page: Page, orders: object[] = [AN_ORDER]): Promise<void> {
  await page.route('**/api/orders/user/*', (route) => route.fulfill({ json: orders }))
  await page.route('**/api/orders/12', (route) => route.fulfill({ json: AN_ORDER }))
}

/** The page of a payment that is really started: one a customer, however often this is played. */
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

/** A paid order of which one document was given back. */
const A_RECEIPT = {
  ...AN_ORDER,
  status: 'paid',
  paidAt: '2026-03-06T09:00:00Z',
  receiptNumber: 7,
  items: AN_ORDER.items.map((item, at) => ({
    ...item,
    refundedAt: at === 1 ? '2026-03-09T09:00:00Z' : null,
    isOwned: at === 0,
  })),
}

const order = (name: string, json: object): Scene => ({
  name: `order-${name}`,
  as: 'parent',
  async show(page, locale) {
    await page.route('**/api/orders/12', (route) => route.fulfill({ json }))
    await open(page, locale, '/order?id=12')
    await page.locator('.receipt').waitFor()
  },
})

const notice = (name: string, payment: object): Scene => ({
  name: `payment-${name}`,
  as: 'parent',
  part: '.payment-notice',
  async show(page, locale) {
    await page.route('**/api/orderss/payment/state?*', (route) =>
      route.fulfill({ json: { ...A_PAYMENT, ...payment } }),
    )
    await open(page, locale, `/shop?payment=${A_PAYMENT.paymentRef}`)
    await page.locator('.payment-notice').waitFor()
    await settle(page)
  },
})

async function charging(page: Page, locale: Locale, query = ''): Promise<void> {
  await page.route('**/api/wallet/history?*', (route) => route.fulfill({ json: HISTORY }))
  await open(page, locale, `/charging${query}`)
  await page.locator('.history .table').waitFor()
  await page.locator('.balance .price').waitFor()
}

async function buyingNow(page: Page, locale: Locale, id: number): Promise<Locator> {
  await open(page, locale, `/shop-details/${id}`)
  await page
    .locator('main .buy')
    .getByRole('button', { name: said(locale, 'purchase:buy') })
    .click()
  const modal = await dialogOf(page, locale, 'purchase:modal.title')
  await modal.locator('.dialog__sums .price').nth(1).waitFor()
  await settle(page)
  return modal
}

const purchase = (name: string, as: keyof Cast, id: number): Scene => ({
  name: `purchase-${name}`,
  as,
  async show(page, locale) {
    await buyingNow(page, locale, id)
  },
})

async function withCart(page: Page): Promise<void> {
  await page.addInitScript(
    (cart) => localStorage.setItem('static_cart', JSON.stringify({ items: cart })),
    FIRST_CART,
  )
}

const plain = (name: string, path: string, as?: keyof Cast, part?: string): Scene => ({
  name,
  ...(as && { as }),
  ...(part && { part }),
  show: (page, locale) => open(page, locale, path),
})

const HOUR_MS = 3_600_000

const INBOX = { id: 900, username: 'كرّاس · Karras', isShop: true }

/** A conversation as it may be: who wrote, and what; the demo shop has none. */
const TALK: readonly (readonly ['me' | 'other', string])[] = [
  ['me', 'السلام عليكم، هل يوجد امتحان تجريبي في الرياضيات للسنة التاسعة مع الإصلاح؟'],
  ['other', 'Bonjour ! Oui, il y en a trois, dont un avec le corrigé complet.'],
  ['me', 'شكرًا! هل هذه هي؟\n{origin}/shop-details/1'],
  ['other', 'نعم، هي نفسها. السعر 12.50 د.ت، وتُحمَّل بصيغة PDF.'],
  ['other', 'Écrivez-nous au +216 71 000 000 si le fichier ne s’ouvre pas : https://example.com'],
]

/** Puts a chat server with these messages, and without a live connection, before the page. */
async function withChat(page: Page, talk: typeof TALK): Promise<void> {
  const messagesOf = (me: number, origin: string) =>
    talk.map(([writer, content], at) => ({
      id: at + 1,
      senderId: writer === 'me' ? me : me + 1,
      receiverId: writer === 'me' ? me + 1 : me,
      roomId: `room_${me}_${me + 1}`,
      content: content.replace('{origin}', origin),
      timestamp: new Date(Date.now() - (talk.length - at) * 9 * HOUR_MS).toISOString(),
    }))
  const roomsOf = (me: number, origin: string) => {
    const lastMessage = messagesOf(me, origin).at(-1)
    const thanks = 'شكرًا جزيلًا، وصلتني الوثيقة كاملة وهي واضحة'
    const names = ['Sonia Ben Amor', 'أحمد الطرابلسي'].slice(0, talk.length)
    return names.map((name, at) => ({
      roomId: `room_${me}_${me + 1 + at}`,
      other: { id: me + 1 + at, name },
      lastMessage: at === 0 ? lastMessage : { ...lastMessage, content: thanks },
      unreadCount: at * 2,
    }))
  }
  await page.routeWebSocket(/\/ws/, () => {})
  await page.route('**/api/messages/**', (route) => {
    const { pathname, origin } = new URL(route.request().url())
    const me = Number(/rooms?[/_](\d+)/.exec(pathname)?.[1])
    if (pathname.endsWith('/summaries')) return route.fulfill({ json: roomsOf(me, origin) })
    if (pathname.endsWith('/messages')) {
      const author = pathname.includes(`_${INBOX.id}/`) ? 'أحمد الطرابلسي' : null
      return route.fulfill({ json: messagesOf(me, origin).map((one) => ({ ...one, author })) })
    }
    if (pathname.endsWith('/send')) return route.abort()
    if (!pathname.endsWith('/admins')) return route.fulfill({ status: 204 })
    const administrators = [
      INBOX,
      { id: 901, username: 'Sonia Ben Amor' },
      { id: 902, username: 'أحمد الطرابلسي' },
    ]
    return route.fulfill({ json: administrators })
  })
}

async function inRoom(page: Page, locale: Locale, path = '/chat'): Promise<void> {
  await withChat(page, TALK)
  await open(page, locale, path)
  await page.locator('.message').first().waitFor()
}

/** The details page of somebody who has rated the document; `state` is the sentence that says how. */
async function withOwnRating(
  page: Page,
  locale: Locale,
  more: object,
  state: KeyIn<'own-rating'>,
): Promise<void> {
  const rating = {
    id: 900,
    user: { id: 1, name: 'أمل ب.', email: 'parent@karras.test' },
    document: { id: OWNED, title: '' },
    teacher: null,
    rating: 4,
    comment: 'شرح واضح، شكرًا.',
    createdAt: '2026-03-05T10:00:00Z',
    verified: true,
    ...more,
  }
  await page.route('**/api/ratings/document/*/user/*', (route) => route.fulfill({ json: rating }))
  await open(page, locale, `/shop-details/${OWNED}`)
  await page.locator('.rating-form textarea').focus()
  await page.getByText(said(locale, `own-rating:${state}`)).waitFor()
}

const ownRating = (name: string, more: object, state: KeyIn<'own-rating'>): Scene => ({
  name,
  as: 'parent',
  part: '.rating-form',
  show: (page, locale) => withOwnRating(page, locale, more, state),
})

/** Every screen and every dialog that there is. */
export const SCENES: readonly Scene[] = [
  plain('home', '/'),
  plain('home-logged-in', '/', 'parent', '.header, .hero'),
  plain('shop', '/shop'),
  plain('shop-filtered', '/shop?level=high-school&rating=4'),
  plain('shop-empty', '/shop?search=zzzzzz'),
  plain('details', '/shop-details/69'),
  {
    name: 'look-inside',
    part: '.look-page',
    show: (page, locale) => openSampled(page, locale, `/look-inside/${LOOKED_INTO}`),
  },
  { name: 'look-dialog', part: '.look-dialog', show: lookedInside },
  plain('details-arabic-title', '/shop-details/66', undefined, 'h1'),
  plain('details-owned', `/shop-details/${OWNED}`, 'parent'),
  plain('teacher', '/teacher-details/1'),
  plain('login', '/login'),
  plain('register', '/register'),
  plain('not-found', '/no-such-page'),
  plain('error', '/error'),
  plain('busy', '/busy'),
  plain('teachers', '/teachers'),
  plain('team', '/team'),
  plain('about', '/about'),
  plain('faq', '/faq'),
  plain('contact', '/contact'),
  plain('terms', '/terms'),
  plain('privacy', '/privacy'),
  plain('forget-password', '/forget-password'),
  plain('reset-password', `/reset-password?token=${'0'.repeat(43)}`),
  plain('reset-password-without-token', '/reset-password'),
  plain('confirm-email', `/confirm-email?token=${'0'.repeat(43)}`),
  plain('confirm-email-without-token', '/confirm-email'),
  {
    name: 'confirm-email-done',
    async show(page, locale) {
      await page.route('**/api/auth/confirm-email', (route) =>
        route.fulfill({ json: { status: 'CONFIRMED' } }),
      )
      await open(page, locale, `/confirm-email?token=${'0'.repeat(43)}`)
      await button(page, locale, 'confirm-email:island.submit').click()
      await page.getByText(said(locale, 'confirm-email:island.confirmed')).waitFor()
    },
  },
  ownRating('own-rating', {}, 'verified'),
  ownRating('own-rating-waiting', { verified: false, awaitsConfirmation: true }, 'waiting'),
  ownRating(
    'own-rating-hidden',
    { verified: false, hiddenReason: 'يذكر التعليق اسم تلميذ ورقم هاتفه.' },
    'hidden',
  ),
  {
    name: 'own-rating-delete',
    as: 'parent',
    async show(page, locale) {
      await withOwnRating(page, locale, {}, 'verified')
      await button(page, locale, 'own-rating:remove').click()
      await dialogOf(page, locale, 'own-rating:dialog.title')
      await settle(page)
    },
  },
  {
    name: 'drawer',
    part: '#drawer',
    only: 'phone',
    async show(page, locale) {
      await open(page, locale, '/')
      await button(page, locale, 'common:menu.open').click()
      await page.locator('#drawer:popover-open').waitFor()
    },
  },
  {
    name: 'filter-sheet',
    part: '#filter-sheet',
    only: 'phone',
    async show(page, locale) {
      await open(page, locale, '/shop')
      await page.locator('.shop__open').click()
      await page.locator('#filter-sheet:popover-open').waitFor()
    },
  },
  {
    name: 'language-picker',
    part: '.picker',
    async show(page, locale) {
      await open(page, locale, '/login')
      await page.locator('.picker__button:visible').first().click()
      await page.locator('.picker__list:visible').first().waitFor()
    },
  },
  {
    name: 'cart-box',
    part: '.cart-box',
    only: 'wide',
    async show(page, locale) {
      await withCart(page)
      await open(page, locale, '/')
      await page.locator('.cart-link:visible').hover()
      await page.locator('.cart-box__panel li').first().waitFor()
    },
  },
  {
    name: 'anonymous-prompt',
    async show(page, locale) {
      await addAsked(page, locale)
      await settle(page)
    },
  },
  {
    name: 'wallet-intro',
    async show(page, locale) {
      await introduced(page, locale)
      await settle(page)
    },
  },
  {
    name: 'toast',
    part: '.toast',
    async show(page, locale) {
      const intro = await introduced(page, locale)
      await button(intro, locale, 'cart:overlays.walletIntro.ok').click()
      await page.locator('.toast').waitFor()
      await settle(page)
    },
  },
  {
    name: 'login-errors',
    part: 'form',
    async show(page, locale) {
      await open(page, locale, '/login')
      await button(page, locale, 'account:login.submit').click()
      await page.locator('.field__error').first().waitFor()
    },
  },
  {
    name: 'access-denied',
    async show(page, locale) {
      await open(page, locale, '/login')
      await page.getByLabel(said(locale, 'account:login.username')).fill('teacher@karras.test')
      await page
        .getByLabel(said(locale, 'account:login.password'), { exact: true })
        .fill(DEMO_PASSWORD)
      await button(page, locale, 'account:login.submit').click()
      await dialogOf(page, locale, 'account:login.denied.title')
    },
  },
  {
    name: 'register-errors',
    part: 'form',
    async show(page, locale) {
      await open(page, locale, '/register')
      await button(page, locale, 'account:register.submit').click()
      await page.locator('.field__error').first().waitFor()
    },
  },
  {
    name: 'checkout-empty',
    async show(page, locale) {
      await open(page, locale, '/checkout')
      await page.getByText(said(locale, 'checkout:empty.title')).waitFor()
    },
  },
  {
    name: 'checkout-loading',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/carts/**', () => {})
      await open(page, locale, '/checkout')
      await page.locator('main .skeleton').first().waitFor()
    },
  },
  {
    name: 'checkout-failed',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/carts/**', (route) => route.abort())
      await open(page, locale, '/checkout')
      await page.getByText(said(locale, 'checkout:failed.title')).waitFor()
    },
  },
  {
    name: 'checkout-anonymous',
    async show(page, locale) {
      await withCart(page)
      await open(page, locale, '/checkout')
      await page.locator('.line-items > li').first().waitFor()
    },
  },
  {
    name: 'checkout',
    as: 'parent',
    async show(page, locale) {
      await payingFromWallet(page, locale)
      await page.locator('.wallet-change').waitFor()
    },
  },
  {
    name: 'checkout-short',
    part: '#payment',
    as: 'poor',
    async show(page, locale) {
      await payingFromWallet(page, locale)
      await page.getByText(said(locale, 'checkout:payment.short')).waitFor()
    },
  },
  {
    name: 'checkout-confirm',
    as: 'parent',
    async show(page, locale) {
      await payingFromWallet(page, locale)
      await page.locator('#payment button.button--primary:enabled').click()
      await dialogOf(page, locale, 'checkout:confirm.title')
    },
  },
  {
    name: 'checkout-not-started',
    part: '#payment',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/orders/create', (route) => route.abort())
      await open(page, locale, '/checkout')
      await page.locator('#payment input[value="card"]').check()
      await page.locator('#payment button.button--primary:enabled').click()
      const dialog = await dialogOf(page, locale, 'checkout:confirm.title')
      await button(dialog, locale, 'checkout:confirm.yes').click()
      await page.getByText(said(locale, 'checkout:result.steps.order'), { exact: true }).waitFor()
    },
  },
  {
    name: 'checkout-waiting',
    part: '.line-items',
    as: 'parent',
    async show(page, locale) {
      await withWaitingOrder(page, [{ ...AN_ORDER, items: AN_ORDER.items.slice(0, 1) }])
      await open(page, locale, '/checkout')
      await page.getByText(said(locale, 'order:waiting.status')).first().waitFor()
      await settle(page)
    },
  },
  {
    name: 'checkout-cancel',
    part: '.line-items',
    as: 'parent',
    async show(page, locale) {
      await withWaitingOrder(page)
      await open(page, locale, '/checkout')
      const ask = page.getByRole('button', { name: said(locale, 'order:waiting.cancel') })
      await ask.first().click()
      await settle(page)
    },
  },
  {
    name: 'checkout-too-many-open',
    part: '#payment',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/orders/create', (route) => route.fulfill({ json: { id: 12 } }))
      // At the price that is shown.
      await page.route('**/api/orders/12', (route) =>
        route.fulfill({ json: { ...AN_ORDER, total: 13.5 } }),
      )
      await page.route('**/api/orderss/*/initiate?*', (route) =>
        route.fulfill({ status: 409, json: TOO_MANY_OPEN }),
      )
      await open(page, locale, '/checkout')
      await page.locator('#payment input[value="d17"]').check()
      await page.locator('#payment button.button--primary:enabled').click()
      const dialog = await dialogOf(page, locale, 'checkout:confirm.title')
      await button(dialog, locale, 'checkout:confirm.yes').click()
      await page.locator('.open-payments').waitFor()
    },
  },
  {
    name: 'details-waiting',
    part: '.waiting-document',
    as: 'parent',
    async show(page, locale) {
      await withWaitingOrder(page)
      const { documentId } = FIRST_CART[0] ?? {}
      await page.addInitScript(
        (id) => localStorage.setItem('ordered_documents', JSON.stringify({ [`${id}`]: 12 })),
        documentId,
      )
      await open(page, locale, `/shop-details/${documentId}`)
      await page.locator('.waiting-document').waitFor()
      await settle(page)
    },
  },
  {
    name: 'transfer',
    as: 'poor',
    async show(page, locale) {
      await paymentPage(page, locale, 'D17')
    },
  },
  {
    name: 'sandbox',
    as: 'poor',
    async show(page, locale) {
      await paymentPage(page, locale, 'sandbox')
    },
  },
  {
    name: 'charging-waiting',
    part: '.history',
    as: 'parent',
    async show(page, locale) {
      await charging(page, locale)
      await page.route('**/api/wallet/history?*', (route) =>
        route.fulfill({ json: { ...HISTORY, waiting: WAITING_TOP_UPS } }),
      )
      await page.reload()
      await page.locator('.history .open-orders > li').first().waitFor()
    },
  },
  {
    name: 'charging-too-many-open',
    part: '.charge-panel',
    as: 'parent',
    async show(page, locale) {
      await charging(page, locale)
      await page.route('**/api/wallet/recharge/initiate', (route) =>
        route.fulfill({ status: 409, json: TOO_MANY_OPEN }),
      )
      await page.locator('input[value="d17"]').check()
      await page.locator('.charge-panel button[type="submit"]').click()
      await page.locator('.open-payments').waitFor()
    },
  },
  order('pending', AN_ORDER),
  order('replaced', { ...AN_ORDER, status: 'replaced', payment: null }),
  order('receipt', A_RECEIPT),
  {
    name: 'order-missing',
    as: 'parent',
    async show(page, locale) {
      await open(page, locale, '/order')
      await page.getByText(said(locale, 'order:page.missing.title')).waitFor()
    },
  },
  notice('checking', { method: 'card' }),
  notice('paid', { state: 'paid' }),
  notice('topped-up', { state: 'paid', purpose: 'top_up', orderId: null }),
  notice('refused', { state: 'refused' }),
  notice('expired', { state: 'expired' }),
  {
    name: 'charging',
    as: 'parent',
    show: (page, locale) => charging(page, locale),
  },
  {
    name: 'charging-for-a-document',
    part: '.charge-panel',
    as: 'poor',
    async show(page, locale) {
      await charging(page, locale, '?documentPrice=320')
      await page
        .getByLabel(said(locale, 'charging:page.amount.custom'))
        .and(page.locator('[value="315"]'))
        .waitFor()
    },
  },
  {
    name: 'charging-raised',
    part: '.charge-panel',
    as: 'parent',
    async show(page, locale) {
      await charging(page, locale)
      await page.getByLabel(said(locale, 'charging:page.amount.custom')).fill('4')
      await page.getByRole('radio').last().focus()
      await page.locator('.custom-amount__raised').waitFor()
    },
  },
  {
    name: 'charging-refused',
    part: '.charge-panel, .balance',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/wallet/recharge/initiate', (route) => route.abort())
      await page.route('**/api/wallet/balance?*', (route) => route.abort())
      await charging(page, locale)
      await page.locator('.charge-panel button').click()
      await page.locator('.charge-panel .alert').waitFor()
    },
  },
  {
    name: 'charging-history-empty',
    part: '.history',
    as: 'parent',
    async show(page, locale) {
      const json = { ...HISTORY, content: [], totalElements: 0, totalPages: 0 }
      await page.route('**/api/wallet/history?*', (route) => route.fulfill({ json }))
      await open(page, locale, '/charging')
      await page.getByText(said(locale, 'charging:page.history.empty')).waitFor()
    },
  },
  {
    name: 'charging-history-failed',
    part: '.history',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/wallet/history?*', (route) => route.abort())
      await open(page, locale, '/charging')
      await page.getByText(said(locale, 'charging:page.history.failed')).waitFor()
    },
  },
  purchase('small', 'parent', SMALL),
  purchase('small-short', 'poor', SMALL),
  purchase('large', 'parent', LARGE),
  purchase('large-short', 'poor', LARGE),
  {
    name: 'purchase-failed',
    as: 'parent',
    async show(page, locale) {
      await page.route('**/api/wallet/pay', (route) => route.abort())
      const modal = await buyingNow(page, locale, SMALL)
      await button(modal, locale, 'purchase:modal.payWallet').click()
      await dialogOf(page, locale, 'purchase:modal.problem.title')
      await settle(page)
    },
  },
  {
    name: 'wallet-intro-logged-in',
    as: 'poor',
    async show(page, locale) {
      await open(page, locale, `/shop-details/${LARGE}`)
      await page.locator('main .add-to-cart button:visible').first().click()
      const intro = await dialogOf(page, locale, 'cart:overlays.walletIntro.title')
      await intro.locator('.dialog__sums .price').nth(1).waitFor()
      await settle(page)
    },
  },
  ...LIBRARY_SCENES,
  {
    name: 'my-documents-waiting',
    part: '.open-orders, .continue-reading',
    as: 'parent',
    async show(page, locale) {
      const orders = [
        AN_ORDER,
        { ...AN_ORDER, id: 13, method: 'card', payment: { ...A_PAYMENT, method: 'card' } },
        { ...AN_ORDER, id: 11, status: 'expired', createdAt: new Date().toISOString() },
        { ...A_RECEIPT, id: 10, items: [{ ...A_RECEIPT.items[0], documentId: OWNED }] },
      ]
      await page.route('**/api/orders/user/*', (route) => route.fulfill({ json: orders }))
      await page.addInitScript((id) => localStorage.setItem('last_read', String(id)), OWNED)
      await open(page, locale, '/my-documents')
      await page.locator('.open-orders > li').first().waitFor()
      await page.locator('.continue-reading').waitFor()
    },
  },
  {
    name: 'wishlist',
    as: 'parent',
    async show(page, locale) {
      // Wishes as the shop would tell them: the account is everybody's in these tests.
      await page.route(/\/api\/wishlist\/\d+$/, (route) => route.fulfill({ json: WISHES }))
      await open(page, locale, '/wishlist')
      await page.locator('main .card').first().waitFor()
    },
  },
  {
    name: 'wishlist-empty',
    as: 'poor',
    async show(page, locale) {
      await open(page, locale, '/wishlist')
      await page.getByText(said(locale, 'wishlist:page.empty.title')).waitFor()
    },
  },
  {
    name: 'login-required',
    async show(page, locale) {
      await open(page, locale, '/shop')
      await page.locator('main .heart:visible').first().click()
      await dialogOf(page, locale, 'cart:overlays.loginRequired.title')
      await settle(page)
    },
  },
  {
    name: 'forget-password-errors',
    part: 'form',
    async show(page, locale) {
      await open(page, locale, '/forget-password')
      const email = page.getByLabel(said(locale, 'password:forgot.email'), { exact: true })
      await email.fill('x')
      await email.blur()
      await page.locator('.field__error').first().waitFor()
    },
  },
  {
    name: 'search-suggestions',
    part: '.search',
    async show(page, locale) {
      await open(page, locale, '/shop')
      const box = page.getByRole('combobox').and(page.locator(':visible')).first()
      await box.fill(locale === 'ar' ? 'ال' : 'e')
      await page.locator('[role=option]').first().waitFor()
    },
  },
  {
    name: 'chat-empty',
    as: 'parent',
    async show(page, locale) {
      await withChat(page, [])
      await open(page, locale, '/chat')
      await page.getByText(said(locale, 'chat:page.list.empty')).waitFor()
    },
  },
  {
    name: 'chat-picker',
    as: 'parent',
    async show(page, locale) {
      await withChat(page, [])
      await open(page, locale, '/chat')
      await button(page, locale, 'chat:page.list.new').click()
      const dialog = await dialogOf(page, locale, 'chat:page.picker.title')
      await dialog.locator('.chat__admin').first().waitFor()
      await settle(page)
    },
  },
  {
    name: 'chat',
    as: 'parent',
    async show(page, locale) {
      await inRoom(page, locale)
      await page.locator('.message .chat-document').waitFor()
    },
  },
  {
    name: 'chat-list',
    part: '.chat__list',
    as: 'parent',
    only: 'phone',
    async show(page, locale) {
      await inRoom(page, locale)
      await button(page, locale, 'chat:page.room.back').click()
      await page.locator('.chat--list').waitFor()
    },
  },
  {
    name: 'chat-about',
    part: '.chat__about, .composer',
    as: 'parent',
    async show(page, locale) {
      await inRoom(page, locale, '/chat?document=66')
      await page.locator('.chat__about .chat-document').waitFor()
      await page.locator('.composer__text').fill('هل تشمل هذه الوثيقة الإصلاح؟\nMerci !')
    },
  },
  {
    name: 'chat-refused',
    part: '.message--refused',
    as: 'parent',
    async show(page, locale) {
      await inRoom(page, locale)
      await page.route('**/api/messages/room/*/send', (route) =>
        route.fulfill({ status: 403, json: { status: 403, error: 'forbidden', message: '' } }),
      )
      await page.locator('.composer__text').fill('Merci !')
      await button(page, locale, 'chat:page.room.send').click()
      await page.locator('.message--refused').waitFor()
    },
  },
  {
    name: 'chat-request',
    as: 'parent',
    async show(page, locale) {
      await withChat(page, TALK)
      await open(page, locale, '/shop')
      await button(page, locale, 'chat:order.open').click()
      const dialog = await dialogOf(page, locale, 'chat:order.title')
      await dialog
        .getByLabel(said(locale, 'chat:order.type'))
        .selectOption(said(locale, 'catalogue:categories.exams'))
      await dialog.getByLabel(said(locale, 'chat:order.details')).fill('رياضيات، السنة التاسعة')
      await button(dialog, locale, 'chat:order.submit').click()
      await page.getByText(said(locale, 'chat:page.room.ready')).waitFor()
      await page.locator('.message__author').first().waitFor()
    },
  },
  {
    name: 'custom-order',
    as: 'parent',
    async show(page, locale) {
      await open(page, locale, '/shop')
      await button(page, locale, 'chat:order.open').click()
      const dialog = await dialogOf(page, locale, 'chat:order.title')
      await button(dialog, locale, 'chat:order.submit').click()
      await dialog.locator('.field__error').waitFor()
      await settle(page)
    },
  },
]

/** Console errors that the scenes cause on purpose: calls cut off, and the missing page. */
export const SCENE_FAULTS = [/ERR_FAILED/, /status of 4(0[0349]|22)/]
