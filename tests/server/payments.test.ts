import { describe, expect, test } from 'vitest'
import {
  createOrder,
  getOrder,
  getPayment,
  getTransfer,
  initiatePayment,
  listOrders,
} from '../../src/contract/orders.ts'
import { createAndPay, directPay, initiateRecharge } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../src/rules/payment-methods.ts'
import { expireOrders, settleDue } from '../../src/server/money/due-payments.ts'
import { type Gateway, GatewayError } from '../../src/server/money/gateways/gateway.ts'
import { SANDBOX_DELAY_MS } from '../../src/server/money/gateways/sandbox.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { confirmManual, refuseManual } from '../../src/server/money/transfers.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'

const SANDBOX = { provider: 'sandbox' as const }

/** What the buyer does on the test gateway's page; answers where the browser lands. */
async function choose(app: TestApp, paymentUrl: string, choice: string): Promise<string> {
  const reference = paymentUrl.split('/').at(-1)
  const posted = await app.request('POST', `/api/payments/sandbox/${reference}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `choice=${choice}`,
  })
  expect(posted.status).toBe(303)
  return posted.headers.get('location') ?? ''
}

async function comeBack(app: TestApp, address: string): Promise<string> {
  const back = await app.request('GET', address)
  expect(back.status).toBe(302)
  return back.headers.get('location') ?? ''
}

async function order(
  app: TestApp,
  buyer: Person,
  documentIds: number[],
  key: string = crypto.randomUUID(),
) {
  const orderDocs = documentIds.map((documentId) => ({ documentId }))
  return app.call(createOrder, { as: buyer, key, body: { userId: buyer.id, orderDocs } })
}

function initiate(
  app: TestApp,
  buyer: Person,
  orderId: number,
  method: 'card' | 'bank_transfer' | 'd17' = 'card',
) {
  const key = crypto.randomUUID()
  return app.call(initiatePayment, { as: buyer, key, params: SANDBOX, query: { orderId, method } })
}

async function expectSound(app: TestApp): Promise<void> {
  const report = await checkLedger(app.deps.database.kysely)
  expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
}

const owns = async (app: TestApp, buyer: Person) =>
  (
    await app.deps.database.kysely
      .selectFrom('purchases')
      .select('documentId')
      .where('userId', '=', buyer.id)
      .orderBy('documentId')
      .execute()
  ).map(({ documentId }) => documentId)

describe('an order paid by card', () => {
  test('is granted when the gateway says it was paid, with the prices of its moment', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(12.5) })
    const { id } = await order(app, buyer, [document.id])
    await app.deps.database.kysely
      .updateTable('documents')
      .set({ price: dinars(40) })
      .where('id', '=', document.id)
      .execute()
    const { paymentUrl, paymentRef } = await initiate(app, buyer, id)
    expect(await owns(app, buyer)).toEqual([])

    const back = await choose(app, paymentUrl, 'pay')
    expect(await comeBack(app, back)).toBe(`/my-documents?payment=${paymentRef}`)
    expect(await owns(app, buyer)).toEqual([document.id])
    const paid = await app.call(getOrder, { as: buyer, params: { id } })
    expect(paid).toMatchObject({ status: 'paid', total: 12.5, receiptNumber: 1, method: 'card' })
    expect(paid.items).toMatchObject([{ price: 12.5, isOwned: true, refundedAt: null }])
    expect(await app.balanceOf(buyer)).toBe(0)
    await expectSound(app)
  })

  test('is not granted by a visit to any address', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentRef } = await initiate(app, buyer, id)
    for (const page of ['success', 'cancel']) {
      const landing = await comeBack(app, `/api/orderss/payment/${page}?paymentRef=${paymentRef}`)
      expect(landing).toBe(`/my-documents?payment=${paymentRef}`)
    }
    await app.request('GET', `/api/orderss/payment/webhook?payment_ref=${paymentRef}`)
    expect(await owns(app, buyer)).toEqual([])
    const state = await app.call(getPayment, { as: buyer, query: { paymentRef } })
    expect(state.state).toBe('pending')
  })

  test('that was refused can be paid after all', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const first = await initiate(app, buyer, id)
    expect(await initiate(app, buyer, id)).toEqual(first)
    await comeBack(app, await choose(app, first.paymentUrl, 'refuse'))
    const query = { paymentRef: first.paymentRef }
    expect((await app.call(getPayment, { as: buyer, query })).state).toBe('refused')
    const second = await initiate(app, buyer, id)
    expect(second.paymentRef).not.toBe(first.paymentRef)
    await comeBack(app, await choose(app, second.paymentUrl, 'pay'))
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSound(app)
  })

  test('later is found by the poller, with no webhook and nobody back', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentUrl } = await initiate(app, buyer, id)
    await choose(app, paymentUrl, 'later')
    expect(await settleDue(app.deps)).toBe(0)
    app.travel(60_000 + SANDBOX_DELAY_MS)
    expect(await settleDue(app.deps)).toBe(1)
    expect(await owns(app, buyer)).toEqual([document.id])
    expect(await settleDue(app.deps)).toBe(0)
  })

  test('acts once under thirty signals at once', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentUrl, paymentRef } = await initiate(app, buyer, id)
    await choose(app, paymentUrl, 'pay')
    app.travel(60_000)
    const signal = (at: number) =>
      at % 3 === 0
        ? settleDue(app.deps)
        : app.request(
            'GET',
            `/api/orderss/payment/${at % 3 === 1 ? 'webhook' : 'success'}?paymentRef=${paymentRef}`,
          )
    await Promise.all(Array.from({ length: 30 }, (_, at) => signal(at)))
    expect(await owns(app, buyer)).toEqual([document.id])
    const sold = await app.deps.database.kysely
      .selectFrom('ledgerTransactions')
      .select('id')
      .where('kind', '=', 'purchase')
      .execute()
    expect(sold).toHaveLength(1)
    await expectSound(app)
  })

  test('refunds to the wallet what was bought meanwhile', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(30) })
    const both = [
      await app.aDocument({ price: dinars(8) }),
      await app.aDocument({ price: dinars(7) }),
    ]
    const [first, second] = both.map(({ id }) => id) as [number, number]
    const { id } = await order(app, buyer, [first, second])
    const { paymentUrl } = await initiate(app, buyer, id)
    const body = { userId: buyer.id, documentIds: [first] }
    await app.call(createAndPay, { as: buyer, key: 'k', body })
    await comeBack(app, await choose(app, paymentUrl, 'pay'))
    expect(await owns(app, buyer)).toEqual([first, second])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    const { items } = await app.call(getOrder, { as: buyer, params: { id } })
    expect(items.map(({ refundedAt }) => refundedAt !== null)).toEqual([true, false])
    await expectSound(app)
  })

  test('twice, puts the second payment into the wallet', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const card = await initiate(app, buyer, id)
    const transfer = await initiate(app, buyer, id, 'bank_transfer')
    await comeBack(app, await choose(app, card.paymentUrl, 'pay'))
    await confirmManual(app.deps, transfer.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSound(app)
  })

  test('counts after it has expired', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentRef } = await initiate(app, buyer, id, 'd17')
    app.travel(ORDER_LIFETIME_MS + 60_000)
    expect(await expireOrders(app.deps)).toBe(1)
    expect(
      (
        await app.call(listOrders, { as: await fresh(app, buyer), params: { userId: buyer.id } })
      )[0],
    ).toMatchObject({
      id,
      status: 'expired',
    })
    await confirmManual(app.deps, paymentRef)
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSound(app)
  })
})

// A token does not outlive three days.
async function fresh(app: TestApp, { id, role }: Person): Promise<Person> {
  const { signToken } = await import('../../src/server/http/tokens.ts')
  const token = await signToken(app.deps.secret, { id, role, generation: 0 }, app.deps.now())
  return { id, role, token, email: '', phone: '' }
}

describe('an order', () => {
  test('is refused for what is owned, with its titles, and for what is not sold', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer({ balance: dinars(10) })
    const owned = await app.aDocument({ price: dinars(5), title: 'Mine' })
    const hidden = await app.aDocument({ isPublished: false })
    const body = { userId: buyer.id, documentIds: [owned.id] }
    await app.call(createAndPay, { as: buyer, key: 'k', body })
    await expect(order(app, buyer, [owned.id])).rejects.toMatchObject({
      status: 409,
      body: { error: 'already_owned', titles: ['Mine'] },
    })
    await expect(order(app, buyer, [hidden.id])).rejects.toMatchObject({ status: 404 })
  })

  test('of free documents is granted at once', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: 0 })
    const { id } = await order(app, buyer, [document.id])
    expect(await owns(app, buyer)).toEqual([document.id])
    await expect(initiate(app, buyer, id, 'd17')).rejects.toMatchObject({
      body: { error: 'order_closed' },
    })
  })

  test('is one for a repeated key, and nobody else’s', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const other = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const first = await order(app, buyer, [document.id], 'same')
    expect(await order(app, buyer, [document.id], 'same')).toEqual(first)
    for (const ask of [
      () => app.call(getOrder, { as: other, params: { id: first.id } }),
      () => initiate(app, other, first.id),
    ]) {
      await expect(ask()).rejects.toMatchObject({ body: { error: 'order_not_found' } })
    }
    const { paymentRef } = await initiate(app, buyer, first.id)
    await expect(app.call(getPayment, { as: other, query: { paymentRef } })).rejects.toMatchObject({
      body: { error: 'payment_not_found' },
    })
  })

  test('offers no transfer up to 10 dinars and no card below', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const [ten, less] = [
      await app.aDocument({ price: dinars(10) }),
      await app.aDocument({ price: dinars(9.99) }),
    ]
    const first = await order(app, buyer, [ten.id])
    const second = await order(app, buyer, [less.id])
    await expect(initiate(app, buyer, first.id, 'bank_transfer')).rejects.toMatchObject({
      body: { error: 'method_not_offered' },
    })
    await expect(initiate(app, buyer, second.id, 'card')).rejects.toMatchObject({
      body: { error: 'method_not_offered' },
    })
    await initiate(app, buyer, second.id, 'd17')
  })
})

describe('a bank transfer', () => {
  test('shows where to send what, and waits for the operator', async () => {
    const app = await testApp()
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
    await expectSound(app)
  })

  test('that is refused cancels the order, and money that comes later still counts', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentRef } = await initiate(app, buyer, id, 'd17')
    await refuseManual(app.deps, paymentRef)
    expect((await app.call(getOrder, { as: buyer, params: { id } })).status).toBe('cancelled')
    await confirmManual(app.deps, paymentRef)
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSound(app)
  })
})

describe('a top-up', () => {
  const recharge = (app: TestApp, buyer: Person, amount: number, more = {}, key = 'k') =>
    app.call(initiateRecharge, { as: buyer, key, body: { userId: buyer.id, amount, ...more } })

  test('is credited and leads back where it started', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const returnTo = '/fr/checkout?a=b#payment'
    const started = await recharge(app, buyer, 20, { returnTo, locale: 'fr' })
    expect(await recharge(app, buyer, 20, { returnTo, locale: 'fr' })).toEqual(started)
    const landing = await comeBack(app, await choose(app, started.paymentUrl, 'pay'))
    expect(landing).toBe(`/fr/checkout?a=b&payment=${started.paymentRef}#payment`)
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSound(app)
  })

  test.each([
    [9.99, {}, { amount: 'min' }],
    [2000.01, {}, { amount: 'max' }],
    [20, { paymentMethod: 'konnect' }, { paymentMethod: 'invalid' }],
  ])('of %d with %j is refused', async (amount, more, fields) => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    await expect(recharge(app, buyer, amount, more)).rejects.toMatchObject({
      status: 400,
      body: { fields },
    })
  })

  test('by D17 waits for the operator; a foreign returnTo is ignored', async () => {
    const app = await testApp()
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

describe('a direct payment', () => {
  test('orders and starts the payment; never at another price than was shown', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    const body = { userId: buyer.id, paymentMethod: 'card' as const, documentIds: [document.id] }
    await expect(
      app.call(directPay, { as: buyer, key: 'a', body: { ...body, amount: 1 } }),
    ).rejects.toMatchObject({ body: { error: 'price_changed' } })
    const done = await app.call(directPay, { as: buyer, key: 'b', body: { ...body, amount: 15 } })
    expect(
      await app.call(directPay, { as: buyer, key: 'b', body: { ...body, amount: 15 } }),
    ).toEqual(done)
    await comeBack(app, await choose(app, done.paymentUrl ?? '', 'pay'))
    expect(await owns(app, buyer)).toEqual([document.id])
  })

  test('is not offered below 10 dinars', async () => {
    const app = await testApp()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(9) })
    const body = { userId: buyer.id, amount: 9, paymentMethod: 'direct' as const }
    await expect(
      app.call(directPay, { as: buyer, key: 'a', body: { ...body, documentIds: [document.id] } }),
    ).rejects.toMatchObject({ body: { error: 'method_not_offered' } })
    expect(await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })).toEqual([])
  })
})

describe('a gateway that does not answer', () => {
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
    await expect(app.call(directPay, { as: buyer, key: 'k', body })).rejects.toMatchObject({
      status: 503,
      body: { error: 'gateway_unavailable' },
    })
    isDown = false
    const done = await app.call(directPay, { as: buyer, key: 'k', body })
    expect(opened).toEqual([done.paymentRef])
    const orders = await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
    expect(orders.map(({ id }) => id)).toEqual([done.orderId])
    const landing = await comeBack(
      app,
      `/api/orderss/payment/success?payment_ref=gw-${done.paymentRef}`,
    )
    expect(landing).toBe(`/my-documents?payment=${done.paymentRef}`)
    app.travel(120_000)
    expect(await settleDue(app.deps)).toBeGreaterThan(0)
  })

  test('holds no transaction while it hangs', async () => {
    const hanging = Promise.withResolvers<never>()
    const asked = Promise.withResolvers<void>()
    const gateway: Gateway = {
      provider: 'sandbox',
      open: () => {
        asked.resolve()
        return hanging.promise
      },
      read: () => hanging.promise,
    }
    const app = await testApp({ deps: { gateway } })
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    const { id } = await order(app, buyer, [document.id])
    const started = initiate(app, buyer, id)
    await asked.promise
    const { rows } = await app.deps.database.pool.query(
      `SELECT count(*)::integer AS open FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
    expect(rows).toEqual([{ open: 0 }])
    expect((await app.request('GET', '/api/documents')).status).toBe(200)
    hanging.reject(new GatewayError('too late'))
    await expect(started).rejects.toMatchObject({ status: 503 })
  })
})
