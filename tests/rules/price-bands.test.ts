import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import { PRICE_BANDS, parsePriceBand } from '../../src/rules/price-bands.ts'

const bandsOf = (price: number) =>
  PRICE_BANDS.filter(({ min, max }) => min <= price && (max === null || price < max))

test.each([
  [0, '0-10'],
  [9.99, '0-10'],
  [10, '10-25'],
  [24.99, '10-25'],
  [25, '25-50'],
  [50, '50-100'],
  [99.99, '50-100'],
  [100, '100+'],
  [5000, '100+'],
])('%f is in %s', (price, id) => {
  expect(bandsOf(dinars(price)).map((band) => band.id)).toEqual([id])
})

test('the ids are parsed, also with an unencoded plus', () => {
  expect(PRICE_BANDS.map(({ id }) => parsePriceBand(id))).toEqual(PRICE_BANDS)
  expect(parsePriceBand('100 ')?.id).toBe('100+')
  expect(['', '100', '0-11', '10-25-', 'x'].map(parsePriceBand)).toEqual(Array(5).fill(null))
})

test('every price is in exactly one band', () => {
  fc.assert(
    fc.property(fc.nat(), (price) => {
      expect(bandsOf(price)).toHaveLength(1)
    }),
  )
})
