import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'
import { keysOf, WAY } from './wallet-checkout.ts'

beforeEach(emptyBrowser)

/** A shop with a code that takes 20 % off its documents of 5 dinars. */
function aShop() {
  const shop = fakeShop()
  shop.codes.set('ETE-2026', { percent: 20 })
  return shop
}

/** Opens the checkout with these documents, once it has asked about the code that the browser keeps. */
async function openCheckout(ids: number[], shop = aShop(), method: 'wallet' | 'd17' = 'wallet') {
  shop.carts.set('user/7', ids)
  storage.token ??= aToken()
  const page = await openPage(shop)
  await page.cart.syncCart()
  await page.wallet.loadBalance()
  page.purchase.chooseMethod(method)
  onTestFinished(page.code.followCode())
  const answered = () => expect.poll(() => page.code.$cartCode.get().phase).not.toBe('asking')
  await answered()
  const apply = async (code: string) => {
    page.code.applyCode(code)
    await answered()
  }
  const pay = async () => {
    page.purchase.startPurchase()
    await page.purchase.confirmPurchase(WAY)
  }
  return { shop, page, answered, apply, pay, ...page.purchase, ...page.code }
}

const quotes = (shop: FakeShop) => shop.requestsTo('POST /codes/quote').length
const bodies = (shop: FakeShop, call: string) =>
  shop.requestsTo(call).map(({ body }) => JSON.parse(body ?? '{}'))

describe('a code that is typed', () => {
  test('lowers each price and the total, which the wallet pays with the code', async () => {
    const { shop, apply, pay, $cartCode, $total, $totalBefore, $prices } = await openCheckout([
      1, 2,
    ])
    await apply(' ete-2026 ')
    expect($cartCode.get()).toMatchObject({ phase: 'applied', code: 'ETE-2026' })
    expect([$totalBefore.get(), $total.get()]).toEqual([10_000, 8_000])
    expect($prices.get().get(2)).toMatchObject({ priceBefore: 5_000, price: 4_000 })
    await pay()
    expect(bodies(shop, 'POST /wallet/orders')).toMatchObject([{ total: 8, code: 'ETE-2026' }])
    expect(shop.balance).toBe(52)
    expect(storage.discount_code).toBeUndefined()
  })

  test('goes with an order, and is kept no longer once its payment begins', async () => {
    const { shop, apply, pay, $purchase } = await openCheckout([1], aShop(), 'd17')
    await apply('ETE-2026')
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'leaving' })
    expect(shop.orders).toMatchObject([{ total: 4 }])
    expect(bodies(shop, 'POST /orders/create')).toMatchObject([{ total: 4, code: 'ETE-2026' }])
    expect(storage.discount_code).toBeUndefined()
  })

  test('that takes everything off is a free cart', async () => {
    const shop = aShop()
    shop.balance = 0
    shop.codes.set('CADEAU', { percent: 100 })
    const { apply, pay, $methods, $purchase } = await openCheckout([1], shop, 'd17')
    await apply('CADEAU')
    expect($methods.get()).toEqual(['wallet'])
    await pay()
    expect($purchase.get()).toMatchObject({ phase: 'done' })
    expect(shop.owned).toEqual([1])
  })

  test.each(['code_unknown', 'code_ended', 'code_used'] as const)(
    'and refused for good, as %s, is not kept; the reason is said',
    async (refused) => {
      const shop = aShop()
      if (refused !== 'code_unknown') shop.codes.set('VIEUX', { percent: 20, refused })
      const { apply, $cartCode, $total } = await openCheckout([1], shop)
      await apply('VIEUX')
      const problem = { code: refused }
      expect($cartCode.get()).toMatchObject({
        phase: 'refused',
        code: 'VIEUX',
        problem,
        isKept: false,
      })
      expect($total.get()).toBe(5_000)
      expect(storage.discount_code).toBeUndefined()
    },
  )

  test.each(['!', 'AB', 'رمز', 'A'.repeat(21)])(
    'and cannot be one (%s) is asked nobody',
    async (typed) => {
      const { shop, apply, $cartCode } = await openCheckout([1])
      await apply(typed)
      expect($cartCode.get()).toMatchObject({ problem: { code: 'code_unknown' }, isKept: false })
      expect(quotes(shop)).toBe(0)
    },
  )

  test('takes the place of another, and can be taken away', async () => {
    const shop = aShop()
    shop.codes.set('MOITIE', { percent: 50 })
    const { apply, takeCodeAway, $total, $cartCode } = await openCheckout([1], shop)
    await apply('ETE-2026')
    await apply('MOITIE')
    expect($total.get()).toBe(2_500)
    takeCodeAway()
    expect([$total.get(), $cartCode.get()]).toEqual([5_000, { phase: 'none' }])
    expect(storage.discount_code).toBeUndefined()
  })

  test('is asked about again where the shop did not answer; until then nothing is taken off', async () => {
    const shop = aShop()
    shop.fault = ({ path }) => (path.startsWith('/codes') ? 'network' : undefined)
    const { apply, askAgain, $cartCode, $total } = await openCheckout([1], shop)
    await apply('ETE-2026')
    expect($cartCode.get()).toMatchObject({
      phase: 'refused',
      problem: { code: 'network' },
      isKept: true,
    })
    expect($total.get()).toBe(5_000)
    shop.fault = () => undefined
    await askAgain()
    expect($total.get()).toBe(4_000)
  })
})

describe('a code that is kept', () => {
  test('is applied by itself, also after a log-in', async () => {
    storage.discount_code = 'ete-2026'
    storage.static_cart = JSON.stringify({ items: [{ documentId: 1, title: 'x', price: 5 }] })
    const visitor = await openPage(aShop())
    onTestFinished(visitor.code.followCode())
    expect(visitor.code.$cartCode.get()).toEqual({ phase: 'waiting', code: 'ETE-2026' })
    const { $total, shop } = await openCheckout([1])
    expect($total.get()).toBe(4_000)
    expect(quotes(shop)).toBeGreaterThan(0)
  })

  test.each([
    'code_not_for_these',
    'code_below_least',
    'code_needs_contact',
    'too_many_codes',
  ] as const)('stays after %s, and the cart can be paid without it', async (refused) => {
    const shop = aShop()
    storage.discount_code = 'ETE-2026'
    shop.codes.set('ETE-2026', { percent: 20, refused })
    const { pay, $cartCode } = await openCheckout([1], shop)
    expect($cartCode.get()).toMatchObject({
      phase: 'refused',
      problem: { code: refused },
      isKept: true,
    })
    await pay()
    expect(bodies(shop, 'POST /wallet/orders')[0]).toMatchObject({ total: 5 })
    expect(bodies(shop, 'POST /wallet/orders')[0]).not.toHaveProperty('code')
    expect(storage.discount_code).toBe('ETE-2026')
  })

  test('is asked about again when the cart, what is owned or what is ordered changes', async () => {
    storage.discount_code = 'PROF'
    const shop = aShop()
    shop.codes.set('PROF', { percent: 20, ids: [2] })
    const { page, answered, $total, $cartCode } = await openCheckout([1, 2, 3], shop)
    expect($total.get()).toBe(14_000)
    page.cart.removeFromCart(1)
    await answered()
    expect($total.get()).toBe(9_000)
    shop.owned.push(3)
    await page.owned.loadOwned()
    await answered()
    expect($total.get()).toBe(4_000)
    page.ordered.rememberOrdered(1, [2])
    await answered()
    // Nothing is left to pay: there is no question.
    expect([$total.get(), $cartCode.get()]).toEqual([0, { phase: 'none' }])
    expect(storage.discount_code).toBe('PROF')
  })

  test('is not paid with while it is asked about', async () => {
    const { shop, page, apply, answered, $canPay, $cartCode } = await openCheckout([1, 2])
    await apply('ETE-2026')
    const { promise, resolve } = Promise.withResolvers<void>()
    shop.delay = ({ path }) => (path.startsWith('/codes') ? promise : undefined)
    page.cart.removeFromCart(2)
    expect([$cartCode.get().phase, $canPay.get()]).toEqual(['asking', false])
    resolve()
    await answered()
    expect($canPay.get()).toBe(true)
  })

  test('goes with a log-out, like the cart of this browser, but not with an expired session', async () => {
    storage.discount_code = 'ETE-2026'
    const { page } = await openCheckout([1])
    storage.token = ''
    const later = await openPage(aShop())
    expect(later.code.$cartCode.get()).toMatchObject({ code: 'ETE-2026' })
    storage.token = aToken()
    const again = await openPage(aShop())
    await again.session.logOut()
    expect(storage.discount_code).toBeUndefined()
    expect(page.code.$cartCode.get()).toBeDefined()
  })
})

describe('prices that have changed', () => {
  test('are asked about again with the code, and confirmed again', async () => {
    storage.discount_code = 'ETE-2026'
    const { shop, pay, confirmPurchase, $isAsking, $seenBefore, $total } = await openCheckout([1])
    shop.price = 10
    await pay()
    expect([$isAsking.get(), $seenBefore.get()?.total, $total.get()]).toEqual([true, 4_000, 8_000])
    await confirmPurchase(WAY)
    expect(shop.balance).toBe(52)
  })

  test('because the code has ended: it is dropped, which is said, and nothing was paid', async () => {
    storage.discount_code = 'ETE-2026'
    const { shop, pay, confirmPurchase, $isAsking, $seenBefore, $total, $cartCode } =
      await openCheckout([1])
    shop.codes.set('ETE-2026', { percent: 20, refused: 'code_ended' })
    await pay()
    expect(shop.charges).toBe(0)
    expect([$isAsking.get(), $seenBefore.get()?.total, $total.get()]).toEqual([true, 4_000, 5_000])
    const problem = { code: 'code_ended' }
    expect($cartCode.get()).toMatchObject({ phase: 'refused', problem, isKept: false })
    await confirmPurchase(WAY)
    expect(shop.balance).toBe(55)
    expect(bodies(shop, 'POST /wallet/orders')[1]).not.toHaveProperty('code')
  })
})

describe('intents', () => {
  test('differ by the code at the same total; the same code repeats its own', async () => {
    const shop = aShop()
    shop.codes.set('AUTRE', { percent: 20 })
    const { apply, pay } = await openCheckout([1], shop)
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'network' : undefined)
    await apply('ETE-2026')
    await pay()
    await pay()
    await apply('AUTRE')
    await pay()
    const [first, second, third] = keysOf(shop)
    expect(first).toBe(second)
    expect(third).not.toBe(first)
  })

  test('of orders too', async () => {
    const shop = aShop()
    shop.codes.set('AUTRE', { percent: 20 })
    const { apply, pay } = await openCheckout([1], shop, 'd17')
    shop.fault = ({ path }) => (path.startsWith('/orderss') ? 'gateway_unavailable' : undefined)
    await apply('ETE-2026')
    await pay()
    await pay()
    await apply('AUTRE')
    await pay()
    expect(shop.orders).toHaveLength(2)
  })

  test('whose answer was lost have used the code', async () => {
    const shop = aShop()
    const { apply, pay } = await openCheckout([1], shop)
    shop.fault = ({ path }) => (path.includes('create-and-pay') ? 'lost' : undefined)
    await apply('ETE-2026')
    await pay()
    expect(storage.discount_code).toBe('ETE-2026')
    shop.fault = () => undefined
    const page = await openPage(shop)
    await page.purchase.settleOpenIntent()
    expect(page.purchase.$purchase.get()).toMatchObject({ phase: 'done' })
    expect(storage.discount_code).toBeUndefined()
  })
})

describe('one document', () => {
  const ITEM = { documentId: 3, title: 'x', price: 5_000 }

  async function openDetails(shop = aShop()) {
    storage.token ??= aToken()
    const page = await openPage(shop)
    await page.wallet.loadBalance()
    return { shop, ...page.directPurchase }
  }

  test('is bought with the kept code, at the price with it', async () => {
    storage.discount_code = 'ETE-2026'
    const { shop, withCode, buyFromWallet } = await openDetails()
    const wanted = await withCode(ITEM)
    expect(wanted).toEqual({ ...ITEM, price: 4_000, before: 5_000, code: 'ETE-2026' })
    await buyFromWallet(wanted)
    expect(shop.balance).toBe(56)
    expect(storage.discount_code).toBeUndefined()
  })

  test('directly too', async () => {
    storage.discount_code = 'ETE-2026'
    const shop = aShop()
    shop.price = 20
    const { withCode, payDirectly } = await openDetails(shop)
    const way = { method: 'card', locale: 'ar', origins: ['http://shop.example'] } as const
    await payDirectly(await withCode({ ...ITEM, price: 20_000 }), way)
    expect(shop.started).toMatchObject([{ amount: 16, code: 'ETE-2026' }])
  })

  test('costs what it costs where the code is not for it, or nothing is kept', async () => {
    const { shop, withCode } = await openDetails()
    expect(await withCode(ITEM)).toEqual(ITEM)
    expect(quotes(shop)).toBe(0)
    storage.discount_code = 'PROF'
    const other = await openDetails()
    other.shop.codes.set('PROF', { percent: 20, ids: [4] })
    expect(await other.withCode(ITEM)).toEqual(ITEM)
  })

  test('is not bought with a code that has ended meanwhile before the new price was shown', async () => {
    storage.discount_code = 'ETE-2026'
    const { shop, withCode, buyFromWallet, $directPurchase } = await openDetails()
    const wanted = await withCode(ITEM)
    shop.codes.set('ETE-2026', { percent: 20, refused: 'code_ended' })
    await buyFromWallet(wanted)
    expect($directPurchase.get()).toMatchObject({
      failure: 'price_changed',
      change: { item: { price: 5_000 }, seen: 4_000 },
    })
    await expect(withCode(ITEM)).rejects.toMatchObject({ code: 'code_ended' })
    expect(shop.charges).toBe(0)
  })
})

test('a backend without codes is asked nothing, and nothing of a code is shown', async () => {
  storage.discount_code = 'ETE-2026'
  vi.stubGlobal('document', {
    documentElement: { dataset: { lacks: 'bundles codes' } },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { shop, $cartCode } = await openCheckout([1])
  expect($cartCode.get()).toEqual({ phase: 'none' })
  expect(quotes(shop)).toBe(0)
})
