import type { ApiRequest, ApiResponse, Transport } from '../../src/client/api.ts'
import { refusal, titleOf, wishEntry } from './fake-shop-answers.ts'
import { moneyHandlers, PAYMENT } from './fake-shop-money.ts'
import { emptyShop } from './fake-shop-state.ts'

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
    if (fault && fault !== 'lost') return refusal(fault)
    const answer = carryOut(request)
    return fault === 'lost' ? { status: 0, body: null } : answer
  }
  return Object.assign(shop, { transport })
}

export type FakeShop = ReturnType<typeof fakeShop>
