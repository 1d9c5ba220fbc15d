import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createOrder, getPayment, initiatePayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { testApp } from '../../support/app.ts'
import { expectRefused } from '../../support/refusals.ts'

const aShop = () => testApp({ env: { PAYMENT_PROVIDER: 'none' } })
const REFUSED = { status: 409, code: 'no_gateway' }

describe('a shop without a gateway', () => {
  test.for([undefined, null, 'none', 'sandbox', 'Konnect'])(
    'refuses a top-up by %s, and leaves nothing of it',
    async (paymentMethod) => {
      const app = await aShop()
      const customer = await app.aCustomer()
      const body = { userId: customer.id, amount: 20, paymentMethod }
      const call = app.call(initiateRecharge, { as: customer, key: randomUUID(), body })
      await expect(call).rejects.toMatchObject(REFUSED)
      expect(await app.deps.database.kysely.selectFrom('payments').selectAll().execute()).toEqual(
        [],
      )
      expect(await app.balanceOf(customer)).toBe(0)
    },
  )

  test('tops up by D17 once the operator confirms, and sells from the wallet', async () => {
    const app = await aShop()
    const customer = await app.aCustomer()
    const { paymentRef } = await app.call(initiateRecharge, {
      as: customer,
      key: randomUUID(),
      body: { userId: customer.id, amount: 20, paymentMethod: 'D17' },
    })
    await confirmManual(app.deps, paymentRef)
    expect(await app.balanceOf(customer)).toBe(dinars(20))
    const { id } = await app.aDocument({ price: dinars(15) })
    await app.call(payFromWallet, {
      as: customer,
      key: randomUUID(),
      body: { userId: customer.id, documentIds: [id] },
    })
    expect(await app.balanceOf(customer)).toBe(dinars(5))
  })

  test('accepts orders by transfer and D17, and by nothing else', async () => {
    const app = await aShop()
    const customer = await app.aCustomer()
    const { id: documentId } = await app.aDocument({ price: dinars(15) })
    const { id: orderId } = await app.call(createOrder, {
      as: customer,
      key: randomUUID(),
      body: { userId: customer.id, orderDocs: [{ documentId }] },
    })
    const initiate = (provider: 'none' | 'sandbox', method?: 'card' | 'd17' | 'bank_transfer') =>
      app.call(initiatePayment, {
        as: customer,
        key: randomUUID(),
        params: { provider },
        query: { orderId, method },
      })
    for (const provider of ['none', 'sandbox'] as const) {
      await expect(initiate(provider)).rejects.toMatchObject(REFUSED)
      await expect(initiate(provider, 'card')).rejects.toMatchObject(REFUSED)
    }
    await expectRefused(initiate('sandbox', 'd17'), 404, 'not_found')
    await initiate('none', 'bank_transfer')
    const { paymentRef } = await initiate('none', 'd17')
    await confirmManual(app.deps, paymentRef)
    const payment = await app.call(getPayment, { as: customer, query: { paymentRef } })
    expect(payment.state).toBe('paid')
  })

  test('refuses direct payments, and leaves no order', async () => {
    const app = await aShop()
    const customer = await app.aCustomer()
    const { id } = await app.aDocument({ price: dinars(15) })
    const body = {
      userId: customer.id,
      amount: 15,
      paymentMethod: 'card' as const,
      documentIds: [id],
    }
    const call = app.call(directPay, { as: customer, key: randomUUID(), body })
    await expect(call).rejects.toMatchObject(REFUSED)
    expect(await app.deps.database.kysely.selectFrom('orders').selectAll().execute()).toEqual([])
  })

  test('has no page that pays without money', async () => {
    const app = await aShop()
    expect((await app.request('GET', '/api/payments/sandbox/abc')).status).toBe(404)
    expect((await app.request('POST', '/api/payments/sandbox/abc')).status).toBe(404)
  })

  test('payments at an earlier gateway stay pending, and due', async () => {
    const app = await aShop()
    const customer = await app.aCustomer()
    const { kysely } = app.deps.database
    const waiting = await kysely
      .insertInto('payments')
      .values({
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
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(await settleDue(app.deps)).toBe(0)
    await app.request('GET', '/api/orderss/payment/webhook?payment_ref=konnect-1')
    const after = await kysely.selectFrom('payments').selectAll().execute()
    expect(after).toEqual([waiting])
  })
})
