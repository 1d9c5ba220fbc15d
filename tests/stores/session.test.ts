import { setTestStorageKey } from '@nanostores/persistent'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApi } from '../../src/client/api.ts'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

beforeEach(emptyBrowser)
afterEach(() => vi.useRealTimers())

const rememberUser = () => {
  storage.server_cart = '{"items":[{"documentId":1,"title":"x","price":1}]}'
  storage.wallet_balance = '12.5'
  storage.owned_documents = '[1,2]'
}
const remembered = () => [storage.server_cart, storage.wallet_balance, storage.owned_documents]

describe('the session', () => {
  test('is that of the token', async () => {
    storage.token = aToken({ userId: 9 })
    const page = await openPage(fakeShop())
    expect(page.session.$session.get()).toMatchObject({ userId: 9, role: 'PARENT' })
  })

  test.each([
    ['no token at all', 'rubbish'],
    ['a payload that is not JSON', 'a.!!!.c'],
    ['an expired one', aToken({ expiresIn: -1 })],
    ['one without a user', aToken({ userId: 0 })],
  ])('counts as logged out, and removes the token, for %s', async (_, token) => {
    storage.token = token
    rememberUser()
    const page = await openPage(fakeShop())
    expect(page.session.$session.get()).toBeNull()
    expect(storage.token).toBeUndefined()
    expect(remembered()).toEqual([undefined, undefined, undefined])
  })

  test.each([
    ['cannot be decoded', 'rubbish'],
    ['has expired', aToken({ expiresIn: -1 })],
  ])('a call that finds a token that %s sends none, and removes it', async (_, token) => {
    const shop = fakeShop()
    storage.token = token
    const page = await openPage(shop)
    await page.backend.ask(({ catalogue }) => catalogue.listDocuments, {}).catch(() => undefined)
    expect(shop.requests.at(-1)?.headers.authorization).toBeUndefined()
    expect(storage.token).toBeUndefined()
  })

  test('a token that the server refuses, with whatever code, is removed; it stays after a wrong password', async () => {
    for (const [error, isKept] of [
      ['invalid_token', false],
      ['authentication_required', false],
      ['another_backends_word', false],
      ['wrong_credentials', true],
    ] as const) {
      storage.token = aToken()
      const page = await openPage(fakeShop())
      page.backend.connectTo(createApi(async () => ({ status: 401, body: { error } })))
      await page.backend.ask(({ catalogue }) => catalogue.listDocuments, {}).catch(() => undefined)
      expect(storage.token !== undefined, error).toBe(isKept)
    }
  })

  test('ends when the token expires', async () => {
    vi.useFakeTimers()
    storage.token = aToken({ expiresIn: 60 })
    rememberUser()
    const page = await openPage(fakeShop())
    const ended: number[] = []
    page.session.onLogOut((userId) => ended.push(userId))
    onTestFinished(page.session.$session.listen(() => undefined))
    vi.advanceTimersByTime(58_000)
    expect(page.session.$session.get()?.userId).toBe(7)
    vi.advanceTimersByTime(3000)
    expect(page.session.$session.get()).toBeNull()
    expect(ended).toEqual([7])
    expect(storage.token).toBeUndefined()
    expect(remembered()).toEqual([undefined, undefined, undefined])
  })

  test.each([13, 48, -13, -48])(
    'ends by the server’s clock, also where the device’s is %i hours ahead',
    async (hours) => {
      vi.useFakeTimers()
      const shop = fakeShop()
      // As the server makes it now, before this device's clock is found to be wrong.
      shop.token = aToken({ expiresIn: 12 * 3600, isDated: true })
      vi.setSystemTime(Date.now() + hours * 3600_000)
      const page = await openPage(shop)
      expect(await page.account.logIn('a@b.tn', 'secret')).toEqual({ kind: 'welcome' })
      onTestFinished(page.session.$session.listen(() => undefined))
      vi.advanceTimersByTime(11 * 3600_000)
      const reloaded = await openPage(shop)
      expect(reloaded.session.$session.get()?.userId).toBe(7)
      onTestFinished(reloaded.session.$session.listen(() => undefined))
      vi.advanceTimersByTime(3600_000 + 1000)
      expect(reloaded.session.$session.get()).toBeNull()
      expect(storage.token).toBeUndefined()
    },
  )

  test('what the server says later corrects the clock, and seconds do not count', async () => {
    vi.useFakeTimers()
    const shop = fakeShop()
    const page = await openPage(shop)
    page.clock.learnServerTime(Date.now() + 20_000)
    expect(storage.clock).toBeUndefined()
    page.clock.learnServerTime(Date.now() + 3600_000)
    expect(page.clock.serverNow()).toBe(Date.now() + 3600_000)
    page.clock.learnServerTime(Date.now() + 3610_000)
    expect(storage.clock).toBe('3600000')
    page.clock.learnServerTime(Date.now())
    expect([storage.clock, page.clock.serverNow()]).toEqual([undefined, Date.now()])
    storage.clock = 'rubbish'
    expect((await openPage(shop)).clock.serverNow()).toBe(Date.now())
  })

  test('a token of a year does not overflow the timer', async () => {
    vi.useFakeTimers()
    storage.token = aToken({ expiresIn: 365 * 24 * 3600 })
    const page = await openPage(fakeShop())
    onTestFinished(page.session.$session.listen(() => undefined))
    vi.advanceTimersByTime(40 * 24 * 3600 * 1000)
    expect(page.session.$session.get()?.userId).toBe(7)
  })

  test('logging out removes the token, clears the user’s data, notifies listeners, and tells the server', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    rememberUser()
    const page = await openPage(shop)
    const ended: number[] = []
    page.session.onLogOut((userId) => ended.push(userId))
    await page.session.logOut()
    expect(storage.token).toBeUndefined()
    expect(remembered()).toEqual([undefined, undefined, undefined])
    expect(ended).toEqual([7])
    expect(shop.requestsTo('POST /auth/logout')[0]?.headers.authorization).toMatch(/^Bearer /)
  })

  test('logging out works without the server', async () => {
    const shop = fakeShop()
    shop.fault = () => 'network'
    storage.token = aToken()
    const page = await openPage(shop)
    await page.session.logOut()
    expect(page.session.$session.get()).toBeNull()
  })

  test('a log-out in another tab ends it here', async () => {
    storage.token = aToken()
    const page = await openPage(fakeShop())
    const ended: number[] = []
    page.session.onLogOut((userId) => ended.push(userId))
    onTestFinished(page.session.$session.listen(() => undefined))
    setTestStorageKey('token', undefined)
    expect(page.session.$session.get()).toBeNull()
    expect(ended).toEqual([7])
  })

  test('another user in another tab: the first one’s data is cleared', async () => {
    storage.token = aToken()
    rememberUser()
    const page = await openPage(fakeShop())
    onTestFinished(page.session.$session.listen(() => undefined))
    setTestStorageKey('token', aToken({ userId: 8 }))
    expect(page.session.$session.get()?.userId).toBe(8)
    expect(remembered()).toEqual([undefined, undefined, undefined])
  })

  test('a token that the server no longer accepts ends it too', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    const page = await openPage(shop)
    shop.fault = () => 'invalid_token'
    await page.wallet.loadBalance()
    expect(page.session.$session.get()).toBeNull()
    expect(storage.token).toBeUndefined()
  })

  test('a failure to load the balance is only logged, and the last one stays', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    storage.wallet_balance = '12.5'
    const page = await openPage(shop)
    shop.fault = () => 'network'
    await page.wallet.loadBalance()
    expect(page.wallet.$balance.get()).toBe(12_500)
    expect(page.wallet.$balanceLoad.get()).toBe('failed')
    expect(console.warn).toHaveBeenCalledOnce()
  })
})
