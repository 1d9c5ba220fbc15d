import type { ApiRequest, ApiResponse } from '../../src/client/api.ts'
import { refusal, titleOf } from './fake-shop-answers.ts'
import type { ShopState } from './fake-shop-state.ts'

/** The reference of every payment that is started. */
export const PAYMENT = 'a1b2c3d4e5f60718293a4b5c'

/** The wallet, orders and payments of a fake shop. */
export function moneyHandlers(shop: ShopState) {
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

  /** The refusal of a total, in dinars, that is not what these documents cost now. */
  function refusedTotal(documentIds: number[], total: number | undefined): ApiResponse | null {
    const cost = documentIds.filter((id) => !owned.includes(id)).length * shop.price
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

  const pay = once(({ userId, documentIds, total }) => {
    const fresh = documentIds.filter((id: number) => !owned.includes(id))
    const refused = refusedTotal(documentIds, total)
    if (refused) return refused
    const cost = fresh.length * shop.price
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
    const refused = body.documentIds && refusedTotal(body.documentIds, body.amount)
    if (refused) return refused
    shop.started.push(body)
    const { paymentUrl } = shop
    if (!paymentUrl) owned.push(...body.documentIds)
    const reference = { paymentUrl, paymentRef: `reference-${shop.started.length}` }
    const paid = { orderId: 1, status: paymentUrl ? 'PENDING' : 'SUCCESS' }
    return { status: 200, body: body.documentIds ? { ...reference, ...paid } : reference }
  })

  const createOrder = once(({ orderDocs, total }) => {
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
    const refused = refusedTotal(documentIds, total)
    if (refused) return refused
    const id = shop.orders.length + 1
    shop.orders.push({
      id,
      documentIds,
      total: documentIds.length * shop.price,
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

  return { pay, startPayment, createOrder, cancelOrder, orderOf, payment, historyPage }
}
