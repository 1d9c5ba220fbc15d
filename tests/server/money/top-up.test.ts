import { describe, expect } from 'vitest'
import { getOrder, getPayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import type { TestApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import {
  expectSoundLedger,
  gatewayReference,
  pathOf,
  payInSandbox,
  press,
  returnToShop,
  webhook,
} from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'

function recharge(
  app: TestApp,
  payer: Person,
  body: object = {},
  key: string = crypto.randomUUID(),
) {
  const whole = { userId: payer.id, amount: 10, ...body }
  return app.call(initiateRecharge, { as: payer, key, body: whole })
}

describe('POST /api/wallet/recharge/initiate', () => {
  test('credits the wallet once, when the gateway confirms', async ({ app }) => {
    const payer = await app.aCustomer({ balance: dinars(2) })
    const { paymentUrl, paymentRef } = await recharge(app, payer, {
      amount: 25.5,
      currency: 'TND',
      description: 'Wallet',
      paymentMethod: 'SANDBOX',
      firstName: 'Amal',
      returnTo: '/checkout?step=2#pay',
    })
    expect(await app.balanceOf(payer)).toBe(dinars(2))
    expect(await payInSandbox(app, paymentUrl)).toBe(`/checkout?step=2&payment=${paymentRef}#pay`)
    await Promise.all(Array.from({ length: 30 }, () => webhook(app, gatewayReference(paymentUrl))))
    expect(await app.balanceOf(payer)).toBe(dinars(27.5))
    await expectSoundLedger(app)
  })

  test('repeated from another page is the same payment, and returns to that page', async ({
    app,
  }) => {
    const payer = await app.aCustomer()
    const first = await recharge(app, payer, { returnTo: '/shop' }, 'k')
    const again = await recharge(app, payer, { returnTo: '/checkout' }, 'k')
    expect(again).toEqual(first)
    expect(await payInSandbox(app, again.paymentUrl)).toBe(`/checkout?payment=${again.paymentRef}`)
    expect(await app.balanceOf(payer)).toBe(dinars(10))
  })

  test('accepts 10 to 2000 dinars', async ({ app }) => {
    const payer = await app.aCustomer()
    for (const [amount, reason] of [
      [0, 'min'],
      [9.99, 'min'],
      [2000.01, 'max'],
    ] as const) {
      await expectRefused(recharge(app, payer, { amount }), 400, 'invalid_input', {
        fields: { amount: reason },
      })
    }
    for (const amount of [10, 2000]) await recharge(app, payer, { amount })
  })

  test('accepts the configured provider and D17, in any case, and nothing else', async ({
    app,
  }) => {
    const payer = await app.aCustomer()
    for (const paymentMethod of ['sandbox', 'Sandbox', null, undefined]) {
      const { paymentUrl } = await recharge(app, payer, { paymentMethod })
      expect(pathOf(paymentUrl)).toMatch(/^\/payment\/sandbox\/[0-9a-f]{24}$/)
    }
    for (const paymentMethod of ['D17', 'd17']) {
      const { paymentUrl } = await recharge(app, payer, { paymentMethod })
      expect(pathOf(paymentUrl)).toMatch(/^\/payment\/transfer\/[0-9a-f]{24}$/)
    }
    for (const paymentMethod of ['konnect', 'wallet', 'bank_transfer', 'x'.repeat(33), '']) {
      await expectRefused(recharge(app, payer, { paymentMethod }), 400)
    }
  })

  test('returns to pages of the shop only, in the language of the payment', async ({ app }) => {
    const payer = await app.aCustomer()
    const landing = async (body: object) => {
      const { paymentUrl } = await recharge(app, payer, body)
      const path = await returnToShop(app, await press(app, paymentUrl, 'refuse'))
      return path?.replace(/payment=[0-9a-f]{24}/, 'payment=')
    }
    expect(await landing({})).toBe('/shop?payment=')
    expect(await landing({ locale: 'fr' })).toBe('/fr/shop?payment=')
    expect(await landing({ locale: 'fr', returnTo: '/fr/checkout' })).toBe('/fr/checkout?payment=')
    for (const returnTo of ['//evil.example', 'https://evil.example', '/\\evil', 'javascript:1']) {
      expect(await landing({ returnTo })).toBe('/shop?payment=')
    }
  })

  test('is one payment per key, and its caller’s own', async ({ app }) => {
    const payer = await app.aCustomer()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => recharge(app, payer, {}, 'k')),
    )
    expect(new Set(answers.map(({ paymentRef }) => paymentRef)).size).toBe(1)
    await expectRefused(recharge(app, payer, { amount: 20 }, 'k'), 409, 'idempotency_conflict')
    for (const as of [await app.aCustomer(), await app.anAdministrator()]) {
      const body = { userId: payer.id, amount: 10 }
      await expectRefused(app.call(initiateRecharge, { as, key: 'x', body }), 403)
    }
    await expectRefused(recharge(app, await app.aTeacherAccount()), 403)
  })

  test('by D17 is credited when the operator confirms it', async ({ app }) => {
    const payer = await app.aCustomer()
    const { paymentRef } = await recharge(app, payer, { paymentMethod: 'D17', amount: 40 })
    await webhook(app, paymentRef)
    expect(await app.balanceOf(payer)).toBe(0)
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(payer)).toBe(dinars(40))
    await expectSoundLedger(app)
  })
})

describe('POST /api/wallet/direct-pay', () => {
  async function aWish(app: TestApp, prices = [12, 8.5]) {
    const buyer = await app.aCustomer({ balance: dinars(100) })
    const documents = []
    for (const price of prices) documents.push(await app.aDocument({ price: dinars(price) }))
    const body = {
      userId: buyer.id,
      amount: prices.reduce((sum, price) => sum + price, 0),
      paymentMethod: 'direct' as const,
      documentIds: documents.map(({ id }) => id),
    }
    const pay = (change: object = {}, key: string = crypto.randomUUID()) =>
      app.call(directPay, { as: buyer, key, body: { ...body, ...change } })
    const ordersOf = () => app.deps.database.kysely.selectFrom('orders').selectAll().execute()
    return { buyer, documents, pay, ordersOf }
  }

  test('creates the order and starts the payment in one call, without touching the wallet', async ({
    app,
  }) => {
    const { buyer, pay } = await aWish(app)
    const { status, orderId, paymentUrl, paymentRef } = await pay()
    expect(status).toBe('PENDING')
    expect(await payInSandbox(app, paymentUrl ?? '')).toBe(`/my-documents?payment=${paymentRef}`)
    const order = await app.call(getOrder, { as: buyer, params: { id: orderId } })
    expect(order).toMatchObject({ status: 'paid', total: 20.5, method: 'card' })
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    await expectSoundLedger(app)
  })

  test('never charges another amount than was shown to the buyer', async ({ app }) => {
    const { documents, pay, ordersOf } = await aWish(app)
    for (const amount of [0, 20.49, 20.51, 10]) {
      await expectRefused(pay({ amount }), 409, 'price_changed')
    }
    await app.deps.database.kysely
      .updateTable('documents')
      .set({ price: dinars(13) })
      .where('id', '=', documents[0]?.id ?? 0)
      .execute()
    await expectRefused(pay(), 409, 'price_changed')
    expect(await ordersOf()).toEqual([])
  })

  test('is available from 10 dinars', async ({ app }) => {
    const below = await aWish(app, [9.99])
    await expectRefused(below.pay(), 409, 'method_not_offered')
    const free = await aWish(app, [0])
    await expectRefused(free.pay(), 409, 'method_not_offered')
    expect(await below.ordersOf()).toEqual([])
    await (await aWish(app, [10])).pay()
  })

  test('refuses what is owned or not for sale', async ({ app }) => {
    const { buyer, documents, pay, ordersOf } = await aWish(app)
    const hidden = await app.aDocument({ isPublished: false })
    await expectRefused(pay({ documentIds: [hidden.id] }), 404, 'document_not_found')
    const body = { userId: buyer.id, documentIds: [documents[0]?.id ?? 0] }
    await app.call(payFromWallet, { as: buyer, key: 'w', body })
    await expectRefused(pay(), 409, 'already_owned', { titles: [documents[0]?.title] })
    expect(await ordersOf()).toHaveLength(1)
  })

  test('is one order per key', async ({ app }) => {
    const { buyer, pay, ordersOf } = await aWish(app)
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay({}, 'k')))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await ordersOf()).toHaveLength(1)
    await expectRefused(pay({ amount: 20 }, 'k'), 409, 'idempotency_conflict')
    // Paid by the time it is sent again.
    const [{ paymentUrl, paymentRef } = { paymentUrl: '', paymentRef: '' }] = answers
    await payInSandbox(app, paymentUrl ?? '')
    expect(await pay({}, 'k')).toMatchObject({ status: 'SUCCESS' })
    const query = { paymentRef: paymentRef ?? '' }
    expect(await app.call(getPayment, { as: buyer, query })).toMatchObject({ state: 'paid' })
  })
})
