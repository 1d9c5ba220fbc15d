import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumOf } from '../../src/rules/bundles.ts'
import {
  addToCart,
  type Cart,
  cleanItem,
  emptyCart,
  has,
  readCart,
  savedCart,
} from '../../src/rules/cart.ts'
import { finalPrice } from '../../src/rules/discount.ts'
import { dinars } from '../../src/rules/money.ts'
import { lastItems, removeFromCart, withPrices } from '../../src/rules/opened-cart.ts'

const item = (documentId: number, price = dinars(1)) => ({
  documentId,
  title: `T${documentId}`,
  price,
})
const ids = (cart: Cart) => cart.items.map(({ documentId }) => documentId)
const totalOf = (cart: Cart) => sumOf(cart.items.map(finalPrice))
const amount = fc.integer({ min: -100, max: 200_000_000 }).map((hundredths) => hundredths * 10)
const someItems = fc.array(
  fc.record({
    documentId: fc.integer({ min: 1, max: 9 }),
    title: fc.string(),
    price: amount,
    priceDiscount: fc.option(amount, { nil: undefined }),
  }),
)
const someCart = someItems.map((items) =>
  items.reduce<Cart>((c, each) => addToCart(c, each), emptyCart),
)

describe('cleanItem', () => {
  test('keeps a usable price', () => {
    expect(cleanItem({ documentId: 1, price: dinars(7.5) }).price).toBe(dinars(7.5))
    for (const price of [0, -10, undefined, Number.NaN, dinars(1_000_001)]) {
      expect(cleanItem({ documentId: 1, price }).price).toBe(0)
    }
  })

  test.each([undefined, null, '', '  ', 5])('replaces a title of %j with the default', (title) => {
    expect(cleanItem({ documentId: 1, title, price: 1 }).title).toBe('Unknown Title')
  })

  test('keeps a cover only in a usable form, and leaves an old item without one unchanged', () => {
    const cover = { subject: 'mathematics', color: '#123456', picture: '/media/covers/a.webp' }
    expect(cleanItem({ ...item(1), ...cover })).toEqual({ ...item(1), ...cover })
    expect(cleanItem(item(1))).toEqual(item(1))
    for (const bad of ['', 5, null, 'A"><', 'url(x)', 'javascript:alert(1)']) {
      const made = cleanItem({ ...item(1), subject: bad, color: bad, picture: bad })
      expect(made, String(bad)).toEqual(item(1))
    }
    const long = `data:image/png;base64,${'A'.repeat(400)}`
    expect(cleanItem({ ...item(1), picture: long })).toEqual(item(1))
  })

  test('keeps a usable discount and drops any other', () => {
    const discounted = { ...item(1, 5000), priceDiscount: 3000 }
    expect(cleanItem(discounted)).toEqual(discounted)
    expect(cleanItem({ ...item(1, 5000), priceDiscount: -2000 })).toEqual(item(1, 5000))
    expect(cleanItem({ ...item(1, 5000), priceDiscount: null })).toEqual(item(1, 5000))
    expect('priceDiscount' in cleanItem(item(1))).toBe(false)
  })
})

describe('readCart', () => {
  test.each([null, undefined, 5, 'x', [], {}, { items: null }, { items: 'x' }, { items: {} }])(
    'reads %j as empty',
    (saved) => {
      expect(readCart(saved)).toEqual(emptyCart)
    },
  )

  test.each([
    [12.345, 12.35],
    ['7.5', 7.5],
    [0, 0],
    [-1, 0],
    [undefined, 0],
    [null, 0],
    ['abc', 0],
    ['', 0],
    [true, 0],
    [[5], 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [1e12, 0],
  ])('reads a saved price of %j as %f dinars', (price, expected) => {
    const { items } = readCart({ items: [{ documentId: 1, title: 'T1', price }] })
    expect(items).toEqual([item(1, dinars(expected))])
  })

  test('drops bad items, cleans the others, keeps the first of a duplicate document', () => {
    const saved = [
      null,
      'x',
      item(0),
      item(1.5),
      { ...item(1), documentId: '1' },
      item(2, 3),
      item(2, 9),
    ]
    expect(readCart({ items: [...saved, { documentId: 3 }] })).toEqual({
      items: [item(2, dinars(3)), { documentId: 3, title: 'Unknown Title', price: 0 }],
    })
  })

  test('reads any value, and reads back a saved cart unchanged', () => {
    const saved = fc.oneof(fc.anything(), fc.record({ items: fc.array(fc.anything()) }))
    fc.assert(
      fc.property(fc.oneof(saved, someCart), (value) => {
        const cart = readCart(value)
        expect(readCart(JSON.parse(JSON.stringify(savedCart(cart))))).toEqual(cart)
        expect(totalOf(cart)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('a cart', () => {
  test('contains a document once, and is the same object after adding it again', () => {
    const cart = addToCart(emptyCart, item(1))
    expect(addToCart(cart, item(1, 99))).toBe(cart)
    expect(removeFromCart(cart, 2)).toBe(cart)
    expect(removeFromCart(cart, 1)).toEqual(emptyCart)
    expect(emptyCart.items).toEqual([])
  })

  test('adds up final prices in whole millimes', () => {
    const cart = {
      items: [item(1, 100), item(2, 200), { ...item(3, 10_000), priceDiscount: 7500 }],
    }
    expect(totalOf(cart)).toBe(dinars(7.8))
    expect(totalOf(emptyCart)).toBe(0)
  })

  test('returns the last items', () => {
    const cart = { items: [item(1), item(2), item(3), item(4)] }
    expect(lastItems(cart, 3)).toEqual([item(2), item(3), item(4)])
    expect(lastItems(cart)).toEqual(lastItems(cart, 3))
    expect(lastItems(cart, 0)).toEqual([])
    expect(lastItems({ items: [item(1)] }, 3)).toEqual([item(1)])
  })

  test('never contains duplicates, nor removed items', () => {
    fc.assert(
      fc.property(someCart, fc.integer({ min: 1, max: 9 }), (cart, id) => {
        expect(new Set(ids(cart)).size).toBe(cart.items.length)
        expect(has(addToCart(cart, item(id)), id)).toBe(true)
        expect(ids(removeFromCart(cart, id))).toEqual(ids(cart).filter((each) => each !== id))
      }),
    )
  })
})

describe('withPrices', () => {
  const pricesOf = (items: readonly ReturnType<typeof item>[]) =>
    items.map(({ documentId: id, ...priced }) => ({ id, ...priced }))

  test('sets and ends discounts, and knows no documents that are not in the cart', () => {
    const cart = [item(1), { ...item(2, dinars(9)), priceDiscount: dinars(8) }].reduce<Cart>(
      addToCart,
      emptyCart,
    )
    const now = [
      { id: 1, price: dinars(5), priceDiscount: dinars(4) },
      { id: 2, price: dinars(9), priceDiscount: null },
      { id: 3, price: dinars(1), priceDiscount: null },
    ]
    expect(withPrices(cart, now).items).toEqual([
      { ...item(1, dinars(5)), priceDiscount: dinars(4) },
      item(2, dinars(9)),
    ])
    expect(totalOf(withPrices(cart, now))).toBe(dinars(13))
  })

  test('is the same cart where nothing changes; else it has these prices, and is stable', () => {
    fc.assert(
      fc.property(someCart, someCart, (cart, other) => {
        expect(withPrices(cart, pricesOf(cart.items))).toBe(cart)
        expect(withPrices(cart, [])).toBe(cart)
        const prices = pricesOf(other.items)
        const repriced = withPrices(cart, prices)
        expect(ids(repriced)).toEqual(ids(cart))
        expect(withPrices(repriced, prices)).toBe(repriced)
        for (const { documentId, price, priceDiscount } of repriced.items) {
          const now = [...other.items, ...cart.items].find((one) => one.documentId === documentId)
          expect([price, priceDiscount]).toEqual([now?.price, now?.priceDiscount])
        }
      }),
    )
  })
})
