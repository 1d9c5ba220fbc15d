import { describe, expect } from 'vitest'
import { initiatePayment } from '../../../src/contract/orders.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { MOST_OPEN_TRANSFERS } from '../../../src/rules/payment-methods.ts'
import { refuseManual } from '../../../src/server/money/transfers.ts'
import type { TestApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { anOrder, aPayment, press } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'
import { aWaitingOrder, cancel } from '../../support/waiting-orders.ts'

describe('pending transfers', () => {
  const recharge = (app: TestApp, as: Person, paymentMethod?: string, key?: string) =>
    app.call(initiateRecharge, {
      as,
      key: key ?? crypto.randomUUID(),
      body: { userId: as.id, amount: 10, ...(paymentMethod && { paymentMethod }) },
    })

  test('are limited to three per account, orders and top-ups together; the fourth is told which', async ({
    app,
  }) => {
    const { buyer, payment, order } = await aWaitingOrder(app)
    const second = await recharge(app, buyer, 'D17', 'same')
    const third = await recharge(app, buyer, 'd17')
    const refused = {
      status: 409,
      code: 'too_many_open_payments',
      body: {
        payments: [
          { paymentRef: payment.paymentRef, amount: 20, orderId: order.id },
          { paymentRef: second.paymentRef, amount: 10, orderId: null },
          { paymentRef: third.paymentRef, paymentUrl: third.paymentUrl, method: 'd17' },
        ],
      },
    }
    await expect(recharge(app, buyer, 'D17')).rejects.toMatchObject(refused)
    const other = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    for (const method of ['d17', 'bank_transfer'] as const) {
      await expect(aPayment(app, buyer, other.id, { method })).rejects.toMatchObject(refused)
    }
    // Open ones are returned again; the gateway, and everybody else, are not blocked.
    expect(await recharge(app, buyer, 'D17', 'same')).toEqual(second)
    await recharge(app, buyer)
    await aPayment(app, buyer, other.id)
    await recharge(app, await app.aCustomer(), 'D17')

    await cancel(app, buyer, order.id)
    await recharge(app, buyer, 'D17')
    await refuseManual(app.deps, third.paymentRef)
    await recharge(app, buyer, 'D17')
    await expectRefused(recharge(app, buyer, 'D17'), 409)
  })

  test('are limited to three also under concurrent requests', async ({ app }) => {
    const payer = await app.aCustomer()
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => recharge(app, payer, 'D17')),
    )
    const open = attempts.filter(({ status }) => status === 'fulfilled')
    expect(open).toHaveLength(MOST_OPEN_TRANSFERS)
  })
})

describe('the key of a payment', () => {
  test('same key and request: the same response; another request: refused; none: refused', async ({
    app,
  }) => {
    const buyer = await app.aCustomer()
    const order = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    const initiate = (key: string | undefined, query: object = {}) =>
      app.call(initiatePayment, {
        as: buyer,
        ...(key !== undefined && { key }),
        params: { provider: 'sandbox' },
        query: { orderId: order.id, ...query },
      })
    const first = await initiate('k')
    await app.request('GET', await press(app, first.paymentUrl, 'refuse'))
    expect(await initiate('k')).toEqual(first)
    expect((await initiate('other')).paymentRef).not.toBe(first.paymentRef)
    await expectRefused(initiate('k', { method: 'd17' }), 409, 'idempotency_conflict')
    await expectRefused(initiate(undefined), 400, 'idempotency_key_required')
  })
})

test('an amount as text is refused where money moves', async ({ app }) => {
  const buyer = await app.aCustomer()
  const document = await app.aDocument({ price: dinars(20) })
  for (const [path, more] of [
    ['/api/wallet/recharge/initiate', {}],
    ['/api/wallet/direct-pay', { paymentMethod: 'card', documentIds: [document.id] }],
  ] as const) {
    for (const amount of ['20', '20.0', ' 20', '', null, [20], true]) {
      const body = { userId: buyer.id, amount, ...more }
      const answer = await app.request('POST', path, { as: buyer, key: crypto.randomUUID(), body })
      expect(answer, `${path} ${JSON.stringify(amount)}`).toMatchObject({
        status: 400,
        body: { error: 'invalid_input' },
      })
    }
  }
})
