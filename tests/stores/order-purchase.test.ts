import { beforeEach, describe, expect, test } from 'vitest'
import { aToken, emptyBrowser, openPage, shownIds, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'

beforeEach(emptyBrowser)

const WAY = { provider: 'sandbox', locale: 'ar', origins: ['http://shop.example'] } as const
const GATEWAY = 'https://gateway.example/pay'

/** Opens a checkout with these documents, to be paid by D17. */
async function openCheckout(ids: number[], shop = fakeShop(), method: 'd17' | 'card' = 'd17') {
  shop.carts.set('user/7', ids)
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.cart.syncCart()
  await page.wallet.loadBalance()
  page.purchase.chooseMethod(method)
  const pay = async () => {
    page.purchase.startPurchase()
    await page.purchase.confirmPurchase(WAY)
  }
  return { shop, page, pay, ...page.purchase }
}

const keysOf = (shop: FakeShop) => shop.keysOf('POST /orders/create')

const STEPS = ['POST /orders/create', 'GET /orders/1', 'POST /orderss/sandbox/initiate']

describe('an order', () => {
  test('is created and its payment started; the cart stays until the payment is settled', async () => {
    const { shop, page, pay, $purchase, $canPay } = await openCheckout([2, 1])
    await pay()
    expect($purchase.get()).toEqual({ phase: 'leaving', paymentUrl: GATEWAY })
    expect(shop.orders.map(({ documentIds }) => documentIds)).toEqual([[1, 2]])
    expect(shop.requestsTo('POST /orderss')[0]?.path).toContain('method=d17')
    expect(shownIds(page)).toEqual([2, 1])
    expect($canPay.get()).toBe(false)
    expect(shop.charges).toBe(0)
  })

  test.each(STEPS.flatMap((step) => [[step, 'network'] as const, [step, 'lost'] as const]))(
    'remains the only one when %s is %s, the page is reloaded, and it is retried',
    async (step, fault) => {
      const { shop, pay, $purchase } = await openCheckout([1, 2])
      shop.fault = ({ method, path }) => (`${method} ${path}`.startsWith(step) ? fault : undefined)
      await pay()
      expect($purchase.get()).toMatchObject({ phase: 'failed', isOpen: true })
      const reloaded = await openCheckout([2, 1], shop)
      shop.fault = () => undefined
      await reloaded.pay()
      expect(reloaded.$purchase.get()).toMatchObject({ phase: 'leaving' })
      expect(shop.orders).toHaveLength(1)
      expect(new Set(keysOf(shop)).size).toBe(1)
    },
  )

  test('is continued with another method; another cart is another order', async () => {
    const { shop, page, pay, chooseMethod } = await openCheckout([1, 2])
    shop.fault = ({ path }) => (path.startsWith('/orderss') ? 'gateway_unavailable' : undefined)
    await pay()
    chooseMethod('card')
    await pay()
    expect(shop.orders).toHaveLength(1)
    expect(shop.requestsTo('POST /orderss').at(-1)?.path).toContain('method=card')
    shop.fault = () => undefined
    page.cart.removeFromCart(2)
    chooseMethod('d17')
    await pay()
    expect(shop.orders).toHaveLength(2)
  })

  test('that can no longer be paid is created again', async () => {
    const { shop, page, pay, resumePurchase, $purchase } = await openCheckout([1])
    await pay()
    resumePurchase()
    for (const order of shop.orders) order.status = 'expired'
    await page.ordered.loadOrdered()
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'leaving' })
    expect(shop.orders.map(({ status }) => status)).toEqual(['expired', 'pending'])
  })

  test('that is pending is not paid again; only the rest of the cart is', async () => {
    const opened = await openCheckout([1, 2])
    const { shop, page, pay, resumePurchase, $purchase, $total, $canPay } = opened
    await pay()
    resumePurchase()
    const isAllOrdered = page.purchase.$isAllOrdered.get()
    expect([$total.get(), $canPay.get(), isAllOrdered]).toEqual([0, false, true])
    // Also in a browser that learns of it only now.
    const other = await openCheckout([1, 2, 3], shop)
    await other.page.ordered.loadOrdered()
    expect(Object.fromEntries(other.page.ordered.$ordered.get())).toEqual({ 1: 1, 2: 1 })
    expect(other.$total.get()).toBe(5_000)
    other.page.purchase.chooseMethod('wallet')
    await other.pay()
    expect(other.$purchase.get()).toMatchObject({ phase: 'done' })
    expect(shop.owned).toEqual([3])
    expect($purchase.get()).toEqual({ phase: 'idle' })
  })

  test.each(['already_ordered', 'already_owned'] as const)(
    'of documents %s elsewhere is refused with titles; the next try leaves them out',
    async (code) => {
      const { shop, page, pay, $purchase } = await openCheckout([1, 2])
      const isOwned = code === 'already_owned'
      if (isOwned) shop.owned.push(1)
      else
        shop.orders.push({ id: 1, documentIds: [1], total: 5, status: 'pending', isStarted: true })
      await pay()
      const problem = { code, titles: ['Document 1'] }
      expect($purchase.get()).toMatchObject({ phase: 'failed', isOpen: false, problem })
      const known = () => [...(isOwned ? page.owned.$owned : page.ordered.$ordered).get().keys()]
      await expect.poll(known).toEqual([1])
      await pay()
      expect($purchase.get()).toMatchObject({ phase: 'leaving' })
      expect(shop.orders.at(-1)).toMatchObject({ documentIds: [2] })
      expect(shop.orders).toHaveLength(isOwned ? 1 : 2)
    },
  )

  test('cancelled: its documents can be ordered again, and no failure is reported', async () => {
    const { shop, page, pay, resumePurchase, $total } = await openCheckout([1])
    await pay()
    resumePurchase()
    shop.paymentState = 'cancelled'
    await page.orders.cancelOrder(1)
    expect(shop.orders).toMatchObject([{ status: 'cancelled' }])
    expect([$total.get(), page.ordered.$ordered.get().size]).toEqual([5_000, 0])
    expect(page.orders.$failedOrders.get()).toEqual([])
    shop.paymentState = 'pending'
    await pay()
    expect(shop.orders).toHaveLength(2)
  })

  test('paid while being cancelled: reports the payment', async () => {
    const { shop, page, pay } = await openCheckout([1])
    await pay()
    for (const order of shop.orders) order.status = 'paid'
    shop.owned.push(1)
    await page.orders.cancelOrder(1)
    expect(page.orders.$cancelling.get()).toMatchObject({ code: 'order_paid' })
    await expect.poll(() => [...page.owned.$owned.get()]).toEqual([1])
  })

  test.each([
    ['is not ordered', true],
    ['of a backend that ignores totals is not paid', false],
  ])('at another price than shown %s; the new price is shown first', async (_, comparesTotals) => {
    const shop = fakeShop()
    shop.comparesTotals = comparesTotals
    const { pay, confirmPurchase, $purchase, $total, ...page } = await openCheckout([1], shop)
    shop.price = 6
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'failed', problem: { code: 'price_changed' } })
    expect(shop.orders).toHaveLength(comparesTotals ? 0 : 1)
    expect(shop.requestsTo('POST /orderss')).toEqual([])
    await expect.poll(() => $total.get()).toBe(6_000)
    expect([page.$isAsking.get(), page.$seenBefore.get()?.total]).toEqual([true, 5_000])
    await confirmPurchase(WAY)
    expect($purchase.get()).toMatchObject({ phase: 'leaving' })
    expect(new Set(keysOf(shop)).size).toBe(2)
  })

  test.each(['javascript:alert(1)', 'http://elsewhere.example/pay', '', null as never])(
    'does not navigate to %j',
    async (address) => {
      const { shop, pay, $purchase } = await openCheckout([1])
      shop.paymentUrl = address
      await pay()
      expect($purchase.get()).toMatchObject({ phase: 'failed', step: 'payment_url' })
    },
  )

  test.each([
    ['POST /orders/create', 'document_not_found', 'order'],
    ['POST /orderss', 'gateway_unavailable', 'start'],
  ] as const)('that fails at %s reports the step', async (step, fault, said) => {
    const { shop, pay, $purchase } = await openCheckout([1])
    shop.fault = ({ method, path }) => (`${method} ${path}`.startsWith(step) ? fault : undefined)
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'failed', step: said })
  })
})

describe('the method', () => {
  test('is not offered when the total is too small for it', async () => {
    const { page, $method, $methods, chooseMethod, $canPay } = await openCheckout([1, 2, 3])
    chooseMethod('bank_transfer')
    expect($method.get()).toBe('bank_transfer')
    page.cart.removeFromCart(3)
    expect($methods.get()).toEqual(['wallet', 'card', 'd17'])
    expect([$method.get(), $canPay.get()]).toEqual([null, false])
  })

  test('is not asked for when the cart is free', async () => {
    const shop = fakeShop()
    shop.price = 0
    shop.balance = 0
    const { pay, $purchase } = await openCheckout([1], shop)
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'done' })
    expect(shop.orders).toEqual([])
  })
})
