import { beforeEach, describe, expect, test } from 'vitest'
import { emptyBrowser, openPage, shownIds, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'
import { keysOf, openCheckout, WAY } from './wallet-checkout.ts'

// What a page leaves for the next one is not tested here.
beforeEach(emptyBrowser)

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
