import fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageRating, isStars, oneDecimal } from '../../src/rules/rating.ts'

test('a rating is a whole number of 1 to 5', () => {
  expect([1, 2, 3, 4, 5].every(isStars)).toBe(true)
  expect([0, 6, -1, 2.5, '3', null, undefined, Number.NaN, [3]].some(isStars)).toBe(false)
})

test.each([
  [[], 0],
  [[5], 5],
  [[4, 5], 4.5],
  [[4, 4, 5], 4.3],
  [[4, 5, 5], 4.7],
  [[4, 4, 4, 5], 4.3],
])('the average of %j is %f', (stars, expected) => {
  expect(averageRating(stars)).toBe(expected)
})

test('an average stays within its ratings and has one decimal', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (stars) => {
      const average = averageRating(stars)
      expect(average).toBeGreaterThanOrEqual(Math.min(...stars))
      expect(average).toBeLessThanOrEqual(Math.max(...stars))
      expect(oneDecimal(average)).toBe(average)
    }),
  )
})
