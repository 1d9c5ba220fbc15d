import type { Page } from 'playwright'

/** Owned by the parent of the cast; has five pages. */
export const OWNED = 1
/** A test that the parent does not own. */
export const PAPER = 14
/** Documents below 10 dinars, and from there on. */
export const SMALL = 64
export const LARGE = 71

export const FIRST_CART = [
  { documentId: 69, title: 'Informatique bac : exercices de programmation', price: 10 },
  { documentId: 66, title: 'العلم بين الحقيقة والنمذجة: ملخّص وأسئلة', price: 7 },
]

export const A_PAYMENT = {
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

export const AN_ORDER = {
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

/** A paid order of which one document was refunded. */
export const A_RECEIPT = {
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

export const AN_INVOICE = {
  id: 3,
  kind: 'invoice',
  number: '2026-000003',
  issuedAt: '2026-03-07T09:00:00Z',
  total: 12.5,
}
export const A_CREDIT_NOTE = {
  id: 4,
  kind: 'credit_note',
  number: '2026-000001',
  issuedAt: '2026-03-09T09:00:00Z',
  total: 5,
}

export const TOO_MANY_OPEN = {
  status: 409,
  error: 'too_many_open_payments',
  message: '',
  payments: ['a1', 'b1', 'c1'].map((start, at) => ({
    ...A_PAYMENT,
    paymentRef: `${start}b2c3d4e5f60718293a4b5c`,
    amount: 17 + at * 10,
  })),
}

/** A pending order of the cart's documents. */
export async function withWaitingOrder(page: Page, orders: object[] = [AN_ORDER]): Promise<void> {
  await page.route('**/api/orders/user/*', (route) => route.fulfill({ json: orders }))
  await page.route('**/api/orders/12', (route) => route.fulfill({ json: AN_ORDER }))
}

export async function withCart(page: Page): Promise<void> {
  await page.addInitScript(
    (cart) => localStorage.setItem('static_cart', JSON.stringify({ items: cart })),
    FIRST_CART,
  )
}

export const A_CODE = 'RENTREE-25'

/** An order with a code that took 25 % off its second document. */
export const withCodeOff = <Ordered extends { items: readonly { price: number }[] }>(
  order: Ordered,
) => ({
  ...order,
  total: 15.25,
  code: A_CODE,
  items: order.items.map((item, at) =>
    at === 1 ? { ...item, price: 5.25, priceBefore: item.price } : item,
  ),
})

/** A code that this browser keeps: it takes 25 % off the first of the documents. */
export async function withCode(page: Page): Promise<void> {
  await keepCode(page)
  await page.route('**/api/codes/quote', (route) => {
    const { documentIds } = route.request().postDataJSON()
    const documents = documentIds.map((id: number, at: number) => ({
      id,
      priceBefore: at === 0 ? 8.5 : 5,
      price: at === 0 ? 6.37 : 5,
    }))
    const total = documents.length > 1 ? 11.37 : 6.37
    return route.fulfill({ json: { code: A_CODE, total, documents } })
  })
}

/** A code that this browser keeps, and that is refused. */
export async function withRefusedCode(page: Page, error: string): Promise<void> {
  await keepCode(page)
  const json = { status: 409, error, message: '' }
  await page.route('**/api/codes/quote', (route) => route.fulfill({ status: 409, json }))
}

export const keepCode = (page: Page) =>
  page.addInitScript((code) => localStorage.setItem('discount_code', code), A_CODE)

/** Refuses payments from the wallet: of what is paid for, the first document has another price. */
export async function withRaisedPrice(page: Page, price: number): Promise<void> {
  await page.route(/\/api\/wallet\/(pay|orders\/create-and-pay)$/, (route) => {
    const { documentIds, total } = route.request().postDataJSON()
    const others = documentIds.length - 1
    const rest = others > 0 ? Math.round((total * 100) / documentIds.length) / 100 : 0
    const documents = documentIds.map((id: number, at: number) => ({
      id,
      title: `Document ${id}`,
      price: at === 0 ? price : rest,
      priceDiscount: null,
      isOwned: false,
    }))
    const prices = { total: price + others * rest, documents }
    const json = { status: 409, error: 'price_changed', message: '', prices }
    return route.fulfill({ status: 409, json })
  })
}

/** The path of a picture, in the place of a photo. */
export const A_PHOTO = 'src/server/demo/data/portraits/1.webp'

/** The photos of the receipt of a payment that waits: as many as there is room for. */
export const SOME_PHOTOS = {
  photos: [1, 2, 3].map((id) => ({
    id,
    width: 600,
    height: id === 2 ? 450 : 800,
    addedAt: '2026-03-05T10:00:00Z',
  })),
  isWaiting: true,
}
