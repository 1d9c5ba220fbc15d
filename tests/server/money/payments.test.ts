import { describe, expect } from 'vitest'
import { getOrder, getPayment, getTransfer } from '../../../src/contract/orders.ts'
import { createAndPay, initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { choose, initiate, order, owns, returnToShop } from '../../support/card-payments.ts'
import type { Person } from '../../support/factories.ts'
import { expectSoundLedger } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'

describe('an order', () => {
  test('is refused for owned documents, with their titles, and for those not for sale', async ({
    app,
  }) => {
    const buyer = await app.aCustomer({ balance: dinars(10) })
    const owned = await app.aDocument({ price: dinars(5), title: 'Mine' })
    const hidden = await app.aDocument({ isPublished: false })
    const body = { userId: buyer.id, documentIds: [owned.id] }
    await app.call(createAndPay, { as: buyer, key: 'k', body })
    await expectRefused(order(app, buyer, [owned.id]), 409, 'already_owned', { titles: ['Mine'] })
    await expectRefused(order(app, buyer, [hidden.id]), 404)
  })

  test('of free documents is granted at once', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: 0 })
    const { id } = await order(app, buyer, [document.id])
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectRefused(initiate(app, buyer, id, 'd17'), 409, 'order_closed')
  })

  test('is the same for a repeated key, and nobody else’s', async ({ app }) => {
    const buyer = await app.aCustomer()
    const other = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const first = await order(app, buyer, [document.id], 'same')
    expect(await order(app, buyer, [document.id], 'same')).toEqual(first)
    for (const ask of [
      () => app.call(getOrder, { as: other, params: { id: first.id } }),
      () => initiate(app, other, first.id),
    ]) {
      await expectRefused(ask(), 404, 'order_not_found')
    }
    const { paymentRef } = await initiate(app, buyer, first.id)
    await expectRefused(
      app.call(getPayment, { as: other, query: { paymentRef } }),
      404,
      'payment_not_found',
    )
  })

  test('offers no transfer up to 10 dinars and no card below', async ({ app }) => {
    const buyer = await app.aCustomer()
    const [ten, less] = [
      await app.aDocument({ price: dinars(10) }),
      await app.aDocument({ price: dinars(9.99) }),
    ]
    const first = await order(app, buyer, [ten.id])
    const second = await order(app, buyer, [less.id])
    await expectRefused(initiate(app, buyer, first.id, 'bank_transfer'), 409, 'method_not_offered')
    await expectRefused(initiate(app, buyer, second.id, 'card'), 409, 'method_not_offered')
    await initiate(app, buyer, second.id, 'd17')
  })
})

describe('a bank transfer', () => {
  test('shows where to send what, and waits for the operator', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentUrl, paymentRef } = await initiate(app, buyer, id, 'bank_transfer')
    expect(paymentUrl).toBe(`${app.deps.config.siteUrl}/payment/transfer/${paymentRef}`)
    const shown = await app.call(getTransfer, { query: { paymentRef } })
    expect(shown).toMatchObject({ amount: 20, state: 'pending', orderId: id, paymentUrl })
    await confirmManual(app.deps, paymentRef)
    expect(await owns(app, buyer)).toEqual([document.id])
    await expect(confirmManual(app.deps, paymentRef)).rejects.toMatchObject({
      message: expect.stringMatching(/was confirmed before/),
    })
    await expectSoundLedger(app)
  })

  test('that is refused cancels the order, and money that arrives later still counts', async ({
    app,
  }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentRef } = await initiate(app, buyer, id, 'd17')
    await refuseManual(app.deps, paymentRef)
    expect((await app.call(getOrder, { as: buyer, params: { id } })).status).toBe('cancelled')
    await confirmManual(app.deps, paymentRef)
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSoundLedger(app)
  })
})

describe('a top-up', () => {
  const recharge = (app: TestApp, buyer: Person, amount: number, more = {}, key = 'k') =>
    app.call(initiateRecharge, { as: buyer, key, body: { userId: buyer.id, amount, ...more } })

  test('is credited and returns to where it started', async ({ app }) => {
    const buyer = await app.aCustomer()
    const returnTo = '/fr/checkout?a=b#payment'
    const started = await recharge(app, buyer, 20, { returnTo, locale: 'fr' })
    expect(await recharge(app, buyer, 20, { returnTo, locale: 'fr' })).toEqual(started)
    const landing = await returnToShop(app, await choose(app, started.paymentUrl, 'pay'))
    expect(landing).toBe(`/fr/checkout?a=b&payment=${started.paymentRef}#payment`)
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSoundLedger(app)
  })

  test.each([
    [9.99, {}, { amount: 'min' }],
    [2000.01, {}, { amount: 'max' }],
    [20, { paymentMethod: 'konnect' }, { paymentMethod: 'invalid' }],
  ])('of %d with %j is refused', async (amount, more, fields) => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    await expectRefused(recharge(app, buyer, amount, more), 400, 'invalid_input', { fields })
  })

  test('by D17 waits for the operator; a foreign returnTo is ignored', async ({ app }) => {
    const buyer = await app.aCustomer()
    const started = await recharge(app, buyer, 10, {
      paymentMethod: 'd17',
      returnTo: '//evil.example',
    })
    expect(started.paymentUrl).toContain('/payment/transfer/')
    await confirmManual(app.deps, started.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(10))
    const query = { paymentRef: started.paymentRef }
    expect((await app.call(getPayment, { as: buyer, query })).returnTo).toBe('/shop')
  })
})
