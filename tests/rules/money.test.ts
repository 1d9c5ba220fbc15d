import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dinars, formatAmount, inDinars } from '../../src/rules/money.ts'
import { amountProblem, parseDinars } from '../../src/rules/typed-numbers.ts'

/** Amounts of at most nine digits of dinars, the most that an input accepts. */
const typed = fc.integer({ min: 0, max: 99_999_999_999 }).map((n) => n * 10)
const millimes = fc.integer({ min: 0, max: 1e11 }).map((hundredths) => hundredths * 10)

describe('dinars', () => {
  test.each([
    [12.5, 12_500],
    [0.1 + 0.2, 300],
    [1.005, 1010],
    [8.165, 8170],
    [0.004, 0],
    [-1.005, -1010],
    [-0.001, 0],
    [-0, 0],
  ])('%f is %i millimes', (amount, expected) => {
    expect(dinars(amount)).toBe(expected)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300])(
    'refuses %f',
    (amount) => {
      expect(() => dinars(amount)).toThrow(RangeError)
    },
  )

  test('round-trips through dinars', () => {
    fc.assert(fc.property(millimes, (amount) => dinars(inDinars(amount)) === amount))
  })

  test('is a multiple of 10, at most half a hundredth away', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (amount) => {
        expect(Math.abs(dinars(amount) % 10)).toBe(0)
        expect(Math.abs(dinars(amount) - amount * 1000)).toBeLessThanOrEqual(5.000001)
      }),
    )
  })
})

describe('parseDinars', () => {
  test.each([
    ['12.5', 12.5],
    ['12,50', 12.5],
    [' 12 ', 12],
    ['١٢٫٥', 12.5],
    ['١٢،٥', 12.5],
    ['۱۲.۵۰', 12.5],
    ['\u200f٢٠\u200f', 20],
    ['.5', 0.5],
    ['5.', 5],
    ['0', 0],
    ['007', 7],
    // With three decimals, as Tunisians write them; the comma is never one of thousands.
    ['7,500', 7.5],
    ['12.500', 12.5],
    ['1,500', 1.5],
    ['٣٠٫٠٠٠', 30],
    ['12.340', 12.34],
    // With thousands in groups, and as the shop itself and banks show it.
    ['1 500,000', 1500],
    ['2\u202f000', 2000],
    ['\u2068\u200f2\u00a0000,50\u00a0DT\u2069', 2000.5],
    ['١٬٥٠٠', 1500],
    ['30.000 د.ت', 30],
    ['TND 12.5', 12.5],
    ['12,5 dinars', 12.5],
    ['12 دينارًا', 12],
    ['１２．５', 12.5],
  ])('reads %j', (text, expected) => {
    expect(parseDinars(text)).toBe(expected)
  })

  test.each([
    '',
    ' ',
    '.',
    ',',
    '1.234',
    '7,5000',
    '1,234.50',
    '1.500.000',
    '1 50',
    '10 00',
    'DT',
    '12 millimes',
    '-1',
    '+1',
    '1e3',
    '0x10',
    'abc',
    '∞',
  ])('refuses %j', (text) => {
    expect(parseDinars(text)).toBeNull()
  })

  test.each([
    ['7,505', 'thirdDecimal'],
    ['12.501', 'thirdDecimal'],
    ['٧٫٥٠٥', 'thirdDecimal'],
    ['1 500,001 DT', 'thirdDecimal'],
    ['7,5000', 'pattern'],
    ['1,234.505', 'pattern'],
    ['abc', 'pattern'],
  ])('says why %j is none: %s', (text, problem) => {
    expect(parseDinars(text)).toBeNull()
    expect(amountProblem(text)).toBe(problem)
  })

  test('reads every amount that is written', () => {
    fc.assert(
      fc.property(typed, fc.constantFrom('.' as const, ',' as const), (amount, decimal) => {
        expect(parseDinars(formatAmount(amount, decimal))).toBe(inDinars(amount))
        expect(parseDinars(`${formatAmount(amount, decimal)}0`)).toBe(inDinars(amount))
      }),
    )
  })

  test('reads any text as an amount with 2 decimals or as none', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'019٠٩۵.,٫ -e') }), (text) => {
        const amount = parseDinars(text)
        expect(amount === null || inDinars(dinars(amount)) === amount).toBe(true)
      }),
    )
  })
})

test.each([
  [12_500, '.', '12.50'],
  [12_500, ',', '12,50'],
  [0, '.', '0.00'],
  [10, '.', '0.01'],
  [1_234_560, ',', '1234,56'],
  [-3_500, '.', '-3.50'],
] as const)('formatAmount(%i, %j) is %j', (amount, decimal, expected) => {
  expect(formatAmount(amount, decimal)).toBe(expected)
})
