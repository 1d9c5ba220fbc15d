import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUNDLE_PRICE_MIN, isBundlePrice, restPrices, sharesOf } from '../../src/rules/bundles.ts'
import { byBundle } from '../../src/rules/by-bundle.ts'
import { addToCart, type CartItem, cleanItem, readCart, savedCart } from '../../src/rules/cart.ts'
import { finalPrice } from '../../src/rules/discount.ts'
import { dinars } from '../../src/rules/money.ts'
import { atBundlePrices, withPrices } from '../../src/rules/opened-cart.ts'

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0)

/** Prices of documents, and a price at which they may be sold together. */
const aBundle = fc
  .array(fc.integer({ min: 50, max: 50_000 }), { minLength: 2, maxLength: 10 })
  .chain((tens) =>
    fc.record({
      prices: fc.constant(tens.map((each) => each * 10)),
      price: fc.integer({ min: 50, max: sumOf(tens) - 1 }).map((each) => each * 10),
    }),
  )

describe('the shares of a bundle', () => {
  test.each([
    ['in proportion to the prices', 8, [6, 4], [4.8, 3.2]],
    [
      'rounded to 10 millimes, the rest to the one that lost most',
      10,
      [1, 2, 9],
      [0.83, 1.67, 7.5],
    ],
    ['of equal prices, the rest to the first', 1, [0.5, 0.5, 0.5], [0.34, 0.33, 0.33]],
  ])('are %s', (_, price, prices, shares) => {
    expect(sharesOf(dinars(price), prices.map(dinars))).toEqual(shares.map(dinars))
  })

  test('sum to its price, none is above its own price, and none differs by 10 millimes from its part', () => {
    fc.assert(
      fc.property(aBundle, ({ price, prices }) => {
        const shares = sharesOf(price, prices)
        expect(isBundlePrice(price, prices)).toBe(true)
        expect(sumOf(shares)).toBe(price)
        for (const [at, share] of shares.entries()) {
          const own = prices[at] ?? 0
          expect(share % 10).toBe(0)
          expect(share).toBeLessThanOrEqual(own)
          expect(Math.abs(share - (price * own) / sumOf(prices))).toBeLessThan(10)
        }
      }),
    )
  })
})

describe('what is left of a bundle', () => {
  test('is its price without the shares of what one owns, never more than singly, and free below 0.50', () => {
    fc.assert(
      fc.property(
        aBundle,
        fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
        (bundle, owned) => {
          const { price, prices } = bundle
          const shares = sharesOf(price, prices)
          const lacks = (_: number, at: number) => !owned[at]
          const pays = restPrices(shares.filter(lacks))
          const left = price - sumOf(shares.filter((_, at) => owned[at]))
          expect(sumOf(pays)).toBe(left < BUNDLE_PRICE_MIN ? 0 : left)
          expect(sumOf(pays)).toBeLessThanOrEqual(sumOf(prices.filter(lacks)))
        },
      ),
    )
  })

  test.each([
    [
      [dinars(0.3), dinars(0.19)],
      [0, 0],
    ],
    [
      [dinars(0.3), dinars(0.2)],
      [dinars(0.3), dinars(0.2)],
    ],
    [[], []],
  ])('of %j is %j', (shares, pays) => {
    expect(restPrices(shares)).toEqual(pays)
  })
})

test('items of an order are listed singly first, then by bundle, each once and in their order', () => {
  const item = fc.record({
    documentId: fc.nat(),
    bundleId: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const groups = byBundle(items)
      const ids = groups.map(({ bundleId }) => bundleId)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.indexOf(null)).toBeLessThanOrEqual(0)
      for (const { bundleId, items: listed } of groups) {
        expect(listed).toEqual(items.filter((each) => each.bundleId === bundleId))
      }
      expect(groups.flatMap((group) => group.items)).toHaveLength(items.length)
    }),
  )
})

test('a bundle costs 0.50 or more and less than singly, and nothing in it is free', () => {
  const [five, three] = [dinars(5), dinars(3)]
  expect(isBundlePrice(dinars(7.99), [five, three])).toBe(true)
  expect(isBundlePrice(dinars(8), [five, three])).toBe(false)
  expect(isBundlePrice(dinars(0.49), [five, three])).toBe(false)
  expect(isBundlePrice(dinars(4), [five, 0])).toBe(false)
})

describe('a bundle in the cart', () => {
  const part = (share: number) => ({ id: 1, share, documentIds: [1, 2] })
  const item = (documentId: number, price: number, share?: number) =>
    cleanItem({
      documentId,
      title: 'x',
      price: dinars(price),
      ...(share !== undefined && { bundle: part(dinars(share)) }),
    })
  const both = [item(1, 6, 4.8), item(2, 4, 3.2)]
  const NOBODY = new Set<number>()
  const pays = (items: readonly CartItem[], owned: ReadonlySet<number>) =>
    atBundlePrices(items, owned).map(finalPrice)

  test('counts if each of its documents is to pay or owned', () => {
    expect(pays(both, NOBODY)).toEqual([dinars(4.8), dinars(3.2)])
    expect(pays([item(2, 4, 3.2)], new Set([1]))).toEqual([dinars(3.2)])
    expect(pays([item(2, 4, 3.2)], NOBODY)).toEqual([dinars(4)])
    expect(pays([item(1, 6), item(2, 4, 3.2)], NOBODY)).toEqual([dinars(6), dinars(4)])
    expect(pays([item(2, 4, 0.4)], new Set([1]))).toEqual([0])
  })

  test('is taken on by a document that is there already, and survives its saved form', () => {
    const cart = both.reduce(addToCart, { items: [item(1, 6)] })
    expect(cart.items).toEqual(both)
    expect(addToCart(cart, item(1, 6))).toBe(cart)
    expect(readCart(JSON.parse(JSON.stringify(savedCart(cart))))).toEqual(cart)
    expect(cleanItem({ documentId: 1, bundle: { id: 1, share: 'x' } }).bundle).toBeUndefined()
  })

  test('changes and ends with the prices that the server says', () => {
    const now = (share?: number) =>
      both.map(({ documentId: id, price }) => ({
        id,
        price,
        ...(share && { bundle: part(dinars(share)) }),
      }))
    expect(withPrices({ items: both }, now(2)).items[0]?.bundle?.share).toBe(dinars(2))
    expect(withPrices({ items: both }, now()).items.map(({ bundle }) => bundle)).toEqual([
      undefined,
      undefined,
    ])
  })
})
