import { describe, expect } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { dinars } from '../../../src/rules/money.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { testApp } from '../../support/app.ts'
import { fakeGateway } from '../../support/fake-gateway.ts'
import { anOrder, aPayment, expectSoundLedger, press, webhook } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'
import {
  aWaitingOrder,
  buy,
  cancel,
  owned,
  stateOf,
  statusOf,
} from '../../support/waiting-orders.ts'

describe('cancelling', () => {
  test('is immediate, closes the payment, and can be repeated', async ({ app }) => {
    const { buyer, document, order, payment } = await aWaitingOrder(app)
    const cancelled = await cancel(app, buyer, order.id)
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      payment: { state: 'cancelled', paymentUrl: null },
    })
    expect(await cancel(app, buyer, order.id)).toEqual(cancelled)
    expect(await stateOf(app, buyer, payment.paymentRef)).toBe('cancelled')
    await expectRefused(aPayment(app, buyer, order.id), 409, 'order_closed')
    await anOrder(app, buyer, [document])
  })

  test('is for the buyer alone', async ({ app }) => {
    const { buyer, order } = await aWaitingOrder(app)
    for (const other of [await app.aCustomer(), await app.anAdministrator()]) {
      await expectRefused(cancel(app, other, order.id), 404, 'order_not_found')
    }
    expect(await statusOf(app, buyer, order.id)).toBe('pending')
  })

  test('is refused for a paid order, also when only the gateway knows', async ({ app }) => {
    const { buyer, order, payment } = await aWaitingOrder(app, 'card')
    await press(app, payment.paymentUrl, 'pay')
    await expectRefused(cancel(app, buyer, order.id), 409, 'order_paid')
    expect(await statusOf(app, buyer, order.id)).toBe('paid')
  })

  test.each(['d17', 'card'] as const)(
    'late money goes to the wallet, and the buyer is notified: %s',
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
      const why = fillText(uiText('ar', 'mail:inWallet.why.cancelled'), { order: String(order.id) })
      expect(mails.filter((text) => text.includes(why))).toHaveLength(1)
      await expectSoundLedger(app)
    },
  )

  test('while the gateway is queried: no buyer is sent there, and its money goes to the wallet', async () => {
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
    fake.report(fake.referenceOf(ours), { state: 'paid', amount: dinars(20) })
    await webhook(app, fake.referenceOf(ours))
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSoundLedger(app)
  })

  test('races with payment, purchase and new payments without a deadlock', async ({ app }) => {
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
      // 100 + 20 received, minus 20 for the document, whoever was first.
      expect(await app.balanceOf(buyer)).toBe(dinars(100))
    }
    await expectSoundLedger(app)
  })
})
