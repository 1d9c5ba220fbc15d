import { describe, expect, test } from 'vitest'
import { cancelOrder, getOrder, getPayment, initiatePayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge } from '../../../src/contract/wallet.ts'
import { fillText } from '../../../src/i18n/format.ts'
import { dinars } from '../../../src/rules/money.ts'
import { MOST_OPEN_TRANSFERS, ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import { testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { fakeGateway } from '../../support/fake-gateway.ts'
import {
  anOrder,
  aPayment,
  bought,
  expectSoundLedger,
  press,
  soundApp,
  webhook,
  withFreshToken,
} from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { uiText } from '../../support/texts.ts'
import { ownedIds } from '../../support/wallet.ts'

const app = await soundApp()

/** A buyer with 100 dinars and a pending order of one document at 20, whose payment has begun. */
async function aWaitingOrder(method: 'card' | 'd17' | 'bank_transfer' = 'd17') {
  const buyer = await app.aCustomer({ balance: dinars(100) })
  const document = await app.aDocument({ price: dinars(20), title: 'Algebra' })
  const order = await anOrder(app, buyer, [document])
  const payment = await aPayment(app, buyer, order.id, { method })
  return { buyer, document, order, payment }
}

const orderOf = async (buyer: Person, id: number) =>
  app.call(getOrder, { as: await withFreshToken(app, buyer), params: { id } })
const statusOf = async (buyer: Person, id: number) => (await orderOf(buyer, id)).status

const stateOf = async (buyer: Person, paymentRef: string) =>
  (await app.call(getPayment, { as: await withFreshToken(app, buyer), query: { paymentRef } }))
    .state

const cancel = (as: Person, id: number) => app.call(cancelOrder, { as, params: { id } })

async function expireAll(): Promise<void> {
  app.travel(ORDER_LIFETIME_MS + 60_000)
  await expireOrders(app.deps)
}

describe('cancelling', () => {
  test('is immediate, closes the payment, and can be repeated', async () => {
    const { buyer, document, order, payment } = await aWaitingOrder()
    const cancelled = await cancel(buyer, order.id)
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      payment: { state: 'cancelled', paymentUrl: null },
    })
    expect(await cancel(buyer, order.id)).toEqual(cancelled)
    expect(await stateOf(buyer, payment.paymentRef)).toBe('cancelled')
    await expectCode(aPayment(app, buyer, order.id), 'order_closed')
    await anOrder(app, buyer, [document])
  })

  test('is refused for a paid order, also when only the gateway knows', async () => {
    const { buyer, order, payment } = await aWaitingOrder('card')
    await press(app, payment.paymentUrl, 'pay')
    await expectCode(cancel(buyer, order.id), 'order_paid')
    expect(await statusOf(buyer, order.id)).toBe('paid')
  })

  test.each(['d17', 'card'] as const)(
    'late money goes to the wallet, and the buyer is notified: %s',
    async (method) => {
      const { buyer, order, payment } = await aWaitingOrder(method)
      await cancel(buyer, order.id)
      if (method === 'd17') await confirmManual(app.deps, payment.paymentRef)
      else {
        await press(app, payment.paymentUrl, 'pay')
        app.travel(CHECK_PAUSE_MAX_MS)
        await webhook(app, payment.paymentRef)
      }
      expect(await app.balanceOf(buyer)).toBe(dinars(120))
      expect(await ownedIds(app, buyer)).toEqual([])
      expect(await statusOf(buyer, order.id)).toBe('cancelled')
      expect(await stateOf(buyer, payment.paymentRef)).toBe('paid')
      const why = fillText(uiText('ar', 'mail:inWallet.why.cancelled'), { order: String(order.id) })
      const mails = (await app.mails()).filter(({ headers }) => headers.includes(buyer.email))
      expect(mails.filter(({ parts }) => parts['text/plain']?.includes(why))).toHaveLength(1)
      await expectSoundLedger(app)
    },
  )

  test('while the gateway is queried: no buyer is sent there, and its money goes to the wallet', async () => {
    const fake = fakeGateway()
    const app = await testApp({ deps: { gateway: fake.gateway } })
    const buyer = await app.aCustomer()
    const order = await anOrder(app, buyer, await app.documentsAt(20))
    fake.hang(true)
    const starting = aPayment(app, buyer, order.id).catch((error: unknown) => error)
    await expect.poll(() => fake.opened.length).toBe(1)
    await app.call(cancelOrder, { as: buyer, params: { id: order.id } })
    fake.hang(false)
    expect(await starting).toMatchObject({ code: 'order_closed' })
    const ours = fake.opened[0]?.reference ?? ''
    fake.report(fake.referenceOf(ours), { state: 'paid', amount: dinars(20) })
    await webhook(app, fake.referenceOf(ours))
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
  })

  test('races with payment, purchase and new payments without a deadlock', async () => {
    for (let round = 0; round < 10; round++) {
      const { buyer, document, order, payment } = await aWaitingOrder()
      await Promise.all([
        cancel(buyer, order.id).catch(() => null),
        confirmManual(app.deps, payment.paymentRef),
        bought(app, buyer, [document]),
        aPayment(app, buyer, order.id, { method: 'card' }).catch(() => null),
        anOrder(app, buyer, [document]).catch(() => null),
      ])
      expect(await ownedIds(app, buyer)).toEqual([document.id])
      // 100 + 20 received, minus 20 for the document, in either order.
      expect(await app.balanceOf(buyer)).toBe(dinars(100))
    }
  })
})

describe('a document in a pending order', () => {
  test.each(['card', 'd17', 'bank_transfer'] as const)(
    'is not ordered again, by either call: %s',
    async (method) => {
      const { buyer, document, order } = await aWaitingOrder(method)
      const [other] = await app.documentsAt(15)
      const body = { userId: buyer.id, amount: 20, documentIds: [document.id] }
      const refused = [409, 'already_ordered', { titles: ['Algebra'] }] as const
      await expectRefused(anOrder(app, buyer, [other, document]), ...refused)
      const direct = { as: buyer, key: 'd', body: { ...body, paymentMethod: 'card' as const } }
      await expectRefused(app.call(directPay, direct), ...refused)
      expect(await statusOf(buyer, order.id)).toBe('pending')
      // Another buyer's order blocks nobody.
      await anOrder(app, await app.aCustomer(), [document])
    },
  )

  test('can be ordered again when the order was refused, has expired or was never started', async () => {
    const { buyer, document, order, payment } = await aWaitingOrder()
    await refuseManual(app.deps, payment.paymentRef)
    const second = await anOrder(app, buyer, [document])
    const third = await anOrder(app, buyer, [document])
    expect(await statusOf(buyer, order.id)).toBe('cancelled')
    expect(await statusOf(buyer, second.id)).toBe('replaced')
    await aPayment(app, buyer, third.id, { method: 'd17' })
    await expireAll()
    expect(await statusOf(buyer, third.id)).toBe('expired')
    await anOrder(app, await withFreshToken(app, buyer), [document])
  })

  test('refused at the gateway, makes way for another order; its late money goes to the wallet', async () => {
    const { buyer, document, order, payment } = await aWaitingOrder('card')
    await app.request('GET', await press(app, payment.paymentUrl, 'refuse'))
    const bigger = await anOrder(app, buyer, [document, await app.aDocument()])
    expect(await statusOf(buyer, order.id)).toBe('replaced')
    expect(await statusOf(buyer, bigger.id)).toBe('pending')
    expect(await stateOf(buyer, payment.paymentRef)).toBe('cancelled')
    await press(app, payment.paymentUrl, 'pay')
    app.travel(CHECK_PAUSE_MAX_MS)
    await webhook(app, payment.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(120))
    expect(await ownedIds(app, buyer)).toEqual([])
  })
})

describe('an order whose documents its buyer all owns', () => {
  test('is replaced by the purchase itself, and cannot be paid', async () => {
    const { buyer, document, order, payment } = await aWaitingOrder()
    await bought(app, buyer, [document])
    expect(await statusOf(buyer, order.id)).toBe('replaced')
    expect(await stateOf(buyer, payment.paymentRef)).toBe('cancelled')
    await expectCode(aPayment(app, buyer, order.id), 'nothing_to_pay')
    await confirmManual(app.deps, payment.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    expect(await ownedIds(app, buyer)).toEqual([document.id])
  })

  test('of earlier days is replaced when it is about to be paid', async () => {
    const { buyer, document, order } = await aWaitingOrder()
    await bought(app, buyer, [document])
    await app.change('orders', order.id, { status: 'pending' })
    await expectCode(aPayment(app, buyer, order.id), 'nothing_to_pay')
    expect(await statusOf(buyer, order.id)).toBe('replaced')
  })

  test.each(['d17', 'card'] as const)(
    'stays pending if a document is still missing, and the rest is credited to the wallet: %s',
    async (method) => {
      const buyer = await app.aCustomer({ balance: dinars(20) })
      const [one, two] = await app.documentsAt(20, 15)
      const order = await anOrder(app, buyer, [one, two])
      const { paymentRef, paymentUrl } = await aPayment(app, buyer, order.id, { method })
      await bought(app, buyer, [one])
      expect(await statusOf(buyer, order.id)).toBe('pending')
      if (method === 'd17') await confirmManual(app.deps, paymentRef)
      else await app.request('GET', await press(app, paymentUrl, 'pay'))
      expect(await ownedIds(app, buyer)).toEqual([one.id, two.id])
      expect(await app.balanceOf(buyer)).toBe(dinars(20))
      const { items } = await orderOf(buyer, order.id)
      expect(items.map(({ refundedAt }) => refundedAt !== null)).toEqual([true, false])
      await expectSoundLedger(app)
    },
  )

  test('is replaced by an expired order that is paid after all', async () => {
    const first = await aWaitingOrder()
    await expireAll()
    const buyer = await withFreshToken(app, first.buyer)
    const second = await anOrder(app, buyer, [first.document])
    await aPayment(app, buyer, second.id, { method: 'd17' })
    await confirmManual(app.deps, first.payment.paymentRef)
    expect(await statusOf(buyer, first.order.id)).toBe('paid')
    expect(await ownedIds(app, buyer)).toEqual([first.document.id])
    expect(await statusOf(buyer, second.id)).toBe('replaced')
  })
})

describe('pending transfers', () => {
  const recharge = (as: Person, paymentMethod?: string, key: string = crypto.randomUUID()) =>
    app.call(initiateRecharge, {
      as,
      key,
      body: { userId: as.id, amount: 10, ...(paymentMethod && { paymentMethod }) },
    })

  test('are limited to three per account, orders and top-ups together; the fourth is told which', async () => {
    const { buyer, payment, order } = await aWaitingOrder()
    const second = await recharge(buyer, 'D17', 'same')
    const third = await recharge(buyer, 'd17')
    const payments = [
      { paymentRef: payment.paymentRef, amount: 20, orderId: order.id },
      { paymentRef: second.paymentRef, amount: 10, orderId: null },
      { paymentRef: third.paymentRef, paymentUrl: third.paymentUrl, method: 'd17' },
    ]
    const other = await anOrder(app, buyer, await app.documentsAt(20))
    for (const call of [
      () => recharge(buyer, 'D17'),
      () => aPayment(app, buyer, other.id, { method: 'd17' }),
      () => aPayment(app, buyer, other.id, { method: 'bank_transfer' }),
    ]) {
      await expectRefused(call(), 409, 'too_many_open_payments', { payments })
    }
    // Open ones are returned again; the gateway, and everybody else, are not blocked.
    expect(await recharge(buyer, 'D17', 'same')).toEqual(second)
    await recharge(buyer)
    await aPayment(app, buyer, other.id)
    await recharge(await app.aCustomer(), 'D17')

    await cancel(buyer, order.id)
    await recharge(buyer, 'D17')
    await refuseManual(app.deps, third.paymentRef)
    await recharge(buyer, 'D17')
    await expectRefused(recharge(buyer, 'D17'), 409)
  })

  test('are limited to three also under concurrent requests', async () => {
    const payer = await app.aCustomer()
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => recharge(payer, 'D17')),
    )
    const open = attempts.filter(({ status }) => status === 'fulfilled')
    expect(open).toHaveLength(MOST_OPEN_TRANSFERS)
  })
})

test('the key of a refused payment answers the same; another request under it is refused', async () => {
  const buyer = await app.aCustomer()
  const { id: orderId } = await anOrder(app, buyer, await app.documentsAt(20))
  const initiate = (key: string, query: object = {}) =>
    app.call(initiatePayment, {
      as: buyer,
      key,
      params: { provider: 'sandbox' },
      query: { orderId, ...query },
    })
  const first = await initiate('k')
  await app.request('GET', await press(app, first.paymentUrl, 'refuse'))
  expect(await initiate('k')).toEqual(first)
  expect((await initiate('other')).paymentRef).not.toBe(first.paymentRef)
  await expectCode(initiate('k', { method: 'd17' }), 'idempotency_conflict')
})
