import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getPayment, initiatePayment, listOrders } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { insert } from '../../support/database.ts'
import { anOrder } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { pay } from '../../support/wallet.ts'

const app = await sharedApp({ env: { PAYMENT_PROVIDER: 'none' } })

const paymentsOf = ({ id }: { id: number }) =>
  app.kysely.selectFrom('payments').selectAll().where('userId', '=', id).execute()

describe('a shop without a gateway', () => {
  test.for([undefined, null, 'none', 'sandbox', 'Konnect'])(
    'refuses a top-up by %s, and leaves nothing of it',
    async (paymentMethod) => {
      const customer = await app.aCustomer()
      const body = { userId: customer.id, amount: 20, paymentMethod }
      const call = app.call(initiateRecharge, { as: customer, key: 'k', body })
      await expectCode(call, 'no_gateway')
      expect(await paymentsOf(customer)).toEqual([])
      expect(await app.balanceOf(customer)).toBe(0)
    },
  )

  test('tops up by D17 once the operator confirms, and sells from the wallet', async () => {
    const customer = await app.aCustomer()
    const body = { userId: customer.id, amount: 20, paymentMethod: 'D17' }
    const { paymentRef } = await app.call(initiateRecharge, { as: customer, key: 'k', body })
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(customer)).toBe(dinars(20))
    await pay(app, customer, await app.documentsAt(15))
    expect(await app.balanceOf(customer)).toBe(dinars(5))
  })

  test('accepts orders by transfer and D17, and by nothing else', async () => {
    const customer = await app.aCustomer()
    const { id: orderId } = await anOrder(app, customer, await app.documentsAt(15))
    const initiate = (provider: 'none' | 'sandbox', method?: 'card' | 'd17' | 'bank_transfer') =>
      app.call(initiatePayment, {
        as: customer,
        key: randomUUID(),
        params: { provider },
        query: { orderId, method },
      })
    for (const provider of ['none', 'sandbox'] as const) {
      await expectCode(initiate(provider), 'no_gateway')
      await expectCode(initiate(provider, 'card'), 'no_gateway')
    }
    await expectCode(initiate('sandbox', 'd17'), 'not_found')
    await initiate('none', 'bank_transfer')
    const { paymentRef } = await initiate('none', 'd17')
    await confirmManual(app.deps, paymentRef)
    const payment = await app.call(getPayment, { as: customer, query: { paymentRef } })
    expect(payment.state).toBe('paid')
  })

  test('refuses direct payments, and leaves no order', async () => {
    const customer = await app.aCustomer()
    const [{ id }] = await app.documentsAt(15)
    const wish = { amount: 15, paymentMethod: 'card' as const, documentIds: [id] }
    const body = { userId: customer.id, ...wish }
    const call = app.call(directPay, { as: customer, key: 'k', body })
    await expectCode(call, 'no_gateway')
    const orders = app.call(listOrders, { as: customer, params: { userId: customer.id } })
    expect(await orders).toEqual([])
  })

  test('has no page that pays without money', async () => {
    expect((await app.request('GET', '/api/payments/sandbox/abc')).status).toBe(404)
    expect((await app.request('POST', '/api/payments/sandbox/abc')).status).toBe(404)
  })

  test('leaves payments at an earlier gateway pending, and due', async () => {
    const customer = await app.aCustomer()
    await insert(app.kysely, 'payments', {
      reference: 'a'.repeat(24),
      provider: 'konnect',
      method: 'card',
      purpose: 'top_up',
      userId: customer.id,
      orderId: null,
      amount: dinars(20),
      gatewayReference: 'konnect-1',
      payUrl: 'https://gateway.konnect.network/pay',
      intent: 'top-up k',
      createdAt: new Date(app.deps.now() - 60_000),
      expiresAt: new Date(app.deps.now() + 60_000),
      nextCheckAt: new Date(app.deps.now() - 1000),
    })
    const before = await paymentsOf(customer)
    expect(await settleDue(app.deps)).toBe(0)
    await app.request('GET', '/api/orderss/payment/webhook?payment_ref=konnect-1')
    expect(await paymentsOf(customer)).toEqual(before)
  })
})
