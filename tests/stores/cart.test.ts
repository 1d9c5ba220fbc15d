import { setTestStorageKey } from '@nanostores/persistent'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  anItem,
  aTap,
  aToken,
  emptyBrowser,
  openPage,
  SESSION_ID,
  savedIds,
  shownIds,
  storage,
} from './browser.ts'
import { fakeShop } from './fake-shop.ts'

beforeEach(emptyBrowser)
afterEach(() => vi.useRealTimers())

describe('logged out', () => {
  test('a document is stored in this browser, once, without a request', async () => {
    const shop = fakeShop()
    const page = await openPage(shop)
    page.cart.addToCart(anItem(1))
    page.cart.addToCart(anItem(2))
    page.cart.addToCart(anItem(1))
    expect(shownIds(page)).toEqual([1, 2])
    expect(shownIds(await openPage(shop))).toEqual([1, 2])
    expect(shop.requests).toEqual([])
  })

  test('bad prices become 0 and missing titles the default', async () => {
    const page = await openPage(fakeShop())
    page.cart.addToCart({ documentId: 1, price: -3 })
    expect(page.cart.$cart.get().items).toEqual([
      { documentId: 1, title: 'Unknown Title', price: 0 },
    ])
  })

  test.each(['no json', '[]', '{"items":7}', 'null', '{"items":[{"documentId":"x"}]}'])(
    'corrupt storage is an empty cart: %s',
    async (text) => {
      storage.static_cart = text
      storage.server_cart = text
      const page = await openPage(fakeShop())
      expect(shownIds(page)).toEqual([])
      page.cart.addToCart(anItem(3))
      expect(shownIds(page)).toEqual([3])
    },
  )

  test("follows another tab's cart", async () => {
    const page = await openPage(fakeShop())
    const seen: number[][] = []
    page.cart.$cart.subscribe(({ items }) => seen.push(items.map((item) => item.documentId)))
    setTestStorageKey('static_cart', JSON.stringify({ items: [anItem(4)] }))
    expect(seen.at(-1)).toEqual([4])
  })

  test('the notice shows title and final price for 5 seconds, the wallet is introduced once', async () => {
    vi.useFakeTimers()
    const page = await openPage(fakeShop())
    page.cart.addToCart({ ...anItem(1), price: 20, priceDiscount: 12.5 })
    expect(page.notices.$notice.get()).toMatchObject({ title: 'Document 1', price: 12.5 })
    expect(page.dialogs.$dialog.get()).toMatchObject({ kind: 'wallet-intro' })
    vi.advanceTimersByTime(60_000)
    page.dialogs.closeDialog()
    vi.advanceTimersByTime(4999)
    expect(page.notices.$notice.get()).not.toBeNull()
    vi.advanceTimersByTime(1)
    expect(page.notices.$notice.get()).toBeNull()

    page.cart.addToCart(anItem(2))
    expect(page.dialogs.$dialog.get()).toBeNull()
    const next = await openPage(fakeShop())
    next.cart.addToCart(anItem(3))
    expect(next.dialogs.$dialog.get()).toBeNull()
  })

  test('adding asks first, and Continue adds anyway', async () => {
    const page = await openPage(fakeShop())
    await page.shopping.answerTap(aTap('add', 1))
    expect(shownIds(page)).toEqual([])
    expect(page.dialogs.$dialog.get()).toMatchObject({ kind: 'anonymous-shopping' })
    page.shopping.continueAnonymously()
    expect(shownIds(page)).toEqual([1])
  })
})

describe('logged in', () => {
  test('the cart is the server’s', async () => {
    const shop = fakeShop()
    shop.carts.set('user/7', [1])
    storage.token = aToken()
    const page = await openPage(shop)
    await page.cart.syncCart()
    await page.shopping.answerTap(aTap('add', 2))
    await page.cart.syncCart()
    expect(shop.carts.get('user/7')).toEqual([1, 2])
    expect(shownIds(page)).toEqual([1, 2])
    expect(savedIds()).toEqual([])
  })

  test('a failed call falls back to the local cart, and is retried on the next page', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    const page = await openPage(shop)
    shop.fault = () => 'server_error'
    page.cart.addToCart(anItem(2))
    await page.cart.syncCart()
    expect(shownIds(page)).toEqual([2])
    expect(shop.carts.get('user/7') ?? []).toEqual([])

    shop.fault = () => undefined
    const next = await openPage(shop)
    expect(shownIds(next)).toEqual([2])
    await next.cart.syncCart()
    expect(shop.carts.get('user/7')).toEqual([2])
    expect(shownIds(next)).toEqual([2])
  })

  test('logging out discards what the server has not acknowledged', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    storage.session_id = SESSION_ID
    storage.anonymous_cart = JSON.stringify({ items: [anItem(3)] })
    const answered = Promise.withResolvers<void>()
    shop.delay = ({ path }) => (path.startsWith('/carts/add') ? answered.promise : undefined)
    const page = await openPage(shop)
    const other = await openPage(shop)
    page.cart.addToCart(anItem(2))
    expect(shownIds(page)).toEqual([2])
    await page.session.logOut()
    expect(storage).toEqual({ wallet_intro_shown: expect.anything() })
    expect([shownIds(page), shownIds(other)]).toEqual([[], []])
    answered.resolve()
    await page.cart.syncCart()
    expect(shownIds(page)).toEqual([])
  })

  test('a removed item stays removed, although an earlier response still contains it', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    const page = await openPage(shop)
    await page.cart.syncCart()
    const seen: number[][] = []
    page.cart.addToCart(anItem(1))
    page.cart.removeFromCart(1)
    page.cart.$cart.subscribe(() => seen.push(shownIds(page)))
    await page.cart.syncCart()
    expect(seen.flat()).toEqual([])
    expect(shop.carts.get('user/7')).toEqual([])
  })

  test('clearing the paid items leaves what another tab has added', async () => {
    const shop = fakeShop()
    shop.carts.set('user/7', [1, 2])
    storage.token = aToken()
    const page = await openPage(shop)
    await page.cart.syncCart()
    shop.carts.set('user/7', [1, 2, 3])
    await page.cart.clearPaid([1, 2])
    expect(shop.carts.get('user/7')).toEqual([3])
    expect(shownIds(page)).toEqual([3])
  })

  test('a full cart keeps the item in this browser', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    const page = await openPage(shop)
    shop.fault = ({ path }) => (path.includes('documentId=2') ? 'cart_full' : undefined)
    for (const id of [1, 2, 3]) page.cart.addToCart(anItem(id))
    await page.cart.syncCart()
    expect(shop.carts.get('user/7')).toEqual([1, 3])
    expect(shownIds(page)).toEqual([1, 3, 2])
    expect(page.cart.$cartLoad.get()).toBe('ready')
  })
})
