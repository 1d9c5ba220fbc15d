import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import {
  balanceAfter,
  canPay,
  canPayDirectly,
  canPayFromWallet,
  isOffered,
  type PaymentMethod,
} from '../../src/rules/payment-methods.ts'

const amount = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths * 10)

describe('the ways to buy', () => {
  test.each([
    // price, balance, directly, from the wallet
    [0, 0, false, true],
    [9.99, 9.99, false, true],
    [9.99, 9.98, false, false],
    [9.99, 0, false, false],
    [10, 10, true, true],
    [10, 9.99, true, false],
    [60, 50.01, true, false],
  ])('price %f, balance %f', (price, balance, isDirect, isCovered) => {
    expect(canPayDirectly(dinars(price))).toBe(isDirect)
    expect(canPayFromWallet({ price: dinars(price), balance: dinars(balance) })).toBe(isCovered)
  })

  test('the wallet suffices exactly when the balance after is not negative', () => {
    fc.assert(
      fc.property(amount, amount, (price, balance) => {
        expect(canPayFromWallet({ price, balance })).toBe(balanceAfter({ price, balance }) >= 0)
      }),
    )
  })
})

describe('payment methods', () => {
  test('bank transfer is offered above 10 dinars, D17 always, card from 10 dinars', () => {
    const offered = (total: number) =>
      (['wallet', 'card', 'bank_transfer', 'd17'] as const).filter((method) =>
        isOffered(method, dinars(total)),
      )
    expect(offered(0)).toEqual(['wallet', 'd17'])
    expect(offered(10)).toEqual(['wallet', 'card', 'd17'])
    expect(offered(10.01)).toEqual(['wallet', 'card', 'bank_transfer', 'd17'])
  })

  test.each<[PaymentMethod | null, number, number, boolean]>([
    [null, 50, 5, false],
    ['wallet', 5, 5, true],
    ['wallet', 4.99, 5, false],
    ['wallet', 0, 0, true],
    ['d17', 0, 5, true],
    ['bank_transfer', 0, 10, false],
    ['bank_transfer', 0, 10.01, true],
    ['card', 0, 10, true],
    ['card', 0, 9.99, false],
  ])('%s with a balance of %f for %f: %s', (method, balance, total, expected) => {
    const state = { method, balance: dinars(balance), total: dinars(total) }
    expect(canPay({ ...state, loading: false })).toBe(expected)
    expect(canPay({ ...state, loading: true })).toBe(false)
  })
})
