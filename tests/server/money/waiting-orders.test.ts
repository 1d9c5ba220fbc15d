import { describe, expect } from 'vitest'
import { directPay } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import {
  anOrder,
  aPayment,
  expectSoundLedger,
  press,
  webhook,
  withFreshToken,
} from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'
import {
  aWaitingOrder,
  buy,
  type Document,
  owned,
  stateOf,
  statusOf,
} from '../../support/waiting-orders.ts'

const payDirectly = (app: TestApp, buyer: Person, document: Document, amount: number) =>
  app.call(directPay, {
    as: buyer,
    key: crypto.randomUUID(),
    body: {
      userId: buyer.id,
      amount,
      paymentMethod: 'card',
      documentIds: [document.id],
    },
  })

describe('a document in a pending order', () => {
  test.each(['card', 'd17', 'bank_transfer'] as const)(
    'is not ordered again, by either call: %s',
    async (method) => {
      const app = await testApp()
      const { buyer, document, order } = await aWaitingOrder(app, method)
      const other = await app.aDocument({ price: dinars(15) })
      const refused = {
        status: 409,
        code: 'already_ordered',
        body: { titles: ['Algebra'] },
      }
      await expect(anOrder(app, buyer, [other, document])).rejects.toMatchObject(refused)
      await expect(payDirectly(app, buyer, document, 20)).rejects.toMatchObject(refused)
      expect(await statusOf(app, buyer, order.id)).toBe('pending')
      // Another buyer's order blocks nobody.
      await anOrder(app, await app.aCustomer(), [document])
    },
  )

  test('can be ordered again when the order was refused, has expired or was never started', async ({
    app,
  }) => {
    const { buyer, document, order, payment } = await aWaitingOrder(app)
    await refuseManual(app.deps, payment.paymentRef)
    const second = await anOrder(app, buyer, [document])
    const third = await anOrder(app, buyer, [document])
    expect(await statusOf(app, buyer, order.id)).toBe('cancelled')
    expect(await statusOf(app, buyer, second.id)).toBe('replaced')
    await aPayment(app, buyer, third.id, { method: 'd17' })
    app.travel(ORDER_LIFETIME_MS + 60_000)
    await expireOrders(app.deps)
    expect(await statusOf(app, buyer, third.id)).toBe('expired')
    await anOrder(app, await withFreshToken(app, buyer), [document])
  })

  test('refused at the gateway, makes way for another order; its late money goes to the wallet', async ({
    app,
  }) => {
    const { buyer, document, order, payment } = await aWaitingOrder(app, 'card')
    const back = await press(app, payment.paymentUrl, 'refuse')
    await app.request('GET', back)
    const bigger = await anOrder(app, buyer, [document, await app.aDocument()])
    expect(await statusOf(app, buyer, order.id)).toBe('replaced')
    expect(await statusOf(app, buyer, bigger.id)).toBe('pending')
    expect(await stateOf(app, buyer, payment.paymentRef)).toBe('cancelled')
    await press(app, payment.paymentUrl, 'pay')
    app.travel(CHECK_PAUSE_MAX_MS)
    await webhook(app, payment.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(120))
    expect(await owned(app, buyer)).toEqual([])
    await expectSoundLedger(app)
  })
})

describe('an order whose documents its buyer all owns', () => {
  test('is replaced by the purchase itself, and cannot be paid', async ({ app }) => {
    const { buyer, document, order, payment } = await aWaitingOrder(app)
    await buy(app, buyer, [document])
    expect(await statusOf(app, buyer, order.id)).toBe('replaced')
    expect(await stateOf(app, buyer, payment.paymentRef)).toBe('cancelled')
    await expectRefused(aPayment(app, buyer, order.id), 409, 'nothing_to_pay')
    await confirmManual(app.deps, payment.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    expect(await owned(app, buyer)).toEqual([document.id])
    await expectSoundLedger(app)
  })

  test('of earlier days is replaced when it is about to be paid', async ({ app }) => {
    const { buyer, document, order } = await aWaitingOrder(app)
    await buy(app, buyer, [document])
    await app.deps.database.kysely
      .updateTable('orders')
      .set({ status: 'pending' })
      .where('id', '=', order.id)
      .execute()
    await expectRefused(aPayment(app, buyer, order.id), 409, 'nothing_to_pay')
    expect(await statusOf(app, buyer, order.id)).toBe('replaced')
  })

  test('stays pending if a document is still missing, and the rest is credited to the wallet', async ({
    app,
  }) => {
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const [one, two] = [
      await app.aDocument({ price: dinars(20) }),
      await app.aDocument({ price: dinars(15) }),
    ]
    const order = await anOrder(app, buyer, [one, two])
    const { paymentRef } = await aPayment(app, buyer, order.id, { method: 'd17' })
    await buy(app, buyer, [one])
    expect(await statusOf(app, buyer, order.id)).toBe('pending')
    await confirmManual(app.deps, paymentRef)
    expect(await owned(app, buyer)).toEqual([one.id, two.id])
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSoundLedger(app)
  })

  test('is replaced by an expired order that is paid after all', async ({ app }) => {
    const first = await aWaitingOrder(app)
    app.travel(ORDER_LIFETIME_MS + 60_000)
    await expireOrders(app.deps)
    const buyer = await withFreshToken(app, first.buyer)
    const second = await anOrder(app, buyer, [first.document])
    await aPayment(app, buyer, second.id, { method: 'd17' })
    await confirmManual(app.deps, first.payment.paymentRef)
    expect(await statusOf(app, buyer, first.order.id)).toBe('paid')
    expect(await statusOf(app, buyer, second.id)).toBe('replaced')
    await expectSoundLedger(app)
  })
})
