import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import {
  bandOf,
  isAudience,
  isLevel,
  PRICE_BANDS,
  parsePriceBand,
} from '../../src/rules/price-bands.ts'

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
  expect(bandOf(dinars(price))?.id).toBe(id)
})

test('the ids are read back, with an unencoded plus as well', () => {
  expect(PRICE_BANDS.map(({ id }) => parsePriceBand(id))).toEqual(PRICE_BANDS)
  expect(parsePriceBand('100 ')?.id).toBe('100+')
  expect(['', '100', '0-11', '10-25-', 'x'].map(parsePriceBand)).toEqual(Array(5).fill(null))
})

test('every price is in exactly one band', () => {
  fc.assert(
    fc.property(fc.nat(), (price) => {
      const holding = PRICE_BANDS.filter(
        ({ min, max }) => min <= price && price < (max ?? Number.POSITIVE_INFINITY),
      )
      expect(holding).toEqual([bandOf(price)])
    }),
  )
})

test('audiences and levels are known by their exact names', () => {
  expect(['Pour Élève', 'Pour Enseignant', 'pour élève', '', null].map(isAudience)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(['preparatoire', 'primary-school', 'Preparatoire', 3].map(isLevel)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
