import { describe, expect, onTestFinished, test } from 'vitest'
import { listPurchased } from '../../../src/contract/library.ts'
import { getPayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import type { TestApp } from '../../support/app.ts'
import { anOrder, aPayment, expectSoundLedger, webhook } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { shopWithFake, started } from '../../support/started-payment.ts'

const reports = (app: TestApp) => app.reports

describe('what a gateway reports', () => {
  test('counts only with the exact amount', async () => {
    const { app, fake } = await shopWithFake()
    const { buyer, reference, status } = await started(app, fake)
    for (const amount of [0, dinars(19.99), dinars(20.01), dinars(2)]) {
      fake.report(reference, { state: 'paid', amount })
      await webhook(app, reference)
      app.travel(CHECK_PAUSE_MAX_MS)
    }
    expect(await status()).toBe('pending')
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(reports(app)).toHaveLength(4)
    expect(reports(app)[0]).toContain('0 millimes instead of 20000')
    await expectSoundLedger(app)
  })

  test('counts only for our reference', async () => {
    const { app, fake } = await shopWithFake()
    const mine = await started(app, fake)
    const theirs = await started(app, fake)
    fake.report(mine.reference, { ...mine.paid, reference: theirs.paymentRef })
    await webhook(app, mine.reference)
    expect([await mine.status(), await theirs.status()]).toEqual(['pending', 'pending'])
    expect(reports(app)[0]).toContain('another order')
    fake.report('f'.repeat(24), { ...mine.paid, reference: 'not-one-of-ours-00000000' })
    await webhook(app, 'f'.repeat(24))
    await expectSoundLedger(app)
  })

  test('counts before the gateway’s own response has arrived', async () => {
    const { app, fake } = await shopWithFake()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const order = await anOrder(app, buyer, [document])
    fake.fail(true)
    const refused = { code: 'gateway_unavailable', status: 503 }
    await expect(aPayment(app, buyer, order.id)).rejects.toMatchObject(refused)
    fake.fail(false)
    // Its reference is not stored yet; it is settled all the same.
    const ours = fake.opened[0]?.reference ?? ''
    fake.report(fake.referenceOf(ours), { state: 'paid', amount: dinars(20) })
    await webhook(app, fake.referenceOf(ours))
    expect(await app.call(listPurchased, { as: buyer })).toHaveLength(1)
    expect((await app.call(getPayment, { as: buyer, query: { paymentRef: ours } })).state).toBe(
      'paid',
    )
    await expectSoundLedger(app)
  })

  test('when the same payment is paid twice credits the second amount to the wallet, once', async () => {
    const { app, fake } = await shopWithFake()
    const { buyer, paymentRef, reference, paid, status } = await started(app, fake)
    const second = 'e'.repeat(24)
    fake.report(reference, paid)
    fake.report(second, { ...paid, reference: paymentRef })
    await Promise.all([reference, second, second, reference, second].map((r) => webhook(app, r)))
    await webhook(app, second)
    expect(await status()).toBe('paid')
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSoundLedger(app)
  })

  test('about a failure is logged, and a later success counts', async () => {
    const { app, fake } = await shopWithFake()
    const { buyer, paymentRef, reference, paid, status } = await started(app, fake)
    const state = async () =>
      (await app.call(getPayment, { as: buyer, query: { paymentRef } })).state
    fake.report(reference, { state: 'expired' })
    await webhook(app, reference)
    expect([await state(), await status()]).toEqual(['expired', 'pending'])
    fake.report(reference, paid)
    app.travel(CHECK_PAUSE_MAX_MS)
    await webhook(app, reference)
    expect([await state(), await status()]).toEqual(['paid', 'paid'])
  })
})

describe('a gateway that is down', () => {
  test('leaves the order to continue with, and never creates a second one', async () => {
    const { app, fake } = await shopWithFake()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const body = {
      userId: buyer.id,
      amount: 20,
      paymentMethod: 'card' as const,
      documentIds: [document.id],
    }
    const direct = () => app.call(directPay, { as: buyer, key: 'd', body })
    const recharge = () =>
      app.call(initiateRecharge, { as: buyer, key: 'r', body: { userId: buyer.id, amount: 50 } })
    fake.fail(true)
    for (const pay of [direct, recharge, direct, recharge]) {
      await expectRefused(pay(), 503, 'gateway_unavailable')
    }
    fake.fail(false)
    const answer = await direct()
    expect(answer).toMatchObject({ status: 'PENDING' })
    expect(await direct()).toEqual(answer)
    expect(await recharge()).toEqual(await recharge())
    const orders = await app.deps.database.kysely.selectFrom('orders').selectAll().execute()
    expect(orders).toHaveLength(1)
  })

  test('and never responds holds no transaction and delays nobody else', async () => {
    const { app, fake } = await shopWithFake()
    onTestFinished(() => fake.hang(false))
    const { buyer, paymentRef, reference } = await started(app, fake)
    const other = await anOrder(app, buyer, [await app.aDocument({ price: dinars(30) })])
    fake.hang(true)
    const readsBefore = fake.reads()
    const waiting = [
      aPayment(app, buyer, other.id).catch((error) => error),
      ...Array.from({ length: 20 }, () => webhook(app, reference)),
      ...Array.from({ length: 20 }, () =>
        app.request('GET', `/api/orderss/payment/success?paymentRef=${paymentRef}`),
      ),
    ]
    await expect.poll(() => fake.reads()).toBe(readsBefore + 1)
    await expect.poll(() => fake.opened.length).toBe(2)
    // The gateway stays silent until the end of this test: responses here do not wait for it.
    expect((await app.request('GET', '/api/category')).status).toBe(200)
    // Returning browsers do not wait for the gateway: it is still silent.
    const answers = await Promise.all(waiting.slice(1))
    expect(new Set(answers.map((answer) => (answer as { status: number }).status))).toEqual(
      new Set([204, 302]),
    )
    const inTransaction = async () => {
      const { rows } = await app.deps.database.pool.query(
        `SELECT state FROM pg_stat_activity WHERE datname = current_database()
         AND pid <> pg_backend_pid() AND (state LIKE 'idle in transaction%' OR state = 'active')`,
      )
      return rows
    }
    await expect.poll(inTransaction).toEqual([])
    fake.hang(false)
    expect(await waiting[0]).toMatchObject({ paymentUrl: expect.stringContaining('https:') })
  })
})
