import { describe, expect, onTestFinished, test } from 'vitest'
import { listPurchased } from '../../src/contract/library.ts'
import { getOrder, getPayment } from '../../src/contract/orders.ts'
import { directPay, initiateRecharge } from '../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { ALLOWANCES } from '../../src/server/http/rate-limits.ts'
import { expireOrders, settleDue } from '../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS, CHECK_PAUSE_MS } from '../../src/server/money/gateway-checks.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type FakeGateway, fakeGateway } from '../support/fake-gateway.ts'
import {
  again,
  anOrder,
  aPayment,
  comeBack,
  expectSoundLedger,
  webhook,
} from '../support/payments.ts'

/** A shop in front of a gateway that does as it is told. */
async function shopWithFake() {
  const fake = fakeGateway()
  const app = await testApp({ deps: { gateway: fake.gateway } })
  return { app, fake }
}

/** A buyer with a pending order of 20 dinars, and its started payment. */
async function started(app: TestApp, fake: FakeGateway) {
  const buyer = await app.aCustomer()
  const document = await app.aDocument({ price: dinars(20) })
  const order = await anOrder(app, buyer, [document])
  const { paymentRef } = await aPayment(app, buyer, order.id)
  const reference = fake.referenceOf(paymentRef)
  const paid = { state: 'paid' as const, amount: dinars(20) }
  const status = async () =>
    (await app.call(getOrder, { as: await again(app, buyer), params: { id: order.id } })).status
  return { buyer, document, order, paymentRef, reference, paid, status }
}

const reports = (app: TestApp) => app.reports

describe('what a gateway tells', () => {
  test('counts only with the exact amount', async () => {
    const { app, fake } = await shopWithFake()
    const { buyer, reference, status } = await started(app, fake)
    for (const amount of [0, dinars(19.99), dinars(20.01), dinars(2)]) {
      fake.say(reference, { state: 'paid', amount })
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
    fake.say(mine.reference, { ...mine.paid, reference: theirs.paymentRef })
    await webhook(app, mine.reference)
    expect([await mine.status(), await theirs.status()]).toEqual(['pending', 'pending'])
    expect(reports(app)[0]).toContain('another order')
    fake.say('f'.repeat(24), { ...mine.paid, reference: 'not-one-of-ours-00000000' })
    await webhook(app, 'f'.repeat(24))
    await expectSoundLedger(app)
  })

  test('counts before the gateway’s own answer has come', async () => {
    const { app, fake } = await shopWithFake()
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const order = await anOrder(app, buyer, [document])
    fake.fail(true)
    const refused = { code: 'gateway_unavailable', status: 503 }
    await expect(aPayment(app, buyer, order.id)).rejects.toMatchObject(refused)
    fake.fail(false)
    // Nobody here knows its reference; it is paid all the same.
    const ours = fake.opened[0]?.reference ?? ''
    fake.say(fake.referenceOf(ours), { state: 'paid', amount: dinars(20) })
    await webhook(app, fake.referenceOf(ours))
    expect(await app.call(listPurchased, { as: buyer })).toHaveLength(1)
    expect((await app.call(getPayment, { as: buyer, query: { paymentRef: ours } })).state).toBe(
      'paid',
    )
    await expectSoundLedger(app)
  })

  test('of the same payment paid twice puts the second amount into the wallet, once', async () => {
    const { app, fake } = await shopWithFake()
    const { buyer, paymentRef, reference, paid, status } = await started(app, fake)
    const second = 'e'.repeat(24)
    fake.say(reference, paid)
    fake.say(second, { ...paid, reference: paymentRef })
    await Promise.all([reference, second, second, reference, second].map((r) => webhook(app, r)))
    await webhook(app, second)
    expect(await status()).toBe('paid')
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    await expectSoundLedger(app)
  })

  test('of a failure is noted, and a later success counts', async () => {
    const { app, fake } = await shopWithFake()
    const { buyer, paymentRef, reference, paid, status } = await started(app, fake)
    const state = async () =>
      (await app.call(getPayment, { as: buyer, query: { paymentRef } })).state
    fake.say(reference, { state: 'expired' })
    await webhook(app, reference)
    expect([await state(), await status()]).toEqual(['expired', 'pending'])
    fake.say(reference, paid)
    app.travel(CHECK_PAUSE_MAX_MS)
    await webhook(app, reference)
    expect([await state(), await status()]).toEqual(['paid', 'paid'])
  })
})

describe('a gateway that is away', () => {
  test('leaves the order to continue with, and never makes a second one', async () => {
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
      await expect(pay()).rejects.toMatchObject({ code: 'gateway_unavailable' })
    }
    fake.fail(false)
    const answer = await direct()
    expect(answer).toMatchObject({ status: 'PENDING' })
    expect(await direct()).toEqual(answer)
    expect(await recharge()).toEqual(await recharge())
    const orders = await app.deps.database.kysely.selectFrom('orders').selectAll().execute()
    expect(orders).toHaveLength(1)
  })

  test('and never answers holds no transaction and delays nobody else', async () => {
    const { app, fake } = await shopWithFake()
    onTestFinished(() => fake.hang(false))
    const { buyer, paymentRef, reference } = await started(app, fake)
    const other = await anOrder(app, buyer, [await app.aDocument({ price: dinars(30) })])
    fake.hang(true)
    const asked = fake.reads()
    const waiting = [
      aPayment(app, buyer, other.id).catch((error) => error),
      ...Array.from({ length: 20 }, () => webhook(app, reference)),
      ...Array.from({ length: 20 }, () =>
        app.request('GET', `/api/orderss/payment/success?paymentRef=${paymentRef}`),
      ),
    ]
    await expect.poll(() => fake.reads()).toBe(asked + 1)
    await expect.poll(() => fake.opened.length).toBe(2)
    // The gateway stays silent until the end of this test: what is answered here does not wait for it.
    expect((await app.request('GET', '/api/category')).status).toBe(200)
    // Those who came back are not kept waiting for the gateway: it is still silent.
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

describe('the gateway is asked seldom', () => {
  /** A shop whose clock stands still until a test moves it. */
  async function atOneMoment() {
    const fake = fakeGateway()
    let moment = Date.now()
    const app = await testApp({ deps: { gateway: fake.gateway, now: () => moment } })
    const pass = (milliseconds: number) => {
      moment += milliseconds
    }
    return { app, fake, pass, ...(await started(app, fake)) }
  }

  test('by 200 webhooks of one payment, one after the other or at once', async () => {
    const { app, fake, reference, pass } = await atOneMoment()
    const asked = fake.reads()
    for (let at = 0; at < 200; at++) await webhook(app, reference)
    expect(fake.reads() - asked).toBe(1)
    pass(CHECK_PAUSE_MS)
    await Promise.all(Array.from({ length: 200 }, () => webhook(app, reference)))
    expect(fake.reads() - asked).toBe(2)
  })

  test('the pauses grow, up to a bound', async () => {
    const { app, fake, reference, pass } = await atOneMoment()
    const asked = fake.reads()
    for (let second = 0; second < 600; second++) {
      await webhook(app, reference)
      pass(1000)
    }
    expect(fake.reads() - asked).toBeLessThan(600_000 / CHECK_PAUSE_MAX_MS + 5)
    expect(fake.reads() - asked).toBeGreaterThan(600_000 / CHECK_PAUSE_MAX_MS)
  })

  test('by every kind of signal together', async () => {
    const { app, fake, buyer, reference, paymentRef } = await atOneMoment()
    const asked = fake.reads()
    await Promise.all(
      Array.from({ length: 20 }, () => [
        webhook(app, reference),
        webhook(app, paymentRef),
        comeBack(app, `/api/orderss/payment/success?paymentRef=${paymentRef}`),
        comeBack(app, `/api/orderss/payment/cancel?payment_ref=${reference}`),
        app.call(getPayment, { as: buyer, query: { paymentRef } }),
      ]).flat(),
    )
    expect(fake.reads() - asked).toBe(1)
  })

  test('a signal in the pause is left to the poller, soon', async () => {
    const { app, fake, reference, paid, status, pass } = await atOneMoment()
    await webhook(app, reference)
    fake.say(reference, paid)
    await webhook(app, reference)
    expect(await status()).toBe('pending')
    expect(await settleDue(app.deps)).toBe(0)
    pass(CHECK_PAUSE_MS)
    expect(await settleDue(app.deps)).toBe(1)
    expect(await status()).toBe('paid')
  })

  test('a signal during a check that began before it is left to the poller, too', async () => {
    const { app, fake, reference, paid, status, pass } = await atOneMoment()
    onTestFinished(() => fake.hang(false))
    const asked = fake.reads()
    fake.hang(true)
    const first = webhook(app, reference)
    await expect.poll(() => fake.reads()).toBe(asked + 1)
    const second = webhook(app, reference)
    // Both give up waiting for the gateway, which then says what was so before.
    await Promise.all([first, second])
    fake.hang(false)
    fake.say(reference, { ...paid, state: 'pending' })
    await expect
      .poll(async () => {
        fake.say(reference, paid)
        pass(CHECK_PAUSE_MAX_MS)
        await settleDue(app.deps)
        return status()
      })
      .toBe('paid')
  })

  test('a browser that returns while its webhook is being handled learns that the order is paid', async () => {
    const { app, fake, buyer, reference, paymentRef, paid } = await atOneMoment()
    fake.say(reference, paid)
    const [, landing] = await Promise.all([
      webhook(app, reference),
      comeBack(app, `/api/orderss/payment/success?paymentRef=${paymentRef}`),
    ])
    expect(landing).toBe(`/my-documents?payment=${paymentRef}`)
    const { state } = await app.call(getPayment, { as: buyer, query: { paymentRef } })
    expect(state).toBe('paid')
  })
})

describe('a reference that nobody knows', () => {
  test('costs one request at most, and only so many a minute', async () => {
    const { app, fake } = await shopWithFake()
    const { max } = ALLOWANCES.unknownReferences
    for (let at = 0; at < max + 20; at++) {
      expect((await webhook(app, `${'a'.repeat(20)}${at + 1000}`)).status).toBe(204)
    }
    expect(fake.reads()).toBe(max)
  })
})

describe('the job', () => {
  test('settles what no webhook or browser reported, and checks less and less often', async () => {
    const { app, fake } = await shopWithFake()
    const all = await Promise.all(Array.from({ length: 25 }, () => started(app, fake)))
    const [unpaid, ...rest] = all
    for (const { reference, paid } of rest) fake.say(reference, paid)
    expect(await settleDue(app.deps)).toBe(0)
    app.travel(MINUTE_MS)
    const runs = await Promise.all([settleDue(app.deps), settleDue(app.deps)])
    expect(runs[0] + runs[1]).toBe(25)
    expect(new Set(await Promise.all(rest.map(({ status }) => status())))).toEqual(
      new Set(['paid']),
    )
    await expectSoundLedger(app)

    const asked: number[] = []
    for (let minute = 2; minute <= 180; minute++) {
      app.travel(MINUTE_MS)
      if ((await settleDue(app.deps)) > 0) asked.push(minute)
    }
    expect(asked).toEqual([2, 5, 15, 75, 135])
    app.travel(72 * HOUR_MS)
    // A gateway that is away does not end the questions.
    fake.fail(true)
    expect(await settleDue(app.deps)).toBe(1)
    fake.fail(false)
    app.travel(HOUR_MS)
    expect(await settleDue(app.deps)).toBe(1)
    app.travel(48 * HOUR_MS)
    expect(await settleDue(app.deps)).toBe(0)
    await expireOrders(app.deps)
    const { paymentRef = '', buyer, reference = '', paid } = unpaid ?? {}
    const state = async () =>
      buyer &&
      (await app.call(getPayment, { as: await again(app, buyer), query: { paymentRef } })).state
    expect(await state()).toBe('expired')
    // Even then.
    fake.say(reference, paid ?? {})
    await comeBack(app, `/api/orderss/payment/success?payment_ref=${reference}`)
    expect(await state()).toBe('paid')
    await expectSoundLedger(app)
  })
})
