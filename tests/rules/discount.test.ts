import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountPercent, finalPrice, isDiscounted, isFree } from '../../src/rules/discount.ts'
import { dinars } from '../../src/rules/money.ts'

const priced = fc.record({
  price: fc.integer({ min: 0, max: 1e6 }),
  priceDiscount: fc.option(fc.integer({ min: -10, max: 1e6 }), { nil: undefined }),
})

describe('a discount', () => {
  test.each([
    { price: 20, priceDiscount: 15, final: 15, percent: 25 },
    { price: 9, priceDiscount: 6, final: 6, percent: 33 },
    { price: 20, priceDiscount: 20, final: 20, percent: 0 },
    { price: 20, priceDiscount: 25, final: 20, percent: 0 },
    { price: 20, priceDiscount: 0, final: 20, percent: 0 },
    { price: 20, priceDiscount: -5, final: 20, percent: 0 },
    { price: 0, priceDiscount: 0, final: 0, percent: 0 },
  ])('of $priceDiscount on $price costs $final, saves $percent %', (given) => {
    const document = { price: dinars(given.price), priceDiscount: dinars(given.priceDiscount) }
    expect(finalPrice(document)).toBe(dinars(given.final))
    expect(discountPercent(document)).toBe(given.percent)
    expect(isDiscounted(document)).toBe(given.percent > 0)
  })

  test.each([null, undefined])('of %s does not apply', (priceDiscount) => {
    expect(finalPrice({ price: 100, priceDiscount })).toBe(100)
  })

  test('never raises a price, nor makes a document free', () => {
    fc.assert(
      fc.property(priced, (document) => {
        expect(finalPrice(document)).toBeLessThanOrEqual(document.price)
        expect(isFree(document)).toBe(document.price === 0)
        expect(isDiscounted(document)).toBe(finalPrice(document) < document.price)
      }),
    )
  })

  test('saves between 0 and 100 percent', () => {
    fc.assert(
      fc.property(priced, (document) => {
        expect(discountPercent(document)).toBeGreaterThanOrEqual(0)
        expect(discountPercent(document)).toBeLessThanOrEqual(100)
      }),
    )
  })
})
