import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  anItem,
  aToken,
  emptyBrowser,
  emptyStorage,
  openPage,
  SESSION_ID,
  savedIds,
  shownIds,
  storage,
} from './browser.ts'
import { type Fault, fakeShop } from './fake-shop.ts'

beforeEach(emptyBrowser)
afterEach(() => vi.useRealTimers())

describe('log-in', () => {
  test('copies the local and the anonymous cart into the user’s, then clears both', async () => {
    const shop = fakeShop()
    shop.carts.set('user/7', [1])
    shop.carts.set(`anonymous/${SESSION_ID}`, [3, 4])
    storage.session_id = SESSION_ID
    storage.static_cart = JSON.stringify({ items: [anItem(1), anItem(2)] })
    shop.token = aToken()
    const page = await openPage(shop)
    expect(await page.account.logIn(' parent@karras.test ', 'secret')).toEqual({ kind: 'welcome' })

    expect(shop.carts.get('user/7')).toEqual([1, 2, 3, 4])
    expect(shop.carts.has(`anonymous/${SESSION_ID}`)).toBe(false)
    expect(shownIds(page)).toEqual([1, 2, 3, 4])
    expect(savedIds()).toEqual([])
    expect(storage.session_id).toBeUndefined()
    expect(storage.anonymous_cart).toBeUndefined()
  })

  test('drops documents that are no longer sold', async () => {
    const shop = fakeShop()
    shop.unsold.add(2)
    storage.static_cart = JSON.stringify({ items: [anItem(1), anItem(2), anItem(3)] })
    storage.token = aToken()
    const page = await openPage(shop)
    await page.cart.syncCart()
    expect(shownIds(page)).toEqual([1, 3])
    expect(savedIds()).toEqual([])
  })

  test('a malformed session id is never sent', async () => {
    const shop = fakeShop()
    storage.session_id = '../../user/8'
    storage.token = aToken()
    const page = await openPage(shop)
    await page.cart.syncCart()
    expect(shop.requestsTo('GET /carts/anonymous')).toEqual([])
    expect(storage.session_id).toBeUndefined()
  })

  const faults = fc.array(
    fc.option(fc.constantFrom<Fault>('network', 'lost', 'server_error', 'unavailable'), {
      freq: 2,
      nil: undefined,
    }),
    { maxLength: 12 },
  )
  const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })

  test('whichever calls fail half-way, nothing is lost or duplicated', async () => {
    await fc.assert(
      fc.asyncProperty(
        someIds,
        someIds,
        someIds,
        faults,
        async (mine, local, anonymous, failing) => {
          emptyStorage()
          const shop = fakeShop()
          shop.carts.set('user/7', mine)
          shop.carts.set(`anonymous/${SESSION_ID}`, anonymous)
          storage.session_id = SESSION_ID
          storage.static_cart = JSON.stringify({ items: local.map(anItem) })
          storage.token = aToken()
          shop.fault = (_, index) => failing[index]
          const everything = [...new Set([...mine, ...local, ...anonymous])].sort()

          // Pages are opened until no faults are left, and then once more.
          for (let pages = 0; pages <= failing.length; pages += 1) {
            const page = await openPage(shop)
            await page.cart.syncCart()
            const here = [...shownIds(page), ...(shop.carts.get('user/7') ?? [])]
            const waiting = shop.carts.get(`anonymous/${SESSION_ID}`) ?? []
            expect([...new Set([...here, ...waiting])].sort()).toEqual(everything)
            expect(new Set(shownIds(page)).size).toBe(shownIds(page).length)
          }
          const page = await openPage(shop)
          await page.cart.syncCart()
          expect([...shownIds(page)].sort()).toEqual(everything)
          expect([...(shop.carts.get('user/7') ?? [])].sort()).toEqual(everything)
          expect(savedIds()).toEqual([])
        },
      ),
      { numRuns: 40 },
    )
    // Opens hundreds of pages, which takes long on a busy machine.
  })
})
