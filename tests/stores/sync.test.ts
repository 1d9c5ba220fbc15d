import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RENEWAL_MS } from '../../src/rules/durations.ts'
import { aToken, emptyBrowser, openPage, shownIds, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

beforeEach(() => {
  emptyBrowser()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A customer's page that is synchronised, with one order that waits. */
async function openSynced() {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const shop = fakeShop()
  const order = { id: 1, documentIds: [4], total: 5, status: 'pending', isStarted: true }
  shop.orders.push(order)
  shop.carts.set('user/7', [4, 5])
  storage.token = aToken()
  const page = await openPage(shop)
  const { startSync } = await import('../../src/stores/sync.ts')
  startSync()
  await vi.advanceTimersByTimeAsync(0)
  expect([page.wallet.$balance.get(), shownIds(page)]).toEqual([60_000, [4, 5]])
  return { shop, order, page, shown: () => [page.wallet.$balance.get(), shownIds(page)] }
}

function see(visibilityState: 'visible' | 'hidden') {
  Object.assign(document, { visibilityState })
  document.dispatchEvent(new Event('visibilitychange'))
  return vi.advanceTimersByTimeAsync(0)
}

test('after a minute of a visit the balance and the cart are asked for again, and stay until then', async () => {
  const { shop, page, shown } = await openSynced()
  shop.balance = 75
  shop.carts.set('user/7', [5])
  const phases: string[] = []
  page.wallet.$balanceLoad.listen((phase) => phases.push(phase))
  page.cart.$cartLoad.listen((phase) => phases.push(phase))
  await vi.advanceTimersByTimeAsync(RENEWAL_MS - 1)
  expect(shown()).toEqual([60_000, [4, 5]])
  await vi.advanceTimersByTimeAsync(1)
  expect(shown()).toEqual([75_000, [5]])
  expect(phases.filter((phase) => phase !== 'ready')).toEqual([])
})

test('a page in the background asks for nothing until it is seen again', async () => {
  const { shop, shown } = await openSynced()
  await see('hidden')
  const before = shop.requests.length
  shop.balance = 75
  await vi.advanceTimersByTimeAsync(10 * RENEWAL_MS)
  expect(shop.requests).toHaveLength(before)
  await see('visible')
  expect(shown()).toEqual([75_000, [4, 5]])
})

test('a payment that waited and is done brings everything up to date at once', async () => {
  const { shop, order, page, shown } = await openSynced()
  await see('hidden')
  order.status = 'paid'
  shop.paymentState = 'paid'
  shop.owned.push(4)
  shop.carts.set('user/7', [5])
  shop.balance = 40
  await see('visible')
  expect(shown()).toEqual([40_000, [5]])
  expect([...page.owned.$owned.get()]).toEqual([4])
})

test('a renewed balance reads the movements again, and keeps older ones that are shown', async () => {
  const { shop, page } = await openSynced()
  const entry = (id: number) => ({
    ...{ id, createdAt: '2026-03-05T10:00:00Z', kind: 'top_up', amount: 10 },
    ...{ balanceAfter: 10 * id, orderId: null, documents: [] },
  })
  const ids = () => {
    const list = page.history.$walletHistory.get()
    return list.phase === 'ready' ? list.value.entries.map(({ id }) => id) : list.phase
  }
  const stop = page.history.followBalance()
  shop.history = Array.from({ length: 23 }, (_, at) => entry(23 - at))
  await page.history.loadHistory()
  await page.history.loadOlder()
  shop.history.unshift(entry(24))
  shop.balance = 70
  await vi.advanceTimersByTimeAsync(RENEWAL_MS)
  expect(ids()).toEqual(Array.from({ length: 21 }, (_, at) => 24 - at))
  await page.history.loadOlder()
  expect(ids()).toEqual(Array.from({ length: 24 }, (_, at) => 24 - at))
  stop()
})
