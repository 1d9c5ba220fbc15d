import type { ApiRequest, ApiResponse, Transport } from '../../src/client/api.ts'
import { ALL_ERRORS } from '../../src/contract/all-errors.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'

const titleOf = (id: number) => `Document ${id}`

export const refusal = (code: ErrorCode): ApiResponse => ({
  status: ALL_ERRORS[code].status,
  body: { ...ALL_ERRORS[code], error: code },
})

/** A wishlist entry as the API returns it. */
function wishEntry(id: number) {
  return {
    createdAt: '2026-03-05T10:00:00Z',
    document: {
      id,
      title: titleOf(id),
      price: 5,
      filePath: null,
      coverMapping: null,
      teacher: { username: 'Teacher' },
    },
  }
}

/** A bought document as the API returns it. */
export function purchased(id: number) {
  return {
    documentId: id,
    documentTitle: titleOf(id),
    amount: 5,
    matiereName: `Subject ${id % 2}`,
    niveauName: 'Level',
    categoryName: `Category ${id % 3}`,
    categoryId: (id % 3) + 1,
    matiereId: (id % 2) + 1,
    niveauId: 1,
    teacherId: 1,
    teacherName: 'Teacher',
    averageRating: 4.5,
    salesCount: 3,
    purchaseDate: '2026-03-05T10:00:00Z',
    fileType: 'pdf',
  }
}

/**
 * What a request is answered with instead of being carried out; `lost`: carried out, never
 * answered.
 */
export type Fault = ErrorCode | 'network' | 'lost'

/** The state of the fake shop, which tests may set. */
function emptyShop() {
  const carts = new Map<string, number[]>()
  const owned: number[] = []
  const wished: number[] = []
  const rated: unknown[] = []
  const unsold = new Set<number>()
  const requests: ApiRequest[] = []
  return {
    carts,
    owned,
    wished,
    /** The bodies of the accepted ratings. */
    rated,
    unsold,
    requests,
    balance: 60,
    /** Whether the customer's address is confirmed. */
    isConfirmed: false,
    /** How often the wallet was charged. */
    charges: 0,
    /** The bodies of the top-ups and direct payments that were started. */
    started: [] as Record<string, unknown>[],
    /** The page on which a started payment is made; null: it is paid at once. */
    paymentUrl: 'https://gateway.example/pay' as string | null,
    /** The orders that were created, oldest first. */
    orders: [] as {
      id: number
      documentIds: number[]
      total: number
      status: string
      isStarted?: boolean
    }[],
    /** The state of every payment that was started. */
    paymentState: 'pending' as 'pending' | 'paid' | 'refused' | 'expired' | 'cancelled',
    paymentMethod: 'card',
    /** The wallet's movements, newest first. */
    history: [] as { id: number }[],
    /** Its pending top-ups. */
    waiting: [] as unknown[],
    /** In dinars, for every document. */
    price: 5,
    /** The codes that it knows: the percentage that each takes off, of which documents, or why it does not. */
    codes: new Map<string, { percent: number; ids?: number[]; refused?: ErrorCode }>(),
    /** Whether it compares the totals that pages send; other backends may ignore them. */
    comparesTotals: true,
    token: '' as unknown,
    /** What the customer follows, by keys. */
    followed: [] as string[],
    /** Further fields of an owned document in lists. */
    purchased: purchased as (id: number) => Record<string, unknown>,
    /** Whether a fault says that nothing was charged. */
    nothingCharged: false,
    fault: (_request: ApiRequest, _index: number): Fault | undefined => undefined,
    /** Delays the response until the promise resolves. */
    delay: (_request: ApiRequest): Promise<void> | undefined => undefined,
    requestsTo: (start: string) =>
      requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)),
    /** The idempotency keys of such requests, oldest first. */
    keysOf: (start: string) =>
      requests
        .filter(({ method, path }) => `${method} ${path}`.startsWith(start))
        .map(({ headers }) => headers['idempotency-key']),
  }
}

type ShopState = ReturnType<typeof emptyShop>

/** The reference of every payment that is started. */
export const PAYMENT = 'a1b2c3d4e5f60718293a4b5c'

/** The wallet, orders and payments of a fake shop. */
function moneyHandlers(shop: ShopState) {
  const { owned, carts } = shop
  const answers = new Map<string, ApiResponse>()

  /** Carries out a request once per key; a repeated one gets the same response. */
  const once =
    // biome-ignore lint/suspicious/noExplicitAny: each handler knows the shape of its body.
      (carryOut: (body: any) => ApiResponse) =>
      (request: ApiRequest): ApiResponse => {
        const key = request.headers['idempotency-key']
        if (!key) return refusal('idempotency_key_required')
        const before = answers.get(key)
        if (before) return before
        const answer = carryOut(JSON.parse(request.body ?? '{}'))
        if (answer.status === 200) answers.set(key, answer)
        return answer
      }

  /** What documents that are not owned cost with a code, in dinars; or why it does not apply to them. */
  function quote(documentIds: number[], code?: string) {
    const fresh = documentIds.filter((id) => !owned.includes(id))
    const known = code === undefined ? { percent: 0 } : shop.codes.get(code)
    const isFor = (id: number) => known?.ids?.includes(id) ?? true
    const refused = known ? known.refused : 'code_unknown'
    const documents = fresh.map((id) => {
      const off = known && !refused && isFor(id) ? known.percent : 0
      return { id, priceBefore: shop.price, price: (shop.price * (100 - off)) / 100 }
    })
    const total = documents.reduce((sum, { price }) => sum + price, 0)
    return {
      documents,
      total,
      refused: refused ?? (fresh.some(isFor) ? null : 'code_not_for_these'),
    }
  }

  function answerQuote({ body }: ApiRequest): ApiResponse {
    const { code, documentIds } = JSON.parse(body ?? '{}')
    const { refused, ...prices } = quote(documentIds, code)
    return refused ? refusal(refused as ErrorCode) : { status: 200, body: { code, ...prices } }
  }

  /** The refusal of a total, in dinars, that is not what these documents cost now. */
  function refusedTotal(
    documentIds: number[],
    total: number | undefined,
    code?: string,
  ): ApiResponse | null {
    const cost = quote(documentIds, code).total
    if (!shop.comparesTotals || total === undefined || total === cost) return null
    const documents = documentIds.map((id) => ({
      id,
      title: titleOf(id),
      price: shop.price,
      priceDiscount: null,
      isOwned: owned.includes(id),
    }))
    const { status, body } = refusal('price_changed')
    return { status, body: { ...(body as object), prices: { total: cost, documents } } }
  }

  const pay = once(({ userId, documentIds, total, code }) => {
    const fresh = documentIds.filter((id: number) => !owned.includes(id))
    const refused = refusedTotal(documentIds, total, code)
    if (refused) return refused
    const cost = quote(documentIds, code).total
    if (cost > shop.balance) return refusal('insufficient_balance')
    shop.balance -= cost
    shop.charges += 1
    const excludedDocuments = documentIds
      .filter((id: number) => owned.includes(id))
      .map((id: number) => ({ id, title: titleOf(id) }))
    owned.push(...fresh)
    carts.set(`user/${userId}`, [])
    const status = excludedDocuments.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS'
    return { status: 200, body: { status, excludedDocuments } }
  })

  const startPayment = once((body) => {
    const refused = body.documentIds && refusedTotal(body.documentIds, body.amount, body.code)
    if (refused) return refused
    shop.started.push(body)
    const { paymentUrl } = shop
    if (!paymentUrl) owned.push(...body.documentIds)
    const reference = { paymentUrl, paymentRef: `reference-${shop.started.length}` }
    const paid = { orderId: 1, status: paymentUrl ? 'PENDING' : 'SUCCESS' }
    return { status: 200, body: body.documentIds ? { ...reference, ...paid } : reference }
  })

  const createOrder = once(({ orderDocs, total, code: discount }) => {
    const documentIds: number[] = orderDocs.map((each: { documentId: number }) => each.documentId)
    const waiting = shop.orders.filter((order) => order.status === 'pending' && order.isStarted)
    const ordered = new Set(waiting.flatMap((order) => order.documentIds))
    for (const [code, isMeant] of [
      ['already_owned', (id: number) => owned.includes(id)],
      ['already_ordered', (id: number) => ordered.has(id)],
    ] as const) {
      const titles = documentIds.filter(isMeant).map(titleOf)
      if (titles.length === 0) continue
      const { status, body } = refusal(code)
      return { status, body: { ...(body as object), titles } }
    }
    const refused = refusedTotal(documentIds, total, discount)
    if (refused) return refused
    const id = shop.orders.length + 1
    shop.orders.push({
      id,
      documentIds,
      total: quote(documentIds, discount).total,
      status: 'pending',
    })
    return { status: 200, body: { id } }
  })

  function cancelOrder(id: number): ApiResponse {
    const order = shop.orders.find((one) => one.id === id)
    if (!order) return refusal('order_not_found')
    if (order.status === 'paid') return refusal('order_paid')
    order.status = 'cancelled'
    return { status: 200, body: orderOf(order) }
  }

  const orderOf = ({ id, documentIds, total, status }: (typeof shop.orders)[number]) => ({
    id,
    status,
    method: shop.paymentMethod,
    total,
    createdAt: new Date().toISOString(),
    paidAt: null,
    expiresAt: '2126-03-05T10:00:00Z',
    receiptNumber: status === 'paid' ? id : null,
    buyer: { name: 'A', email: 'a@karras.test' },
    items: documentIds.map((documentId) => ({
      documentId,
      title: titleOf(documentId),
      price: shop.price,
      refundedAt: null,
      isOwned: owned.includes(documentId),
    })),
    payment: payment(id),
  })

  const payment = (orderId: number) => ({
    paymentRef: PAYMENT,
    purpose: 'order',
    method: shop.paymentMethod,
    state: shop.paymentState,
    amount: 5,
    orderId,
    paymentUrl: shop.paymentState === 'pending' ? shop.paymentUrl : null,
    returnTo: '/my-documents',
    createdAt: '2026-03-05T10:00:00Z',
    expiresAt: '2126-03-05T10:00:00Z',
  })

  function historyPage(page: number, size: number): ApiResponse {
    const content = shop.history.slice(page * size, (page + 1) * size)
    const totalElements = shop.history.length
    const totalPages = Math.ceil(totalElements / size)
    const { waiting } = shop
    return { status: 200, body: { content, totalElements, totalPages, number: page, waiting } }
  }

  return { answerQuote, pay, startPayment, createOrder, cancelOrder, orderOf, payment, historyPage }
}

/** An in-memory backend behind the real client: carts, a wallet, purchases; tests make it fail. */
export function fakeShop() {
  const shop = emptyShop()
  const { carts, owned, wished, rated, unsold, requests } = shop
  const money = moneyHandlers(shop)

  const entries = (key: string) =>
    (carts.get(key) ?? []).map((id) => ({
      document: { id, title: titleOf(id), price: shop.price, priceDiscount: null },
    }))

  function addTo(key: string, id: number): ApiResponse {
    if (unsold.has(id)) return refusal('document_not_found')
    carts.set(key, [...new Set([...(carts.get(key) ?? []), id])])
    return { status: 200, body: entries(key) }
  }

  function carryOut(request: ApiRequest): ApiResponse {
    const { method, path } = request
    const address = new URL(path, 'http://shop')
    const query = (name: string) => address.searchParams.get(name)
    const at = `${method} ${address.pathname}`
    const cart = /^\/carts\/(?:clear\/)?(?:user\/)?((?:anonymous\/)?[\w-]+)$/.exec(address.pathname)
    const key = cart?.[1]?.startsWith('anonymous/') ? cart[1] : `user/${cart?.[1]}`
    if (at === 'POST /carts/add') {
      const owner = query('userId') ? `user/${query('userId')}` : `anonymous/${query('sessionId')}`
      return addTo(owner, Number(query('documentId')))
    }
    if (at === 'DELETE /carts/remove') {
      const owner = `user/${query('userId')}`
      const left = (carts.get(owner) ?? []).filter((id) => id !== Number(query('documentId')))
      carts.set(owner, left)
      return { status: 200, body: entries(owner) }
    }
    if (cart && method === 'GET') return { status: 200, body: entries(key) }
    if (cart && method === 'DELETE') {
      carts.delete(key)
      return { status: 204, body: null }
    }
    if (at === 'GET /wallet/balance') return { status: 200, body: { balance: shop.balance } }
    if (at === 'POST /wallet/orders/create-and-pay') return money.pay(request)
    if (at === 'POST /wallet/pay') return money.pay(request)
    if (at === 'POST /codes/quote') return money.answerQuote(request)
    if (at === 'POST /wallet/recharge/initiate') return money.startPayment(request)
    if (at === 'POST /wallet/direct-pay') return money.startPayment(request)
    if (at === 'POST /orders/create') return money.createOrder(request)
    if (/^POST \/orders\/\d+\/cancel$/.test(at)) return money.cancelOrder(Number(at.split('/')[2]))
    if (at === 'POST /orderss/sandbox/initiate') {
      if (!request.headers['idempotency-key']) return refusal('idempotency_key_required')
      const order = shop.orders.find(({ id }) => id === Number(query('orderId')))
      if (order?.status !== 'pending') return refusal('order_closed')
      order.isStarted = true
      return { status: 200, body: { paymentUrl: shop.paymentUrl, paymentRef: PAYMENT } }
    }
    if (at === 'GET /orderss/payment/state') {
      if (query('paymentRef') !== PAYMENT) return refusal('payment_not_found')
      return { status: 200, body: money.payment(1) }
    }
    if (at.startsWith('GET /orders/user/')) {
      return { status: 200, body: shop.orders.map(money.orderOf).reverse() }
    }
    if (at.startsWith('GET /orders/')) {
      const order = shop.orders.find(({ id }) => address.pathname === `/orders/${id}`)
      return order ? { status: 200, body: money.orderOf(order) } : refusal('order_not_found')
    }
    if (at === 'GET /wallet/history') {
      return money.historyPage(Number(query('page')), Number(query('size')))
    }
    if (at === 'GET /purchaseddocuments/user/purchased') {
      return { status: 200, body: owned.map(shop.purchased) }
    }
    if (at === 'POST /auth/login') return { status: 200, body: { accessToken: shop.token } }
    if (at === 'POST /auth/register') return { status: 200, body: { status: 'SUCCESS' } }
    if (at === 'POST /auth/logout') return { status: 204, body: null }
    if (at === 'POST /wishlist/add') {
      if (unsold.has(Number(query('documentId')))) return refusal('document_not_found')
      wished.unshift(Number(query('documentId')))
      return { status: 204, body: null }
    }
    if (at === 'DELETE /wishlist/remove') {
      const { documentId } = JSON.parse(request.body ?? '{}')
      wished.splice(0, wished.length, ...wished.filter((id) => id !== documentId))
      return { status: 204, body: null }
    }
    if (at.startsWith('GET /wishlist/')) return { status: 200, body: wished.map(wishEntry) }
    if (at === 'GET /following') {
      return { status: 200, body: { follows: shop.followed, hasNews: true } }
    }
    if (address.pathname.startsWith('/follows/')) {
      const followed = address.pathname.slice('/follows/'.length)
      const others = shop.followed.filter((each) => each !== followed)
      shop.followed = method === 'PUT' ? [...others, followed] : others
      return { status: 204, body: null }
    }
    if (at === 'POST /ratings') {
      const body = JSON.parse(request.body ?? '{}')
      if (unsold.has(body.document?.id)) return refusal('document_not_found')
      rated.push(body)
      const { rating, comment } = body
      const user = { id: 7, name: 'A' }
      const createdAt = '2026-03-05T10:00:00Z'
      return { status: 200, body: { id: 1, user, rating, comment, createdAt } }
    }
    if (at.startsWith('DELETE /ratings/')) return { status: 204, body: null }
    if (at === 'POST /auth/confirm-email') {
      const status = JSON.parse(request.body ?? '{}').token === 'used' ? 'ALREADY_CONFIRMED' : ''
      return { status: 200, body: { status: status || 'CONFIRMED' } }
    }
    if (at === 'POST /auth/confirmation-link') {
      return { status: 200, body: { status: shop.isConfirmed ? 'ALREADY_CONFIRMED' : 'SENT' } }
    }
    throw new Error(`the fake shop does not know ${at}`)
  }

  const transport: Transport = async (request) => {
    requests.push(request)
    const fault = shop.fault(request, requests.length - 1)
    await shop.delay(request)
    if (fault === 'network') return { status: 0, body: null }
    if (fault && fault !== 'lost') {
      const { status, body } = refusal(fault)
      const { nothingCharged } = shop
      return { status, body: nothingCharged ? { ...(body as object), nothingCharged } : body }
    }
    const answer = carryOut(request)
    return fault === 'lost' ? { status: 0, body: null } : answer
  }
  return Object.assign(shop, { transport })
}

export type FakeShop = ReturnType<typeof fakeShop>
