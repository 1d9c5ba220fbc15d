import { beforeEach, describe, expect, test } from 'vitest'
import { aToken, emptyBrowser, openPage, shownIds, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'
import { keysOf, openCheckout, WAY } from './wallet-checkout.ts'

// What a page leaves for the next one is not tested here.
beforeEach(emptyBrowser)

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
    const { pay, $purchase } = checkout
    await checkout.page.owned.loadOwned()
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'done', excluded: ['Document 1'] })
  })

  test('a definite failure ends the intent; the next attempt is a new one', async () => {
    const { shop, pay, $purchase, page } = await openCheckout([1])
    shop.balance = 1
    await pay()
    expect($purchase.get()).toMatchObject({
      phase: 'failed',
      isOpen: false,
      problem: { code: 'insufficient_balance' },
    })
    expect(shownIds(page)).toEqual([1])
    shop.balance = 20
    await page.wallet.loadBalance()
    await pay()
    const [first, second] = keysOf(shop)
    expect(first).not.toBe(second)
    expect(shop.charges).toBe(1)
  })

  test.each(['network', 'server_error', 'unavailable', 'too_many_requests'] as const)(
    'the key stays the same across retries and reloads after %s',
    async (fault) => {
      const { shop, pay, $purchase } = await openCheckout([1, 2])
      shop.fault = ({ path }) => (path.includes('create-and-pay') ? fault : undefined)
      await pay()
      expect($purchase.get()).toMatchObject({ phase: 'failed', isOpen: true })
      await pay()

      const reloaded = await openCheckout([2, 1], shop)
      shop.fault = () => undefined
      await reloaded.pay()
      expect(new Set(keysOf(shop)).size).toBe(1)
      expect(keysOf(shop)).toHaveLength(3)
      expect(shop.charges).toBe(1)
    },
  )

  test('a lost response: paying again charges nothing more', async () => {
    const { shop, pay } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'lost' : undefined)
    await pay()
    shop.fault = () => undefined
    await pay()
    expect(shop.charges).toBe(1)
    expect(shop.balance).toBe(55)
  })

  test('a lost response: the next page detects that the purchase succeeded', async () => {
    const { shop, pay } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'lost' : undefined)
    await pay()
    shop.fault = () => undefined

    const page = await openPage(shop)
    await page.purchase.settleOpenIntent()
    expect(page.purchase.$purchase.get()).toMatchObject({ phase: 'done' })
    expect(storage.intents).toBeUndefined()
  })

  test('a lost response, and nothing was bought: the intent remains', async () => {
    const { shop, pay } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'network' : undefined)
    await pay()
    const page = await openPage(shop)
    await page.purchase.settleOpenIntent()
    expect(page.purchase.$purchase.get()).toEqual({ phase: 'idle' })
    expect(storage.intents).toContain('purchase')
  })

  test('another cart is another intent, and so is another user', async () => {
    const { shop, pay } = await openCheckout([1])
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'network' : undefined)
    await pay()
    const more = await openCheckout([1, 2], shop)
    await more.pay()
    storage.token = aToken({ userId: 8 })
    shop.carts.set('user/8', [1, 2])
    const other = await openCheckout([], shop)
    await other.pay()
    expect(new Set(keysOf(shop)).size).toBe(3)
  })

  test.each(['x', '{}', '{"key":"short","userId":7,"documentIds":[1]}'])(
    'a corrupt intent is ignored: %s',
    async (text) => {
      storage.intents = text
      const { shop, pay } = await openCheckout([1])
      await pay()
      expect(keysOf(shop)[0]).toMatch(/^[\da-f]{32}$/)
    },
  )
})
