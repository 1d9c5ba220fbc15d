import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { anItem, aTap, aToken, emptyBrowser, openPage, shownIds, storage } from './browser.ts'
import { type FakeShop, type Fault, fakeShop } from './fake-shop.ts'

beforeEach(emptyBrowser)

const WAY = { method: 'card', locale: 'ar', origins: ['http://shop.example'] } as const
const SMALL = { documentId: 3, title: 'Small', price: 5_000 }
const DONE = { phase: 'done', excluded: [], isSettled: true }
const LARGE = { documentId: 4, title: 'Large', price: 12_000 }

/** Opens the page of a document for a customer. */
async function openDetails(shop = fakeShop()) {
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.wallet.loadBalance()
  return { shop, page, ...page.directPurchase }
}

const keysOf = (shop: FakeShop) => shop.keysOf('POST /wallet/')

const failing = (fault: Fault) => (request: { path: string }) =>
  /\/(direct-)?pay$/.test(request.path) ? fault : undefined

describe('"buy now"', () => {
  test('opens the purchase modal, or the log-in prompt when logged out', async () => {
    const { page } = await openDetails()
    await page.shopping.answerTap(aTap('buy', 3))
    expect(page.dialogs.$dialog.get()).toEqual({ kind: 'purchase', item: anItem(3) })
    await page.session.logOut()
    await page.shopping.answerTap(aTap('buy', 3))
    expect(page.dialogs.$dialog.get()).toMatchObject({ kind: 'anonymous-shopping' })
  })

  test('uses the final price', async () => {
    const { itemToBuy } = await openDetails()
    expect(itemToBuy({ ...anItem(3), price: 12_000, priceDiscount: 8500 }).price).toBe(8_500)
    expect(itemToBuy({ ...anItem(3), price: 12_000, priceDiscount: 13_000 }).price).toBe(12_000)
    expect(itemToBuy({ ...anItem(3), price: -10 }).price).toBe(0)
  })

  test.each([
    ['/shop-details/4', 'card'],
    ['/shop', 'direct'],
    ['/', 'direct'],
  ])('on %s pays directly by %s', async (path, method) => {
    const { directMethodOn } = await openDetails()
    expect(directMethodOn(path)).toBe(method)
  })
})

describe('from the wallet', () => {
  test('charges once, refreshes balance, list and cart, and navigates away', async () => {
    const shop = fakeShop()
    shop.carts.set('user/7', [3])
    const { page, buyFromWallet, $directPurchase } = await openDetails(shop)
    await page.cart.syncCart()
    await Promise.all([buyFromWallet(SMALL), buyFromWallet(SMALL)])
    expect($directPurchase.get()).toEqual(DONE)
    expect(shop.charges).toBe(1)
    expect(page.wallet.$balance.get()).toBe(55_000)
    expect([...page.owned.$owned.get()]).toEqual([3])
    expect(shownIds(page)).toEqual([])
    expect(storage.intents).toBeUndefined()
  })

  test('sends no request when the balance does not cover the price', async () => {
    const { shop, page, buyFromWallet, $directPurchase } = await openDetails()
    shop.balance = 4.99
    await page.wallet.loadBalance()
    await buyFromWallet(SMALL)
    expect($directPurchase.get()).toEqual({ phase: 'idle' })
    expect(keysOf(shop)).toEqual([])
  })

  test('charges nothing for a free document, even with an unknown balance', async () => {
    const shop = fakeShop()
    shop.price = 0
    storage.token = aToken()
    const { directPurchase } = await openPage(shop)
    await directPurchase.buyFromWallet({ ...SMALL, price: 0 })
    expect(directPurchase.$directPurchase.get()).toEqual(DONE)
    expect(shop.owned).toEqual([3])
  })

  test('reports a wallet that was emptied elsewhere, and reloads the balance', async () => {
    const { shop, page, buyFromWallet, $directPurchase } = await openDetails()
    shop.balance = 1
    await buyFromWallet(SMALL)
    expect($directPurchase.get()).toMatchObject({ failure: 'insufficient', isOpen: false })
    await vi.waitFor(() => expect(page.wallet.$balance.get()).toBe(1_000), PATIENCE)
  })

  test('says that nothing was charged, unless an attempt before may have charged', async () => {
    const { shop, buyFromWallet, $directPurchase } = await openDetails()
    shop.nothingCharged = true
    shop.fault = failing('unavailable')
    await buyFromWallet(SMALL)
    expect($directPurchase.get()).toMatchObject({
      failure: 'busy',
      problem: { nothingCharged: true },
    })
    shop.fault = failing('lost')
    await buyFromWallet(SMALL)
    shop.fault = failing('unavailable')
    await buyFromWallet(SMALL)
    expect($directPurchase.get()).toMatchObject({ failure: 'busy', isOpen: true })
    expect($directPurchase.get()).not.toMatchObject({ problem: { nothingCharged: true } })
    expect(new Set(keysOf(shop)).size).toBe(1)
  })

  test.each(['lost', 'network', 'server_error', 'unavailable'] as const)(
    'after %s the same purchase is repeated across retries and reloads',
    async (fault) => {
      const { shop, buyFromWallet, $directPurchase } = await openDetails()
      shop.fault = failing(fault)
      await buyFromWallet(SMALL)
      const failed = $directPurchase.get()
      expect(failed).toMatchObject({
        phase: 'failed',
        failure: fault === 'unavailable' ? 'busy' : 'unexpected',
        isOpen: true,
      })
      if (failed.phase === 'failed') await failed.again()
      const reloaded = await openDetails(shop)
      shop.fault = () => undefined
      await reloaded.buyFromWallet(SMALL)
      expect(reloaded.$directPurchase.get()).toEqual(DONE)
      expect(keysOf(shop)).toHaveLength(3)
      expect(new Set(keysOf(shop)).size).toBe(1)
      expect(shop.charges).toBe(1)
    },
  )
})

describe('a price that has changed', () => {
  test.each([
    ['from the wallet', SMALL, 8],
    ['directly', LARGE, 20],
  ])('is not paid %s before it was shown', async (way, wanted, price) => {
    const { shop, page, buyFromWallet, payDirectly, $directPurchase } = await openDetails()
    shop.carts.set('user/7', [wanted.documentId])
    shop.price = wanted.price / 1000
    await page.cart.syncCart()
    shop.price = price
    const pays = (item: typeof wanted) =>
      way === 'directly' ? payDirectly(item, WAY) : buyFromWallet(item)
    await pays(wanted)
    const { documentId, title } = wanted
    const item = { documentId, title, price: price * 1000, priceDiscount: null }
    expect($directPurchase.get()).toMatchObject({
      phase: 'failed',
      failure: 'price_changed',
      isOpen: false,
      change: { item, seen: wanted.price },
    })
    expect([shop.charges, shop.started]).toEqual([0, []])
    expect(page.cart.$cart.get().items).toMatchObject([{ price: price * 1000 }])
    await pays({ ...wanted, price: price * 1000 })
    expect($directPurchase.get()).toMatchObject({ phase: way === 'directly' ? 'leaving' : 'done' })
    expect(new Set(keysOf(shop)).size).toBe(2)
  })

  test('to nothing since the document was bought elsewhere: says so', async () => {
    const { shop, page, buyFromWallet, $directPurchase } = await openDetails()
    await page.owned.loadOwned()
    shop.owned.push(3)
    await buyFromWallet(SMALL)
    expect($directPurchase.get()).toMatchObject({ phase: 'failed', failure: 'already_owned' })
    expect([...page.owned.$owned.get()]).toEqual([3])
    expect(shop.charges).toBe(0)
  })
})

describe('directly', () => {
  /** Where every document costs as much as the large one. */
  const aDearShop = () => Object.assign(fakeShop(), { price: 12 })

  test('starts one payment of the shown price, and navigates to it', async () => {
    const { shop, payDirectly, $directPurchase } = await openDetails(aDearShop())
    await Promise.all([payDirectly(LARGE, WAY), payDirectly(LARGE, WAY)])
    const paymentUrl = 'https://gateway.example/pay'
    expect($directPurchase.get()).toEqual({ phase: 'leaving', paymentUrl })
    const sent = {
      userId: 7,
      amount: 12,
      paymentMethod: 'card',
      description: 'Large',
      locale: 'ar',
    }
    expect(shop.started).toEqual([{ ...sent, documentIds: [4] }])
  })

  test('without a payment URL, the document is bought', async () => {
    const { shop, page, payDirectly, $directPurchase } = await openDetails(aDearShop())
    shop.paymentUrl = null
    await payDirectly(LARGE, WAY)
    expect($directPurchase.get()).toEqual(DONE)
    expect([...page.owned.$owned.get()]).toEqual([4])
  })

  test('is not offered below 10 dinars', async () => {
    const { shop, payDirectly } = await openDetails(aDearShop())
    await payDirectly({ ...LARGE, price: 9_990 }, WAY)
    expect(keysOf(shop)).toEqual([])
  })

  test('never navigates to a javascript: URL', async () => {
    const { shop, payDirectly, $directPurchase } = await openDetails(aDearShop())
    shop.paymentUrl = 'javascript:alert(1)'
    await payDirectly(LARGE, WAY)
    expect($directPurchase.get()).toMatchObject({ failure: 'payment_failed', isOpen: false })
  })

  test.each([
    ['already_owned', 'already_owned', false],
    ['price_changed', 'price_changed', false],
    ['document_not_found', 'invalid_product', false],
    ['method_not_offered', 'payment_failed', false],
    ['gateway_unavailable', 'payment_failed', true],
    ['network', 'payment_failed', true],
  ] as const)('%s', async (fault, failure, isOpen) => {
    const { shop, payDirectly, dismissOutcome, $directPurchase } = await openDetails(aDearShop())
    shop.fault = failing(fault)
    await payDirectly(LARGE, WAY)
    expect($directPurchase.get()).toMatchObject({ phase: 'failed', failure, isOpen })
    dismissOutcome()
    expect($directPurchase.get()).toEqual({ phase: 'idle' })
    shop.fault = () => undefined
    await payDirectly(LARGE, WAY)
    expect(new Set(keysOf(shop)).size).toBe(isOpen ? 1 : 2)
  })

  test('a lost response: one payment, across a reload', async () => {
    const { shop, payDirectly } = await openDetails(aDearShop())
    shop.fault = failing('lost')
    await payDirectly(LARGE, WAY)
    shop.fault = () => undefined
    const reloaded = await openDetails(shop)
    await reloaded.payDirectly(LARGE, WAY)
    expect(shop.started).toHaveLength(1)
    expect(reloaded.$directPurchase.get()).toMatchObject({ phase: 'leaving' })
  })

  test('a logged-out user cannot pay, and an invalid document cannot be paid', async () => {
    const { shop, page, payDirectly, $directPurchase } = await openDetails(aDearShop())
    await payDirectly({ ...LARGE, documentId: 0 }, WAY)
    expect($directPurchase.get()).toMatchObject({ failure: 'invalid_product' })
    await page.session.logOut()
    await payDirectly(LARGE, WAY)
    expect($directPurchase.get()).toMatchObject({ failure: 'not_logged_in' })
    expect(shop.started).toEqual([])
  })
})
