import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import { canPay, offeredMethods, type PaymentMethod } from '../../src/rules/payment-methods.ts'
import {
  balanceAfter,
  canPayDirectly,
  canPayFromWallet,
  purchaseOptions,
} from '../../src/rules/purchase-options.ts'

const amount = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths * 10)

describe('purchaseOptions', () => {
  test.each([
    // price, balance, must use wallet, top-up needed, reason
    [0, 0, true, 0, 'wallet_only'],
    [9.99, 9.99, true, 0, 'wallet_only'],
    [9.99, 9.98, true, 10, 'top_up_required'],
    [9.99, 0, true, 10, 'top_up_required'],
    [10, 10, false, 0, 'wallet_or_direct'],
    [10, 9.99, false, 10, 'direct_or_top_up'],
    [10.01, 0, false, 10.01, 'direct_or_top_up'],
    [60, 5, false, 55, 'direct_or_top_up'],
    [60, 50.01, false, 10, 'direct_or_top_up'],
  ])('price %f, balance %f', (price, balance, mustUseWallet, missing, reason) => {
    expect(purchaseOptions({ price: dinars(price), balance: dinars(balance) })).toEqual({
      mustUseWallet,
      canPayDirectly: !mustUseWallet,
      needsRecharge: missing > 0,
      minimumRechargeRequired: dinars(missing),
      reason,
    })
  })

  test('agrees with the guards, and its top-up is always enough', () => {
    fc.assert(
      fc.property(amount, amount, (price, balance) => {
        const options = purchaseOptions({ price, balance })
        expect(options.mustUseWallet).toBe(!canPayDirectly(price))
        expect(options.needsRecharge).toBe(!canPayFromWallet({ price, balance }))
        expect(options.needsRecharge).toBe(balanceAfter({ price, balance }) < 0)
        const toppedUp = balance + options.minimumRechargeRequired
        expect(canPayFromWallet({ price, balance: toppedUp })).toBe(true)
        expect(options.minimumRechargeRequired === 0 || toppedUp >= dinars(10)).toBe(true)
      }),
    )
  })
})

describe('payment methods', () => {
  test('bank transfer is offered above 10 dinars, D17 always, card never at the checkout', () => {
    expect(offeredMethods(dinars(10))).toEqual(['wallet', 'd17'])
    expect(offeredMethods(dinars(10.01))).toEqual(['wallet', 'bank_transfer', 'd17'])
    expect(offeredMethods(0)).toEqual(['wallet', 'd17'])
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
