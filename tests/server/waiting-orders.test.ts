import { describe, expect, test } from 'vitest'
import { cancelOrder, getOrder, getPayment, initiatePayment } from '../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../src/contract/wallet.ts'
import { fillText } from '../../src/i18n/format.ts'
import { dinars } from '../../src/rules/money.ts'
import { MOST_OPEN_TRANSFERS, ORDER_LIFETIME_MS } from '../../src/rules/payment-methods.ts'
import { expireOrders } from '../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS } from '../../src/server/money/gateway-checks.ts'
import { confirmManual, refuseManual } from '../../src/server/money/transfers.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { fakeGateway } from '../support/fake-gateway.ts'
import { again, anOrder, aPayment, expectSoundLedger, press, webhook } from '../support/payments.ts'
import { said } from '../support/texts.ts'

type Document = { id: number }

const statusOf = async (app: TestApp, buyer: Person, id: number) =>
  (await app.call(getOrder, { as: await again(app, buyer), params: { id } })).status

const stateOf = async (app: TestApp, buyer: Person, paymentRef: string) =>
  (await app.call(getPayment, { as: await again(app, buyer), query: { paymentRef } })).state

const owned = async ({ deps }: TestApp, { id }: Person) =>
  (
    await deps.database.kysely
      .selectFrom('purchases')
      .select('documentId')
      .where('userId', '=', id)
      .orderBy('documentId')
      .execute()
  ).map(({ documentId }) => documentId)

const cancel = (app: TestApp, buyer: Person, id: number) =>
  app.call(cancelOrder, { as: buyer, params: { id } })

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

const buy = (app: TestApp, buyer: Person, documents: readonly Document[]) =>
  app.call(payFromWallet, {
    as: buyer,
    key: crypto.randomUUID(),
    body: { userId: buyer.id, documentIds: documents.map(({ id }) => id) },
  })

/** A buyer whose order of one document waits for a transfer. */
async function aWaitingOrder(app: TestApp, method: 'card' | 'd17' | 'bank_transfer' = 'd17') {
  const buyer = await app.aCustomer({ balance: dinars(100) })
  const document = await app.aDocument({ price: dinars(20), title: 'Algebra' })
  const order = await anOrder(app, buyer, [document])
  const payment = await aPayment(app, buyer, order.id, { method })
  return { buyer, document, order, payment }
}

describe('what is ordered and waits', () => {
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
      // Somebody else's order keeps nothing from anybody.
      await anOrder(app, await app.aCustomer(), [document])
    },
  )

  test('can be ordered again when it was refused, has expired or was never begun', async () => {
    const app = await testApp()
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
    await anOrder(app, await again(app, buyer), [document])
  })

  test('refused at the gateway, it gives way to another order; its late money is the wallet’s', async () => {
    const app = await testApp()
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

describe('cancelling', () => {
  test('is immediate, closes the payment, and can be repeated', async () => {
    const app = await testApp()
    const { buyer, document, order, payment } = await aWaitingOrder(app)
    const cancelled = await cancel(app, buyer, order.id)
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      payment: { state: 'cancelled', paymentUrl: null },
    })
    expect(await cancel(app, buyer, order.id)).toEqual(cancelled)
    expect(await stateOf(app, buyer, payment.paymentRef)).toBe('cancelled')
    await expect(aPayment(app, buyer, order.id)).rejects.toMatchObject({ code: 'order_closed' })
    await anOrder(app, buyer, [document])
  })

  test('is for the buyer alone', async () => {
    const app = await testApp()
    const { buyer, order } = await aWaitingOrder(app)
    for (const other of [await app.aCustomer(), await app.anAdministrator()]) {
      await expect(cancel(app, other, order.id)).rejects.toMatchObject({ code: 'order_not_found' })
    }
    expect(await statusOf(app, buyer, order.id)).toBe('pending')
  })

  test('is refused for what is paid, also where only the gateway knows', async () => {
    const app = await testApp()
    const { buyer, order, payment } = await aWaitingOrder(app, 'card')
    await press(app, payment.paymentUrl, 'pay')
    await expect(cancel(app, buyer, order.id)).rejects.toMatchObject({
      status: 409,
      code: 'order_paid',
    })
    expect(await statusOf(app, buyer, order.id)).toBe('paid')
  })

  test.each(['d17', 'card'] as const)(
    'late money goes to the wallet, and the buyer is told: %s',
    async (method) => {
      const app = await testApp()
      const { buyer, order, payment } = await aWaitingOrder(app, method)
      await cancel(app, buyer, order.id)
      if (method === 'd17') await confirmManual(app.deps, payment.paymentRef)
      else {
        await press(app, payment.paymentUrl, 'pay')
        app.travel(CHECK_PAUSE_MAX_MS)
        await webhook(app, payment.paymentRef)
      }
      expect(await app.balanceOf(buyer)).toBe(dinars(120))
      expect(await owned(app, buyer)).toEqual([])
      expect(await statusOf(app, buyer, order.id)).toBe('cancelled')
      expect(await stateOf(app, buyer, payment.paymentRef)).toBe('paid')
      const mails = (await app.mails()).map(({ parts }) => parts?.['text/plain'] ?? '')
      const why = fillText(said('ar', 'mail:inWallet.why.cancelled'), { order: String(order.id) })
      expect(mails.filter((text) => text.includes(why))).toHaveLength(1)
      await expectSoundLedger(app)
    },
  )

  test('while the gateway is asked: nobody is sent there, and its money is the wallet’s', async () => {
    const fake = fakeGateway()
    const app = await testApp({ deps: { gateway: fake.gateway } })
    const buyer = await app.aCustomer()
    const order = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    fake.hang(true)
    const starting = aPayment(app, buyer, order.id).catch((error: unknown) => error)
    await expect.poll(() => fake.opened.length).toBe(1)
    await cancel(app, buyer, order.id)
    fake.hang(false)
    expect(await starting).toMatchObject({ code: 'order_closed' })
    const ours = fake.opened[0]?.reference ?? ''
    fake.say(fake.referenceOf(ours), { state: 'paid', amount: dinars(20) })
    await webhook(app, fake.referenceOf(ours))
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSoundLedger(app)
  })

  test('meets payment, purchase and new payments at the same moment without a lock between them', async () => {
    const app = await testApp()
    for (let round = 0; round < 10; round++) {
      const { buyer, document, order, payment } = await aWaitingOrder(app)
      await Promise.all([
        cancel(app, buyer, order.id).catch(() => null),
        confirmManual(app.deps, payment.paymentRef),
        buy(app, buyer, [document]),
        aPayment(app, buyer, order.id, { method: 'card' }).catch(() => null),
        anOrder(app, buyer, [document]).catch(() => null),
      ])
      expect(await owned(app, buyer)).toEqual([document.id])
      // 100 + 20 that came, less 20 for the document, whoever was first.
      expect(await app.balanceOf(buyer)).toBe(dinars(100))
    }
    await expectSoundLedger(app)
  })
})

describe('an order that holds nothing any more which its buyer lacks', () => {
  test('is replaced by the purchase itself, and cannot be paid', async () => {
    const app = await testApp()
    const { buyer, document, order, payment } = await aWaitingOrder(app)
    await buy(app, buyer, [document])
    expect(await statusOf(app, buyer, order.id)).toBe('replaced')
    expect(await stateOf(app, buyer, payment.paymentRef)).toBe('cancelled')
    await expect(aPayment(app, buyer, order.id)).rejects.toMatchObject({
      status: 409,
      code: 'nothing_to_pay',
    })
    await confirmManual(app.deps, payment.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    expect(await owned(app, buyer)).toEqual([document.id])
    await expectSoundLedger(app)
  })

  test('of earlier days is replaced when it is to be paid', async () => {
    const app = await testApp()
    const { buyer, document, order } = await aWaitingOrder(app)
    await buy(app, buyer, [document])
    await app.deps.database.kysely
      .updateTable('orders')
      .set({ status: 'pending' })
      .where('id', '=', order.id)
      .execute()
    await expect(aPayment(app, buyer, order.id)).rejects.toMatchObject({ code: 'nothing_to_pay' })
    expect(await statusOf(app, buyer, order.id)).toBe('replaced')
  })

  test('with something still lacking it waits on, and the rest comes back into the wallet', async () => {
    const app = await testApp()
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

  test('is replaced by an expired order that is paid after all', async () => {
    const app = await testApp()
    const first = await aWaitingOrder(app)
    app.travel(ORDER_LIFETIME_MS + 60_000)
    await expireOrders(app.deps)
    const buyer = await again(app, first.buyer)
    const second = await anOrder(app, buyer, [first.document])
    await aPayment(app, buyer, second.id, { method: 'd17' })
    await confirmManual(app.deps, first.payment.paymentRef)
    expect(await statusOf(app, buyer, first.order.id)).toBe('paid')
    expect(await statusOf(app, buyer, second.id)).toBe('replaced')
    await expectSoundLedger(app)
  })
})

describe('transfers that wait', () => {
  const recharge = (app: TestApp, as: Person, paymentMethod?: string, key?: string) =>
    app.call(initiateRecharge, {
      as,
      key: key ?? crypto.randomUUID(),
      body: { userId: as.id, amount: 10, ...(paymentMethod && { paymentMethod }) },
    })

  test('are three an account, orders and top-ups together; the fourth is told which', async () => {
    const app = await testApp()
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
    // What runs is answered again; the gateway, and everybody else, are open.
    expect(await recharge(app, buyer, 'D17', 'same')).toEqual(second)
    await recharge(app, buyer)
    await aPayment(app, buyer, other.id)
    await recharge(app, await app.aCustomer(), 'D17')

    await cancel(app, buyer, order.id)
    await recharge(app, buyer, 'D17')
    await refuseManual(app.deps, third.paymentRef)
    await recharge(app, buyer, 'D17')
    await expect(recharge(app, buyer, 'D17')).rejects.toMatchObject({ status: 409 })
  })

  test('are three also when many are asked for at once', async () => {
    const app = await testApp()
    const payer = await app.aCustomer()
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => recharge(app, payer, 'D17')),
    )
    const open = asked.filter(({ status }) => status === 'fulfilled')
    expect(open).toHaveLength(MOST_OPEN_TRANSFERS)
  })
})

describe('the key of a payment', () => {
  test('same key and request: what was answered; another request: refused; none: refused', async () => {
    const app = await testApp()
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
    await expect(initiate('k', { method: 'd17' })).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    })
    await expect(initiate(undefined)).rejects.toMatchObject({
      status: 400,
      code: 'idempotency_key_required',
    })
  })
})

test('an amount as text is refused where money moves', async () => {
  const app = await testApp()
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
