import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRating } from '../../src/i18n/format.ts'
import { averageOf, isStars } from '../../src/rules/rating.ts'

test('a rating is a whole number from 1 to 5', () => {
  expect([1, 2, 3, 4, 5].every(isStars)).toBe(true)
  expect([0, 6, -1, 2.5, '3', null, undefined, Number.NaN, [3]].some(isStars)).toBe(false)
})

test.each([
  [[], 0, '0.0'],
  [[5], 5, '5.0'],
  [[4, 5], 4.5, '4.5'],
  [[4, 4, 5], 4.33, '4.3'],
  [[4, 5, 5], 4.67, '4.7'],
  [[4, 4, 4, 5], 4.25, '4.3'],
])('the average of %j is %f, shown as %s', (stars, average, shown) => {
  expect(averageOf(sumOf(stars), stars.length)).toBe(average)
  expect(formatRating('en', average)).toBe(shown)
})

test('an average stays within the range of its ratings', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (stars) => {
      const average = averageOf(sumOf(stars), stars.length)
      expect(average).toBeGreaterThanOrEqual(Math.min(...stars))
      expect(average).toBeLessThanOrEqual(Math.max(...stars))
    }),
  )
})

function sumOf(stars: readonly number[]): number {
  return stars.reduce((sum, each) => sum + each, 0)
}
