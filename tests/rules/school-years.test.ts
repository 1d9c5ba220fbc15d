import { expect, test } from 'vitest'
import { firstYear } from '../../src/rules/papers.ts'

test.each([
  ['2024', 2024],
  ['2024/25', 2024],
  ['2024-2025', 2024],
  ['24/25', 2024],
  ['24-25', 2024],
  ['99-00', 2099],
  ['24-26', Number.NaN],
  ['2024/26', Number.NaN],
  ['24', Number.NaN],
  ['1/2', Number.NaN],
])('the school year %s begins in %d', (typed, year) => {
  expect(firstYear(typed)).toBe(year)
})
