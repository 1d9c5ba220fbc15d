import { describe, expect } from 'vitest'
import { listOrders } from '../../../src/contract/orders.ts'
import { directPay } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { type Gateway, GatewayError } from '../../../src/server/gateways/gateway.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import { testApp } from '../../support/app.ts'
import { choose, initiate, order, owns, returnToShop } from '../../support/card-payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'

describe('a direct payment', () => {
  test('creates the order and starts the payment; never at another price than shown', async ({
    app,
  }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    const body = { userId: buyer.id, paymentMethod: 'card' as const, documentIds: [document.id] }
    await expectRefused(
      app.call(directPay, { as: buyer, key: 'a', body: { ...body, amount: 1 } }),
      409,
      'price_changed',
    )
    const done = await app.call(directPay, { as: buyer, key: 'b', body: { ...body, amount: 15 } })
    expect(
      await app.call(directPay, { as: buyer, key: 'b', body: { ...body, amount: 15 } }),
    ).toEqual(done)
    await returnToShop(app, await choose(app, done.paymentUrl ?? '', 'pay'))
    expect(await owns(app, buyer)).toEqual([document.id])
  })

  test('is not offered below 10 dinars', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(9) })
    const body = { userId: buyer.id, amount: 9, paymentMethod: 'direct' as const }
    await expectRefused(
      app.call(directPay, { as: buyer, key: 'a', body: { ...body, documentIds: [document.id] } }),
      409,
      'method_not_offered',
    )
    expect(await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })).toEqual([])
  })
})

describe('a gateway that does not respond', () => {
  test('is reported as such, and a retry continues with the same order', async () => {
    let isDown = true
    const opened: string[] = []
    const gateway: Gateway = {
      provider: 'sandbox',
      async open({ reference }) {
        if (isDown) throw new GatewayError('down')
        opened.push(reference)
        return { payUrl: 'https://gateway.example/pay', gatewayReference: `gw-${reference}` }
      },
      read: async () => {
        throw new GatewayError('down')
      },
    }
    const app = await testApp({ deps: { gateway } })
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    const body = {
      userId: buyer.id,
      amount: 15,
      paymentMethod: 'card' as const,
      documentIds: [document.id],
    }
    await expectRefused(
      app.call(directPay, { as: buyer, key: 'k', body }),
      503,
      'gateway_unavailable',
    )
    isDown = false
    const done = await app.call(directPay, { as: buyer, key: 'k', body })
    expect(opened).toEqual([done.paymentRef])
    const orders = await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
    expect(orders.map(({ id }) => id)).toEqual([done.orderId])
    const landing = await returnToShop(
      app,
      `/api/orderss/payment/success?payment_ref=gw-${done.paymentRef}`,
    )
    expect(landing).toBe(`/my-documents?payment=${done.paymentRef}`)
    app.travel(120_000)
    expect(await settleDue(app.deps)).toBeGreaterThan(0)
  })

  test('holds no transaction open while it hangs', async () => {
    const hanging = Promise.withResolvers<never>()
    const queried = Promise.withResolvers<void>()
    const gateway: Gateway = {
      provider: 'sandbox',
      open: () => {
        queried.resolve()
        return hanging.promise
      },
      read: () => hanging.promise,
    }
    const app = await testApp({ deps: { gateway } })
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    const { id } = await order(app, buyer, [document.id])
    const started = initiate(app, buyer, id)
    await queried.promise
    const { rows } = await app.deps.database.pool.query(
      `SELECT count(*)::integer AS open FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
    expect(rows).toEqual([{ open: 0 }])
    expect((await app.request('GET', '/api/documents')).status).toBe(200)
    hanging.reject(new GatewayError('too late'))
    await expectRefused(started, 503)
  })
})
