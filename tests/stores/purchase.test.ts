import { beforeEach, describe, expect, test, vi } from 'vitest'
import { aToken, emptyStorage, openPage, shownIds, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

// What a page leaves for the next one is not tested here.
beforeEach(() => {
  emptyStorage()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

/** Opens a checkout with these documents in a customer's cart. */
async function openCheckout(ids: number[], shop = fakeShop()) {
  shop.carts.set('user/7', ids)
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.cart.syncCart()
  await page.wallet.loadBalance()
  page.purchase.chooseMethod('wallet')
  return { shop, page, ...page.purchase }
}

const WAY = { provider: 'sandbox', locale: 'ar', origins: ['http://shop'] } as const

const keysOf = (shop: ReturnType<typeof fakeShop>) =>
  shop
    .requestsTo('POST /wallet/orders/create-and-pay')
    .map(({ headers }) => headers['idempotency-key'])

describe('the pay button', () => {
  test('needs a method, a sufficient balance, and something in the cart', async () => {
    const { page, $canPay, shop } = await openCheckout([1, 2])
    expect($canPay.get()).toBe(true)
    shop.balance = 9.99
    await page.wallet.loadBalance()
    expect($canPay.get()).toBe(false)
    shop.balance = 10
    await page.wallet.loadBalance()
    expect($canPay.get()).toBe(true)
    const fresh = await openPage(shop)
    await fresh.cart.syncCart()
    expect(fresh.purchase.$canPay.get()).toBe(false)
    page.cart.removeFromCart(1)
    page.cart.removeFromCart(2)
    expect($canPay.get()).toBe(false)
  })

  test('does not count owned documents', async () => {
    const shop = fakeShop()
    shop.owned.push(1)
    const { page, $total } = await openCheckout([1, 2], shop)
    expect($total.get()).toBe(10_000)
    await page.owned.loadOwned()
    expect($total.get()).toBe(5_000)
  })
})

describe('paying', () => {
  test('SUCCESS charges once and empties the cart', async () => {
    const { shop, page, startPurchase, confirmPurchase, $purchase } = await openCheckout([2, 1])
    startPurchase()
    await Promise.all([confirmPurchase(WAY), confirmPurchase(WAY)])
    expect($purchase.get()).toEqual({ phase: 'done', excluded: [], isSettled: true })
    expect(shop.charges).toBe(1)
    expect(keysOf(shop)).toHaveLength(1)
    expect(shownIds(page)).toEqual([])
    expect(page.wallet.$balance.get()).toBe(50_000)
    expect([...page.owned.$owned.get()]).toEqual([1, 2])
    expect(storage.intents).toBeUndefined()
  })

  test('requires confirmation', async () => {
    const { shop, confirmPurchase, startPurchase, cancelPurchase } = await openCheckout([1])
    await confirmPurchase(WAY)
    startPurchase()
    cancelPurchase()
    await confirmPurchase(WAY)
    expect(keysOf(shop)).toEqual([])
  })

  test('PARTIAL_SUCCESS lists the documents that were owned', async () => {
    const shop = fakeShop()
    shop.owned.push(1)
    const checkout = await openCheckout([1, 2], shop)
    const { startPurchase, confirmPurchase, $purchase } = checkout
    await checkout.page.owned.loadOwned()
    startPurchase()
    await confirmPurchase(WAY)
    expect($purchase.get()).toMatchObject({ phase: 'done', excluded: ['Document 1'] })
  })

  test('a definite failure ends the intent; the next attempt is a new one', async () => {
    const { shop, startPurchase, confirmPurchase, $purchase, page } = await openCheckout([1])
    shop.balance = 1
    startPurchase()
    await confirmPurchase(WAY)
    expect($purchase.get()).toMatchObject({
      phase: 'failed',
      isOpen: false,
      problem: { code: 'insufficient_balance' },
    })
    expect(shownIds(page)).toEqual([1])
    shop.balance = 20
    await page.wallet.loadBalance()
    startPurchase()
    await confirmPurchase(WAY)
    const [first, second] = keysOf(shop)
    expect(first).not.toBe(second)
    expect(shop.charges).toBe(1)
  })

  test.each(['network', 'server_error', 'unavailable', 'too_many_requests'] as const)(
    'the key stays the same across retries and reloads after %s',
    async (fault) => {
      const { shop, startPurchase, confirmPurchase, $purchase } = await openCheckout([1, 2])
      shop.fault = ({ path }) => (path.includes('create-and-pay') ? fault : undefined)
      startPurchase()
      await confirmPurchase(WAY)
      expect($purchase.get()).toMatchObject({ phase: 'failed', isOpen: true })
      startPurchase()
      await confirmPurchase(WAY)

      const reloaded = await openCheckout([2, 1], shop)
      shop.fault = () => undefined
      reloaded.startPurchase()
      await reloaded.confirmPurchase(WAY)
      expect(new Set(keysOf(shop)).size).toBe(1)
      expect(keysOf(shop)).toHaveLength(3)
      expect(shop.charges).toBe(1)
    },
  )

  test('a lost response: paying again charges nothing more', async () => {
    const { shop, startPurchase, confirmPurchase } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'lost' : undefined)
    startPurchase()
    await confirmPurchase(WAY)
    shop.fault = () => undefined
    startPurchase()
    await confirmPurchase(WAY)
    expect(shop.charges).toBe(1)
    expect(shop.balance).toBe(55)
  })

  test('a lost response: the next page detects that the purchase succeeded', async () => {
    const { shop, startPurchase, confirmPurchase } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'lost' : undefined)
    startPurchase()
    await confirmPurchase(WAY)
    shop.fault = () => undefined

    const page = await openPage(shop)
    await page.purchase.settleOpenIntent()
    expect(page.purchase.$purchase.get()).toMatchObject({ phase: 'done' })
    expect(storage.intents).toBeUndefined()
  })

  test('a lost response, and nothing was bought: the intent remains', async () => {
    const { shop, startPurchase, confirmPurchase } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'network' : undefined)
    startPurchase()
    await confirmPurchase(WAY)
    const page = await openPage(shop)
    await page.purchase.settleOpenIntent()
    expect(page.purchase.$purchase.get()).toEqual({ phase: 'idle' })
    expect(storage.intents).toContain('purchase')
  })

  test('another cart is another intent, and so is another user', async () => {
    const { shop, startPurchase, confirmPurchase } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'network' : undefined)
    startPurchase()
    await confirmPurchase(WAY)
    const more = await openCheckout([1, 2], shop)
    more.startPurchase()
    await more.confirmPurchase(WAY)
    storage.token = aToken({ userId: 8 })
    shop.carts.set('user/8', [1, 2])
    const other = await openCheckout([], shop)
    other.startPurchase()
    await other.confirmPurchase(WAY)
    expect(new Set(keysOf(shop)).size).toBe(3)
  })

  test.each(['x', '{}', '{"key":"short","userId":7,"documentIds":[1]}'])(
    'a corrupt intent is ignored: %s',
    async (text) => {
      storage.intents = text
      const { shop, startPurchase, confirmPurchase } = await openCheckout([1])
      startPurchase()
      await confirmPurchase(WAY)
      expect(keysOf(shop)[0]).toMatch(/^[\da-f]{32}$/)
    },
  )
})

describe('a price that has changed', () => {
  /** The totals that were sent, in dinars, and the number of keys. */
  const sentTo = (shop: ReturnType<typeof fakeShop>) => ({
    totals: shop
      .requestsTo('POST /wallet/orders/create-and-pay')
      .map(({ body }) => JSON.parse(body ?? '{}').total),
    keys: new Set(keysOf(shop)).size,
  })

  test('is not paid before it is confirmed; the page then shows it, and what it was', async () => {
    const { shop, page, ...purchase } = await openCheckout([1, 2])
    shop.price = 6
    purchase.startPurchase()
    expect(purchase.$seenBefore.get()).toBeNull()
    await Promise.all([purchase.confirmPurchase(WAY), purchase.confirmPurchase(WAY)])
    expect(purchase.$purchase.get()).toMatchObject({
      phase: 'failed',
      problem: { code: 'price_changed', prices: { total: 12_000 } },
    })
    expect([purchase.$isAsking.get(), purchase.$total.get()]).toEqual([true, 12_000])
    expect(purchase.$seenBefore.get()).toEqual({
      prices: new Map([1, 2].map((id) => [id, 5_000])),
      total: 10_000,
    })
    expect(shop.charges).toBe(0)
    await purchase.confirmPurchase(WAY)
    expect(purchase.$purchase.get()).toMatchObject({ phase: 'done', excluded: [] })
    expect(sentTo(shop)).toEqual({ totals: [10, 12], keys: 2 })
    expect(shop.charges).toBe(1)
    expect(shownIds(page)).toEqual([])
  })

  test('can be declined: nothing is paid, and the cart shows the new price', async () => {
    const { shop, page, ...purchase } = await openCheckout([1])
    shop.price = 6
    purchase.startPurchase()
    await purchase.confirmPurchase(WAY)
    purchase.cancelPurchase()
    expect(purchase.$purchase.get()).toEqual({ phase: 'idle' })
    await purchase.confirmPurchase(WAY)
    expect(shop.charges).toBe(0)
    expect(page.cart.$cart.get().items).toMatchObject([{ price: 6_000 }])
    purchase.startPurchase()
    expect(purchase.$seenBefore.get()).toBeNull()
    // As saved, for the next page.
    expect((await openPage(shop)).cart.$cart.get().items).toMatchObject([{ price: 6_000 }])
  })

  test('may be more than the wallet holds', async () => {
    const { shop, page, ...purchase } = await openCheckout([1])
    shop.price = 50
    shop.balance = 40
    purchase.startPurchase()
    await purchase.confirmPurchase(WAY)
    await expect.poll(() => page.wallet.$balance.get()).toBe(40_000)
    expect([purchase.$isAsking.get(), purchase.$canPay.get()]).toEqual([true, false])
    expect(shop.charges).toBe(0)
  })

  test('changes again while it is asked: each time it is asked again', async () => {
    const { shop, ...purchase } = await openCheckout([1])
    purchase.startPurchase()
    for (const price of [6, 7, 3]) {
      const before = purchase.$total.get()
      shop.price = price
      await purchase.confirmPurchase(WAY)
      expect(purchase.$seenBefore.get()?.total).toBe(before)
      expect(purchase.$total.get()).toBe(price * 1000)
    }
    await purchase.confirmPurchase(WAY)
    expect(sentTo(shop)).toEqual({ totals: [5, 6, 7, 3], keys: 4 })
    expect(shop.balance).toBe(57)
  })

  test.each([
    ['bought elsewhere: it costs nothing', [1], 5_000],
    ['given back elsewhere: it costs again', [], 10_000],
  ])('is also that of a document that was %s', async (_, owned, total) => {
    const shop = fakeShop()
    if (owned.length === 0) shop.owned.push(1)
    const { page, ...purchase } = await openCheckout([1, 2], shop)
    await page.owned.loadOwned()
    shop.owned.splice(0, 1, ...owned)
    purchase.startPurchase()
    await purchase.confirmPurchase(WAY)
    expect([purchase.$isAsking.get(), purchase.$total.get()]).toEqual([true, total])
    expect(shop.charges).toBe(0)
    await purchase.confirmPurchase(WAY)
    expect(purchase.$purchase.get()).toMatchObject({ phase: 'done' })
    expect(shop.balance).toBe(60 - total / 1000)
  })

  test('after a lost response: the same purchase at the new price charges nothing more', async () => {
    const { shop, startPurchase, confirmPurchase } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'lost' : undefined)
    startPurchase()
    await confirmPurchase(WAY)
    shop.fault = () => undefined
    shop.price = 6
    const again = await openCheckout([1], shop)
    again.startPurchase()
    await again.confirmPurchase(WAY)
    expect([again.$isAsking.get(), shop.charges]).toEqual([true, 1])
    await expect.poll(() => again.$total.get()).toBe(0)
    await again.confirmPurchase(WAY)
    expect(shop.balance).toBe(55)
    expect(again.$purchase.get()).toMatchObject({ phase: 'done', excluded: ['Document 1'] })
    // Nothing is left that the next checkout would take for a purchase of its own.
    expect(storage.intents).toBeUndefined()
  })

  test('said by a backend without prices: the cart is read again', async () => {
    const { shop, page, ...purchase } = await openCheckout([1])
    shop.price = 6
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'price_changed' : undefined)
    purchase.startPurchase()
    await purchase.confirmPurchase(WAY)
    expect(purchase.$isAsking.get()).toBe(true)
    await expect.poll(() => purchase.$total.get()).toBe(6_000)
    expect(purchase.$seenBefore.get()?.total).toBe(5_000)
  })
})
