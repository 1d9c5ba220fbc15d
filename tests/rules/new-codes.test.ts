import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCode } from '../../src/rules/code-text.ts'
import { mostCost, suggestedCode } from '../../src/rules/discount-codes.ts'
import { dinars } from '../../src/rules/money.ts'

describe('a suggested code', () => {
  test('is a code without signs that are taken for others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), (random) => {
        const code = suggestedCode(random)
        expect(isCode(code)).toBe(true)
        expect(code).toMatch(/^[A-Z2-9]{6}$/)
        expect(code).not.toMatch(/[01OI]/)
      }),
    )
  })

  test('has each sign as often as any other', () => {
    const all = suggestedCode(Uint8Array.from({ length: 256 }, (_, at) => at))
    const counts = Map.groupBy(all, (sign) => sign)
    expect([...counts.values()].every((same) => same.length === 8)).toBe(true)
  })
})

test('what a code costs at most is what it takes off an order, times its uses', () => {
  const amount = { percent: null, atMost: null, amount: dinars(5) }
  const percent = { percent: 20, atMost: dinars(3), amount: null }
  // It may make a price of 5.49 free.
  expect(mostCost(amount, 40)).toBe(dinars(219.6))
  expect(mostCost(percent, 10)).toBe(dinars(34.9))
  expect(mostCost(amount, null)).toBeNull()
  expect(mostCost({ ...percent, atMost: null }, 10)).toBeNull()
})
