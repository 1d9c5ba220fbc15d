import { beforeEach, describe, expect, test, vi } from 'vitest'
import { anItem, aToken, emptyBrowser, emptyStorage, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

beforeEach(emptyBrowser)

describe('logging in', () => {
  test.each([
    ['staff', aToken({ authorities: ['TEACHER'] })],
    ['staff', aToken({ authorities: [] })],
    ['invalid_token', 'no token'],
    ['invalid_token', aToken({ expiresIn: -5 })],
    ['no_token', ''],
    ['no_token', undefined],
  ])('%s: stores no token', async (kind, token) => {
    const shop = fakeShop()
    shop.token = token
    const page = await openPage(shop)
    expect(await page.account.logIn('a@b.tn', 'secret')).toEqual({ kind })
    expect(storage.token).toBeUndefined()
    expect(page.session.$session.get()).toBeNull()
  })

  test('a refusal is reported with its code', async () => {
    const shop = fakeShop()
    shop.fault = () => 'wrong_credentials'
    const page = await openPage(shop)
    expect(await page.account.logIn('a@b.tn', 'secret')).toMatchObject({
      kind: 'refused',
      problem: { code: 'wrong_credentials', message: 'Login failed', status: 401 },
    })
  })

  test('shows balance and purchases on the next page, and nothing of the previous user', async () => {
    const shop = fakeShop()
    shop.token = aToken()
    shop.owned.push(4)
    storage.owned_documents = '[1,2,3]'
    const page = await openPage(shop)
    await page.account.logIn('a@b.tn', 'secret')
    expect(storage.token).toBe(shop.token)
    expect(storage.owned_documents).toBe('[4]')
    expect(storage.wallet_balance).toBe('60')
  })
})

test('a stale balance from before a payment, answered late, does not replace the newer one', async () => {
  const shop = fakeShop()
  storage.token = aToken()
  const page = await openPage(shop)
  const late = Promise.withResolvers<void>()
  shop.delay = () => late.promise
  const first = page.wallet.loadBalance()
  await vi.waitFor(() => expect(shop.requestsTo('GET /wallet/balance')).toHaveLength(1))
  shop.delay = () => undefined
  shop.balance = 23
  await page.wallet.loadBalance()
  expect(page.wallet.$balance.get()).toBe(23_000)
  shop.balance = 3
  late.resolve()
  await first
  expect(page.wallet.$balance.get()).toBe(23_000)
})

describe('the language of mail', () => {
  const languageRequests = (shop: ReturnType<typeof fakeShop>) =>
    shop.requestsTo('POST /auth/language').map(({ body }) => JSON.parse(body ?? ''))

  test('is the chosen one, sent once, along with the next call', async () => {
    const shop = fakeShop()
    storage.token = aToken()
    storage.language = 'fr'
    const page = await openPage(shop)
    await page.wallet.loadBalance()
    await page.wallet.loadBalance()
    expect(languageRequests(shop)).toEqual([{ locale: 'fr' }])
    const next = await openPage(shop)
    await next.wallet.loadBalance()
    expect(languageRequests(shop)).toHaveLength(1)
  })

  test('is that of the page after a log-in there, regardless of an earlier choice', async () => {
    const shop = fakeShop()
    shop.token = aToken()
    storage.language = 'fr'
    const page = await openPage(shop)
    await page.account.logIn('a@b.tn', 'secret', 'ar')
    await page.wallet.loadBalance()
    const [request] = shop.requestsTo('POST /auth/login')
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ locale: 'ar' })
    expect(languageRequests(shop)).toEqual([])
  })

  test('is not sent without a log-in, nor if it is unknown', async () => {
    const shop = fakeShop()
    storage.language = 'tlh'
    storage.token = aToken()
    await (await openPage(shop)).wallet.loadBalance()
    emptyStorage()
    storage.language = 'fr'
    await (await openPage(shop)).wallet.loadBalance()
    expect(languageRequests(shop)).toEqual([])
  })
})

describe('registering', () => {
  const account = {
    username: 'sami',
    firstName: 'سامي',
    lastName: 'بن علي',
    phone: '98000000',
    gender: 'male' as const,
    email: 'sami@example.tn',
    password: 'secret',
  }
  const sent = (shop: ReturnType<typeof fakeShop>) =>
    JSON.parse(shop.requestsTo('POST /auth/register')[0]?.body ?? '{}')

  test('always creates a PARENT and shares the cart', async () => {
    const shop = fakeShop()
    storage.static_cart = JSON.stringify({ items: [anItem(1), anItem(2)] })
    const page = await openPage(shop)
    expect(await page.account.registerAccount(account, null)).toBeNull()
    const { sessionId, ...rest } = sent(shop)
    expect(rest).toEqual({ ...account, role: ['PARENT'] })
    expect(sessionId).toMatch(/^anon-[\da-f]{32}$/)
    expect(shop.carts.get(`anonymous/${sessionId}`)).toEqual([1, 2])
    expect(storage.session_id).toBe(sessionId)
  })

  test('needs no session for an empty cart', async () => {
    const shop = fakeShop()
    const page = await openPage(shop)
    await page.account.registerAccount(account, 'rubbish')
    expect(sent(shop).sessionId).toBeNull()
    expect(storage.session_id).toBeUndefined()
  })

  test('uses the session in the URL', async () => {
    const shop = fakeShop()
    const page = await openPage(shop)
    await page.account.registerAccount(account, 'anon-0123456789abcdef')
    expect(sent(shop).sessionId).toBe('anon-0123456789abcdef')
  })

  test('succeeds although the cart cannot be shared', async () => {
    const shop = fakeShop()
    storage.static_cart = JSON.stringify({ items: [anItem(1)] })
    shop.fault = ({ path }) => (path.startsWith('/carts') ? 'unavailable' : undefined)
    const page = await openPage(shop)
    expect(await page.account.registerAccount(account, null)).toBeNull()
  })

  test('returns a refusal', async () => {
    const shop = fakeShop()
    shop.fault = () => 'registration_failed'
    const page = await openPage(shop)
    expect(await page.account.registerAccount(account, null)).toMatchObject({
      code: 'registration_failed',
    })
  })
})
