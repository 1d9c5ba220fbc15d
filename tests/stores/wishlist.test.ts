import { setTestStorageKey } from '@nanostores/persistent'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { UNSENT_WISHES_KEY, WISHED_KEY } from '../../src/rules/storage-keys.ts'
import { PATIENCE } from '../support/patience.ts'
import { aTap, aToken, emptyStorage, type OpenPage, openPage, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'

let shop: FakeShop
beforeEach(() => {
  emptyStorage()
  shop = fakeShop()
})

const idsOf = ({ wishlist }: OpenPage) => [...wishlist.$wished.get()].sort()
const entriesOf = ({ wishlist }: OpenPage) => {
  const list = wishlist.$wishlist.get()
  return list.phase === 'ready' ? list.value.map(({ document }) => document.id) : list.phase
}

/** Opens a page for a logged-in customer, with subscribed stores. */
async function openLoggedIn(): Promise<OpenPage> {
  storage.token = aToken()
  const page = await openPage(shop)
  for (const $store of [page.wishlist.$wished, page.wishlist.$wishlist, page.session.$session]) {
    onTestFinished($store.listen(() => undefined))
  }
  return page
}

describe('the heart', () => {
  test('logged out asks to log in: in its own dialog on a card, in the anonymous modal on the details page', async () => {
    const page = await openPage(shop)
    await page.shopping.answerTap(aTap('wish', 1))
    expect(page.dialogs.$dialog.get()).toEqual({ kind: 'login-required', item: null })
    await page.shopping.answerTap({ ...aTap('wish', 1), isOnDetails: true })
    expect(page.dialogs.$dialog.get()).toEqual({ kind: 'anonymous-shopping', item: null })
    // Continue only closes: a wish is not a purchase.
    page.shopping.continueAnonymously()
    expect(page.dialogs.$dialog.get()).toBeNull()
    expect(page.cart.$cart.get().items).toEqual([])
    expect(shop.requests).toEqual([])
  })

  test('is filled at once, and stays filled on the next page', async () => {
    const page = await openLoggedIn()
    page.wishlist.toggleWish(3)
    expect(idsOf(page)).toEqual([3])
    await vi.waitFor(() => expect(shop.wished).toEqual([3]), PATIENCE)
    expect(idsOf(await openLoggedIn())).toEqual([3])
    page.wishlist.toggleWish(3)
    await vi.waitFor(() => expect(shop.wished).toEqual([]), PATIENCE)
    expect(idsOf(page)).toEqual([])
  })

  test('tapped often and fast ends in the state of the last tap', async () => {
    const page = await openLoggedIn()
    for (let touches = 0; touches < 5; touches++) page.wishlist.toggleWish(3)
    await page.wishlist.loadWishlist()
    expect(shop.wished).toEqual([3])
    expect(idsOf(page)).toEqual([3])
  })

  test.each([
    ['network', 'wish_failed'],
    ['wishlist_full', 'wish_full'],
    ['server_error', 'wish_failed'],
  ] as const)('is reverted with a notice where the server answers %s', async (fault, code) => {
    const page = await openLoggedIn()
    shop.fault = ({ path }) => (path.startsWith('/wishlist/add') ? fault : undefined)
    page.wishlist.toggleWish(3)
    await vi.waitFor(
      () => expect(page.notices.$notice.get()).toEqual({ kind: 'problem', code }),
      PATIENCE,
    )
    expect(idsOf(page)).toEqual([])
  })

  test('with a token that is no longer accepted logs out, and reports it', async () => {
    const page = await openLoggedIn()
    shop.fault = () => 'invalid_token'
    page.wishlist.toggleWish(3)
    await vi.waitFor(
      () => expect(page.notices.$notice.get()).toMatchObject({ code: 'wish_logged_out' }),
      PATIENCE,
    )
    expect(page.session.$session.get()).toBeNull()
    expect(idsOf(page)).toEqual([])
  })
})

describe('the wishlist', () => {
  test('is loaded after log-in, and cleared at log-out', async () => {
    shop.token = aToken()
    shop.wished.push(5, 6)
    const page = await openPage(shop)
    await page.account.logIn('a@b.tn', 'secret')
    expect(idsOf(page)).toEqual([5, 6])
    await page.session.logOut()
    expect(idsOf(page)).toEqual([])
    expect(storage.wishlist).toBeUndefined()
  })

  test('keeps a wish that was made while it was loading', async () => {
    const page = await openLoggedIn()
    let answer = () => {}
    shop.delay = ({ method }) =>
      method === 'GET' ? new Promise<void>((resolve) => (answer = resolve)) : undefined
    const loaded = page.wishlist.loadWishlist()
    await vi.waitFor(() => expect(shop.requestsTo('GET /wishlist')).toHaveLength(1), PATIENCE)
    page.wishlist.toggleWish(9)
    answer()
    await loaded
    expect(idsOf(page)).toEqual([9])
    await vi.waitFor(() => expect(shop.wished).toEqual([9]), PATIENCE)
  })

  test('removes an entry at once and restores it when the server refuses', async () => {
    shop.wished.push(5, 6)
    const page = await openLoggedIn()
    await page.wishlist.loadWishlist()
    expect(entriesOf(page)).toEqual([5, 6])
    shop.fault = ({ method }) => (method === 'DELETE' ? 'unavailable' : undefined)
    page.wishlist.wish(5, false)
    expect(entriesOf(page)).toEqual([6])
    await vi.waitFor(() => expect(entriesOf(page)).toEqual([5, 6]), PATIENCE)
  })

  test('reports what went wrong, and retries', async () => {
    shop.wished.push(5)
    const page = await openLoggedIn()
    shop.fault = () => 'unavailable'
    await page.wishlist.loadWishlist()
    expect(page.wishlist.$wishlist.get()).toMatchObject({
      phase: 'failed',
      problem: { code: 'unavailable' },
    })
    shop.fault = () => undefined
    await page.wishlist.loadWishlist()
    expect(entriesOf(page)).toEqual([5])
  })

  test('loads a wish of another tab once the server has it', async () => {
    const page = await openLoggedIn()
    await page.wishlist.loadWishlist()
    setTestStorageKey(UNSENT_WISHES_KEY, JSON.stringify({ 4: true }))
    setTestStorageKey(WISHED_KEY, JSON.stringify([4]))
    expect(idsOf(page)).toEqual([4])
    expect(page.wishlist.$isBehind.get()).toBe(false)
    shop.wished.push(4)
    setTestStorageKey(UNSENT_WISHES_KEY, '{}')
    expect(page.wishlist.$isBehind.get()).toBe(true)
    await page.wishlist.loadWishlist()
    expect(page.wishlist.$isBehind.get()).toBe(false)
    expect(entriesOf(page)).toEqual([4])
  })

  test('keeps a wish that another tab sent while it was loading', async () => {
    const page = await openLoggedIn()
    await page.wishlist.loadWishlist()
    const asked = () => shop.requestsTo('GET /wishlist').length
    const before = asked()
    let answer = () => {}
    shop.delay = ({ method }) =>
      method === 'GET' ? new Promise<void>((resolve) => (answer = resolve)) : undefined
    const loaded = page.wishlist.loadWishlist()
    await vi.waitFor(() => expect(asked()).toBe(before + 1), PATIENCE)
    // The other tab: the server has answered this one before it gets the wish.
    setTestStorageKey(UNSENT_WISHES_KEY, JSON.stringify({ 9: true }))
    setTestStorageKey(WISHED_KEY, JSON.stringify([9]))
    setTestStorageKey(UNSENT_WISHES_KEY, undefined)
    shop.delay = async ({ method }) => {
      if (method === 'GET') shop.wished.push(9)
    }
    answer()
    await loaded
    expect(idsOf(page)).toEqual([9])
  })
})

test('is not requested without a session', async () => {
  const page = await openPage(shop)
  await page.wishlist.loadWishlist()
  page.wishlist.wish(1, true)
  expect(shop.requests).toEqual([])
})
