import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relativeTime } from '../../src/i18n/relative.ts'

const now = Date.UTC(2026, 2, 5)
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [0, { kind: 'now' }],
  [-hour, { kind: 'now' }],
  [minute - 1, { kind: 'now' }],
  [minute, { kind: 'minutes', count: 1 }],
  [hour - 1, { kind: 'minutes', count: 59 }],
  [hour, { kind: 'hours', count: 1 }],
  [day - 1, { kind: 'hours', count: 23 }],
  [day, { kind: 'days', count: 1 }],
  [7 * day - 1, { kind: 'days', count: 6 }],
  [7 * day, { kind: 'date' }],
])('%i ms ago is %j', (age, expected) => {
  expect(relativeTime(now - age, now)).toEqual(expected)
})

test.each([null, undefined, Number.NaN])('%s is now', (then) => {
  expect(relativeTime(then, now)).toEqual({ kind: 'now' })
})

test('no count is 0 or reaches the next unit', () => {
  const limits = { minutes: 60, hours: 24, days: 7 }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8 * day }), (age) => {
      const formatted = relativeTime(now - age, now)
      if (!('count' in formatted)) return
      expect(formatted.count).toBeGreaterThan(0)
      expect(formatted.count).toBeLessThan(limits[formatted.kind])
    }),
  )
})
