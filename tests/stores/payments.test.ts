import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { PAYMENT_REFRESH_MS } from '../../src/stores/purchase/payments.ts'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { fakeShop, PAYMENT } from './fake-shop.ts'

beforeEach(() => {
  emptyBrowser()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A page that a payment has redirected back to. */
async function openReturnPage(shop = fakeShop(), { isLoggedIn = true } = {}) {
  if (isLoggedIn) storage.token = aToken()
  const page = await openPage(shop)
  return { shop, page, done: vi.fn(), ...page.payments }
}

const statePolls = (shop: ReturnType<typeof fakeShop>) =>
  shop.requestsTo('GET /orderss/payment/state').length

describe('the notice', () => {
  test.each(['paid', 'refused', 'expired'] as const)('reports %s at once', async (state) => {
    const { shop, watchPayment, $paymentNotice, done } = await openReturnPage()
    shop.paymentState = state
    await watchPayment(PAYMENT, done)
    expect($paymentNotice.get()).toMatchObject({ kind: 'known', payment: { state } })
    expect(done).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(10 * PAYMENT_REFRESH_MS)
    expect(statePolls(shop)).toBe(1)
  })

  test('polls until the payment is decided, then refreshes the balance', async () => {
    const { shop, page, watchPayment, $paymentNotice, done } = await openReturnPage()
    await watchPayment(PAYMENT, done)
    expect($paymentNotice.get()).toEqual({ kind: 'checking' })
    await vi.advanceTimersByTimeAsync(2 * PAYMENT_REFRESH_MS)
    expect([statePolls(shop), done.mock.calls.length]).toEqual([3, 0])
    shop.paymentState = 'paid'
    shop.balance = 80
    await vi.advanceTimersByTimeAsync(PAYMENT_REFRESH_MS)
    expect($paymentNotice.get()).toMatchObject({ kind: 'known' })
    expect(page.wallet.$balance.get()).toBe(80_000)
  })

  test('keeps polling after failed responses', async () => {
    const { shop, watchPayment, $paymentNotice, done } = await openReturnPage()
    shop.fault = () => 'network'
    await watchPayment(PAYMENT, done)
    expect($paymentNotice.get()).toEqual({ kind: 'checking' })
    shop.fault = () => undefined
    shop.paymentState = 'paid'
    await vi.advanceTimersByTimeAsync(PAYMENT_REFRESH_MS)
    expect($paymentNotice.get()).toMatchObject({ kind: 'known' })
  })

  test('gives up after some minutes and says that it will be settled without this page', async () => {
    const { shop, watchPayment, $paymentNotice, done } = await openReturnPage()
    await watchPayment(PAYMENT, done)
    await vi.advanceTimersByTimeAsync(6 * MINUTE_MS)
    expect($paymentNotice.get()).toEqual({ kind: 'later' })
    const before = statePolls(shop)
    await vi.advanceTimersByTimeAsync(6 * MINUTE_MS)
    expect(statePolls(shop)).toBe(before)
  })

  test('shows nothing of another user’s payment', async () => {
    const { page, watchPayment, $paymentNotice, done } = await openReturnPage()
    const said: unknown[] = []
    page.payments.$paymentNotice.listen((notice) => void said.push(notice))
    await watchPayment('ffffffffffffffffffffffff', done)
    expect($paymentNotice.get()).toBeNull()
    expect(said.filter((notice) => notice !== null)).toEqual([])
    expect(done).toHaveBeenCalledOnce()
  })

  test('asks a visitor to log in, and remembers the payment', async () => {
    const { shop, watchPayment, $paymentNotice, done } = await openReturnPage(fakeShop(), {
      isLoggedIn: false,
    })
    await watchPayment(PAYMENT, done)
    expect($paymentNotice.get()).toEqual({ kind: 'logged_out' })
    expect([statePolls(shop), done.mock.calls.length]).toEqual([0, 0])
  })

  test('stops polling when closed', async () => {
    const { shop, watchPayment, forgetPayment, $paymentNotice, done } = await openReturnPage()
    await watchPayment(PAYMENT, done)
    forgetPayment()
    await vi.advanceTimersByTimeAsync(5 * PAYMENT_REFRESH_MS)
    expect([$paymentNotice.get(), statePolls(shop)]).toEqual([null, 1])
  })

  test('does not poll for a transfer', async () => {
    const { shop, watchPayment, $paymentNotice, done } = await openReturnPage()
    shop.paymentMethod = 'bank_transfer'
    await watchPayment(PAYMENT, done)
    expect($paymentNotice.get()).toMatchObject({ kind: 'known', payment: { state: 'pending' } })
    await vi.advanceTimersByTimeAsync(5 * PAYMENT_REFRESH_MS)
    expect(statePolls(shop)).toBe(1)
  })
})

describe('orders', () => {
  const anOrder = { id: 1, documentIds: [4], total: 5, status: 'pending' }

  /** My documents, subscribed to, with this order. */
  async function listed(order = { ...anOrder }) {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
    const shop = fakeShop()
    shop.orders.push(order)
    const { page } = await openReturnPage(shop)
    await page.orders.loadOrders()
    return { shop, order, page, ...page.orders }
  }
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const listings = (shop: ReturnType<typeof fakeShop>) => shop.requestsTo('GET /orders/user').length

  test('that are pending are polled, until they are paid', async () => {
    const { shop, order, page, followOrders, $waitingOrders, $receipts } = await listed()
    expect($waitingOrders.get().map(({ id }) => id)).toEqual([1])
    const stop = followOrders()
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    const before = listings(shop)
    expect(before).toBeGreaterThan(3)
    expect(before).toBeLessThan(10)
    order.status = 'paid'
    shop.owned.push(4)
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect($waitingOrders.get()).toEqual([])
    expect($receipts.get().get(4)).toBe(1)
    expect([...page.owned.$owned.get()]).toEqual([4])
    const after = listings(shop)
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(listings(shop)).toBe(after)
    stop()
  })

  test('are not polled while the page is hidden', async () => {
    const { shop, followOrders } = await listed()
    Object.assign(document, { visibilityState: 'hidden' })
    const stop = followOrders()
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(listings(shop)).toBe(1)
    Object.assign(document, { visibilityState: 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(0)
    expect(listings(shop)).toBe(2)
    stop()
  })

  test.each(['expired', 'cancelled'])(
    '%s: shown, but not once the documents are owned',
    async (status) => {
      const { shop, $failedOrders, loadOrders } = await listed({ ...anOrder, status })
      expect($failedOrders.get().map(({ id }) => id)).toEqual([1])
      shop.owned.push(4)
      await loadOrders()
      expect($failedOrders.get()).toEqual([])
    },
  )

  test('one order: found, unknown, unreachable', async () => {
    const { shop, loadOrder, $orderPage } = await listed()
    await loadOrder(1)
    expect($orderPage.get()).toMatchObject({ phase: 'ready', value: { id: 1, total: 5000 } })
    await loadOrder(2)
    expect($orderPage.get()).toMatchObject({
      phase: 'failed',
      problem: { code: 'order_not_found' },
    })
    shop.fault = () => 'network'
    await loadOrder(1)
    expect($orderPage.get()).toMatchObject({ phase: 'failed', problem: { code: 'network' } })
  })
})
