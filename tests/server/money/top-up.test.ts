import { describe, expect, test } from 'vitest'
import { getOrder, getPayment, listOrders } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import type { Person } from '../../support/factories.ts'
import {
  bought,
  gatewayReference,
  pathOf,
  payInSandbox,
  press,
  returnToShop,
  soundApp,
  webhook,
} from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { reprice } from '../../support/wallet.ts'

const app = await soundApp()

const recharge = (payer: Person, body: object = {}, key: string = crypto.randomUUID()) =>
  app.call(initiateRecharge, { as: payer, key, body: { userId: payer.id, amount: 10, ...body } })

describe('a top-up', () => {
  test('credits the wallet once, when the gateway confirms', async () => {
    const payer = await app.aCustomer({ balance: dinars(2) })
    const { paymentUrl, paymentRef } = await recharge(payer, {
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
  })

  test('repeated from another page is the same payment, and returns to that page', async () => {
    const payer = await app.aCustomer()
    const first = await recharge(payer, { returnTo: '/shop' }, 'k')
    const again = await recharge(payer, { returnTo: '/checkout' }, 'k')
    expect(again).toEqual(first)
    expect(await payInSandbox(app, again.paymentUrl)).toBe(`/checkout?payment=${again.paymentRef}`)
    expect(await app.balanceOf(payer)).toBe(dinars(10))
  })

  test('accepts 10 to 2000 dinars', async () => {
    const payer = await app.aCustomer()
    for (const [amount, reason] of [
      [0, 'min'],
      [9.99, 'min'],
      [2000.01, 'max'],
    ] as const) {
      const fields = { amount: reason }
      await expectRefused(recharge(payer, { amount }), 400, 'invalid_input', { fields })
    }
    for (const amount of [10, 2000]) await recharge(payer, { amount })
  })

  test.each([
    ['sandbox', ['sandbox', 'Sandbox', null, undefined]],
    ['transfer', ['D17', 'd17']],
  ])('leads to the %s page for its methods, in any case', async (page, methods) => {
    const payer = await app.aCustomer()
    for (const paymentMethod of methods) {
      const { paymentUrl } = await recharge(payer, { paymentMethod })
      expect(pathOf(paymentUrl)).toMatch(new RegExp(`^/payment/${page}/[0-9a-f]{24}$`))
    }
  })

  test('accepts no other method', async () => {
    const payer = await app.aCustomer()
    for (const paymentMethod of ['konnect', 'wallet', 'bank_transfer', 'x'.repeat(33), '']) {
      const fields = { paymentMethod: expect.any(String) }
      await expectRefused(recharge(payer, { paymentMethod }), 400, 'invalid_input', { fields })
    }
  })

  test('returns to pages of the shop only, in the language of the payment', async () => {
    const payer = await app.aCustomer()
    const landing = async (body: object) => {
      const { paymentUrl } = await recharge(payer, body)
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

  test('is one payment per key', async () => {
    const payer = await app.aCustomer()
    const answers = await Promise.all(Array.from({ length: 8 }, () => recharge(payer, {}, 'k')))
    expect(new Set(answers.map(({ paymentRef }) => paymentRef)).size).toBe(1)
    await expectCode(recharge(payer, { amount: 20 }, 'k'), 'idempotency_conflict')
  })

  test('by D17 is credited when the operator confirms it', async () => {
    const payer = await app.aCustomer()
    const { paymentRef } = await recharge(payer, { paymentMethod: 'D17', amount: 40 })
    await webhook(app, paymentRef)
    expect(await app.balanceOf(payer)).toBe(0)
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(payer)).toBe(dinars(40))
  })
})

describe('a direct payment', () => {
  /** A buyer who wants documents at these prices. */
  async function aWish(prices = [12, 8.5]) {
    const buyer = await app.aCustomer({ balance: dinars(100) })
    const documents = await app.documentsAt(...prices)
    const body = {
      userId: buyer.id,
      amount: prices.reduce((sum, price) => sum + price, 0),
      paymentMethod: 'direct' as const,
      documentIds: documents.map(({ id }) => id),
    }
    const pay = (change: object = {}, key: string = crypto.randomUUID()) =>
      app.call(directPay, { as: buyer, key, body: { ...body, ...change } })
    const ordersOf = () => app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
    return { buyer, documents, pay, ordersOf }
  }

  test('creates the order and starts the payment in one call, without touching the wallet', async () => {
    const { buyer, pay } = await aWish()
    const { status, orderId, paymentUrl, paymentRef } = await pay()
    expect(status).toBe('PENDING')
    expect(await payInSandbox(app, paymentUrl ?? '')).toBe(`/my-documents?payment=${paymentRef}`)
    const order = await app.call(getOrder, { as: buyer, params: { id: orderId } })
    expect(order).toMatchObject({ status: 'paid', total: 20.5, method: 'card' })
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
  })

  test('never charges another amount than was shown to the buyer', async () => {
    const { documents, pay, ordersOf } = await aWish()
    for (const amount of [0, 20.49, 20.51, 10]) {
      await expectCode(pay({ amount }), 'price_changed')
    }
    await reprice(app, { id: documents[0]?.id ?? 0 }, 30, 13)
    await expectRefused(pay(), 409, 'price_changed', {
      prices: { total: 21.5, documents: [{ price: 30, priceDiscount: 13 }, { price: 8.5 }] },
    })
    expect(await ordersOf()).toEqual([])
    expect(await pay({ amount: 21.5 })).toMatchObject({ status: 'PENDING' })
  })

  test('is available from 10 dinars', async () => {
    for (const price of [9.99, 0]) {
      const { pay, ordersOf } = await aWish([price])
      await expectCode(pay(), 'method_not_offered')
      expect(await ordersOf()).toEqual([])
    }
    await (await aWish([10])).pay()
  })

  test('refuses what is owned or not for sale', async () => {
    const { buyer, documents, pay, ordersOf } = await aWish()
    const hidden = await app.aDocument({ isPublished: false })
    await expectCode(pay({ documentIds: [hidden.id] }), 'document_not_found')
    await bought(app, buyer, documents.slice(0, 1))
    await expectRefused(pay(), 409, 'already_owned', { titles: [documents[0]?.title] })
    expect(await ordersOf()).toHaveLength(1)
  })

  test('is one order per key', async () => {
    const { buyer, pay, ordersOf } = await aWish()
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay({}, 'k')))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await ordersOf()).toHaveLength(1)
    await expectCode(pay({ amount: 20 }, 'k'), 'idempotency_conflict')
    // Paid by the time it is sent again.
    const [{ paymentUrl, paymentRef } = { paymentUrl: '', paymentRef: '' }] = answers
    await payInSandbox(app, paymentUrl ?? '')
    expect(await pay({}, 'k')).toMatchObject({ status: 'SUCCESS' })
    const query = { paymentRef: paymentRef ?? '' }
    expect(await app.call(getPayment, { as: buyer, query })).toMatchObject({ state: 'paid' })
  })
})
