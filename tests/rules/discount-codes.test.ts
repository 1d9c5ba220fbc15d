import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUNDLE_PRICE_MIN } from '../../src/rules/bundles.ts'
import { isCode, readCode } from '../../src/rules/code-text.ts'
import { codePrices, type Reduction } from '../../src/rules/discount-codes.ts'
import { dinars, type Millimes } from '../../src/rules/money.ts'

const percent = (of: number, atMost: Millimes | null = null): Reduction => ({
  percent: of,
  atMost,
  amount: null,
})
const amount = (of: number): Reduction => ({ percent: null, atMost: null, amount: dinars(of) })
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0)

/** The prices of documents, in dinars; in `bundle`, those that are sold together. */
const priced = (single: readonly number[], bundle: readonly number[] = []) => [
  ...single.map((price) => ({ price: dinars(price) })),
  ...bundle.map((price) => ({ price: dinars(price), bundleId: 7 })),
]

describe('what documents cost with a code', () => {
  test.each([
    ['a percentage of each, rounded down to 10 millimes', [4.99, 10], percent(15), [4.24, 8.5]],
    ['nothing below 0.50', [0.6, 1], percent(20), [0, 0.8]],
    ['nothing by 100 %', [20, 0.5], percent(100), [0, 0]],
    ['a percentage, at most an amount: the dearest first', [10, 20], percent(50, 5000), [10, 15]],
    ['an amount less, off the dearest first', [5, 20], amount(10), [5, 10]],
    ['an amount less, from one to the next', [5, 8], amount(10), [3, 0]],
    ['nothing, where the amount is more than the price', [5], amount(10), [0]],
    ['0 as before, where they were free', [0, 4], percent(50), [0, 2]],
  ])('is %s', (_, prices, off, expected) => {
    expect(codePrices(priced(prices), off)).toEqual(expected.map(dinars))
  })

  test('is of a bundle its price with the code, shared as before', () => {
    // 8 dinars for both, 4.80 and 3.20; a share alone may be below 0.50.
    expect(codePrices(priced([], [4.8, 3.2]), percent(50))).toEqual([2.4, 1.6].map(dinars))
    expect(codePrices(priced([], [0.4, 0.4, 0.4]), percent(50))).toEqual(
      [0.2, 0.2, 0.2].map(dinars),
    )
    expect(codePrices(priced([], [0.4, 0.4]), percent(50))).toEqual([0, 0])
    expect(codePrices(priced([6], [4.8, 3.2]), amount(4))).toEqual([6, 2.4, 1.6].map(dinars))
  })

  const items = fc.array(
    fc.record({
      price: fc.integer({ min: 0, max: 5000 }).map((tens) => tens * 10),
      bundleId: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const sums = fc.integer({ min: 50, max: 5000 }).map((tens) => tens * 10)
  const reductions = fc.oneof(
    fc.record({
      percent: fc.integer({ min: 1, max: 100 }),
      atMost: fc.option(sums),
      amount: fc.constant(null),
    }),
    fc.record({ percent: fc.constant(null), atMost: fc.constant(null), amount: sums }),
  )

  test('never rises, is whole tens, and the code costs no more than it says, but what makes a price free', () => {
    fc.assert(
      fc.property(items, reductions, (before, off) => {
        const after = codePrices(before, off)
        for (const [at, price] of after.entries()) {
          expect(price).toBeLessThanOrEqual(before[at]?.price ?? 0)
          expect(price).toBeGreaterThanOrEqual(0)
          expect(price % 10).toBe(0)
        }
        const most = off.amount ?? off.atMost
        if (most === null) return
        const taken = sumOf(before.map(({ price }) => price)) - sumOf(after)
        expect(taken).toBeLessThan(most + BUNDLE_PRICE_MIN)
      }),
    )
  })

  test('of a document, or of a bundle together, is 0 or at least the lowest price, where the code lowered it', () => {
    fc.assert(
      fc.property(items, reductions, (before, off) => {
        const after = codePrices(before, off)
        const units = Map.groupBy(before.keys(), (at) => before[at]?.bundleId ?? `single ${at}`)
        for (const unit of units.values()) {
          const [was, is] = [before.map(({ price }) => price), after].map((prices) =>
            sumOf(unit.map((at) => prices[at] ?? 0)),
          ) as [number, number]
          expect(is === was || is === 0 || is >= BUNDLE_PRICE_MIN).toBe(true)
        }
      }),
    )
  })
})

test('a code is typed in any case, with spaces around it', () => {
  expect(readCode(' rentree-26 ')).toBe('RENTREE-26')
  expect(readCode('\u2068ete‑٢٦\u2069')).toBe('ETE-26')
  expect(['ABC', 'RENTREE-26', 'A'.repeat(20)].every(isCode)).toBe(true)
  expect(['AB', 'A'.repeat(21), 'A B', 'رمز', 'É12', ''].some(isCode)).toBe(false)
})
