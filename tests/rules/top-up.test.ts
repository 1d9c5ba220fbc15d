import { expect, test } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import { checkTopUp, presetFor } from '../../src/rules/payment-methods.ts'

test.each([
  [-1, 10],
  [0, 10],
  [10, 10],
  [10.01, 20],
  [20, 20],
  [55, 100],
  [200, 200],
])('%f missing preselects %f', (missing, preset) => {
  expect(presetFor(dinars(missing))).toBe(dinars(preset))
})

test('more than the largest preset preselects none', () => {
  expect(presetFor(dinars(200.01))).toBeNull()
})

test.each([
  [9.99, 'below_minimum'],
  [10, null],
  [2000, null],
  [2000.01, 'above_maximum'],
] as const)('a top-up of %f: %s', (amount, problem) => {
  expect(checkTopUp(dinars(amount))).toBe(problem)
})

test('anything but a number counts as below the minimum', () => {
  expect(checkTopUp(Number.NaN)).toBe('below_minimum')
})
