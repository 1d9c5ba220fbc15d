import { describe, expect, onTestFinished, test } from 'vitest'
import { getOrder, getPayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge } from '../../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { expireOrders, settleDue } from '../../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS, CHECK_PAUSE_MS } from '../../../src/server/money/gateway-checks.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { type FakeGateway, fakeGateway } from '../../support/fake-gateway.ts'
import {
  anOrder,
  aPayment,
  expectSoundLedger,
  returnToShop,
  webhook,
  withFreshToken,
} from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { ownedIds } from '../../support/wallet.ts'

/** A shop with a gateway that does what a test sets. */
async function aShop() {
  const fake = fakeGateway()
  const app = await testApp({ deps: { gateway: fake.gateway } })
  return { app, fake }
}

/** A buyer with a pending order of 20 dinars, and its started payment. */
async function started(app: TestApp, fake: FakeGateway) {
  const buyer = await app.aCustomer()
  const [document] = await app.documentsAt(20)
  const { id } = await anOrder(app, buyer, [document])
  const { paymentRef } = await aPayment(app, buyer, id)
  const reference = fake.referenceOf(paymentRef)
  const paid = { state: 'paid' as const, amount: dinars(20) }
  const status = async () =>
    (await app.call(getOrder, { as: await withFreshToken(app, buyer), params: { id } })).status
  const state = async () =>
    (await app.call(getPayment, { as: await withFreshToken(app, buyer), query: { paymentRef } }))
      .state
  return { buyer, document, paymentRef, reference, paid, status, state }
}

async function aStartedPayment() {
  const shop = await aShop()
  return { ...shop, ...(await started(shop.app, shop.fake)) }
}

describe('what a gateway reports', () => {
  test('counts only with the exact amount', async () => {
    const { app, fake, buyer, reference, status } = await aStartedPayment()
    for (const amount of [0, dinars(19.99), dinars(20.01), dinars(2)]) {
      fake.report(reference, { state: 'paid', amount })
      await webhook(app, reference)
      app.travel(CHECK_PAUSE_MAX_MS)
    }
    expect(await status()).toBe('pending')
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(app.reports).toHaveLength(4)
    expect(app.reports[0]).toContain('0 millimes instead of 20000')
    await expectSoundLedger(app)
  })

  test('counts only for our reference', async () => {
    const { app, fake, ...mine } = await aStartedPayment()
    const theirs = await started(app, fake)
    fake.report(mine.reference, { ...mine.paid, reference: theirs.paymentRef })
    await webhook(app, mine.reference)
    expect([await mine.status(), await theirs.status()]).toEqual(['pending', 'pending'])
    expect(app.reports[0]).toContain('another order')
    fake.report('f'.repeat(24), { ...mine.paid, reference: 'not-one-of-ours-00000000' })
    await webhook(app, 'f'.repeat(24))
    await expectSoundLedger(app)
  })

  test('counts before the gateway’s own response has arrived', async () => {
    const { app, fake } = await aShop()
    const buyer = await app.aCustomer()
    const [document] = await app.documentsAt(20)
    const order = await anOrder(app, buyer, [document])
    fake.fail(true)
    await expectCode(aPayment(app, buyer, order.id), 'gateway_unavailable')
    fake.fail(false)
    // Its reference is not stored yet; it is settled all the same.
    const ours = fake.opened[0]?.reference ?? ''
    fake.report(fake.referenceOf(ours), { state: 'paid', amount: dinars(20) })
    await webhook(app, fake.referenceOf(ours))
    expect(await ownedIds(app, buyer)).toEqual([document.id])
    const query = { paymentRef: ours }
    expect(await app.call(getPayment, { as: buyer, query })).toMatchObject({ state: 'paid' })
    await expectSoundLedger(app)
  })

  test('when the same payment is paid twice credits the second amount to the wallet, once', async () => {
    const { app, fake, buyer, paymentRef, reference, paid, status } = await aStartedPayment()
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
    const { app, fake, reference, paid, status, state } = await aStartedPayment()
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
    const { app, fake } = await aShop()
    const buyer = await app.aCustomer()
    const [{ id }] = await app.documentsAt(20)
    const userId = buyer.id
    const body = { userId, amount: 20, paymentMethod: 'card' as const, documentIds: [id] }
    const direct = () => app.call(directPay, { as: buyer, key: 'd', body })
    const recharge = () =>
      app.call(initiateRecharge, { as: buyer, key: 'r', body: { userId, amount: 50 } })
    fake.fail(true)
    for (const pay of [direct, recharge, direct, recharge]) {
      await expectCode(pay(), 'gateway_unavailable')
    }
    fake.fail(false)
    const answer = await direct()
    expect(answer).toMatchObject({ status: 'PENDING' })
    expect(await direct()).toEqual(answer)
    expect(await recharge()).toEqual(await recharge())
    const orders = await app.kysely.selectFrom('orders').selectAll().execute()
    expect(orders).toHaveLength(1)
    // A browser that comes back while it is down again gets to its page.
    fake.fail(true)
    const back = `/api/orderss/payment/success?paymentRef=${answer.paymentRef}`
    expect(await returnToShop(app, back)).toBe(`/my-documents?payment=${answer.paymentRef}`)
  })

  test('and never responds holds no transaction and delays nobody else', async () => {
    const { app, fake, buyer, paymentRef, reference } = await aStartedPayment()
    onTestFinished(() => fake.hang(false))
    const other = await anOrder(app, buyer, await app.documentsAt(30))
    fake.hang(true)
    const readsBefore = fake.reads()
    const starting = aPayment(app, buyer, other.id)
    const signals = Array.from({ length: 20 }, () => [
      webhook(app, reference),
      app.request('GET', `/api/orderss/payment/success?paymentRef=${paymentRef}`),
    ]).flat()
    await expect.poll(() => fake.reads()).toBe(readsBefore + 1)
    await expect.poll(() => fake.opened.length).toBe(2)
    // The gateway stays silent until the end of this test: responses here do not wait for it.
    expect((await app.request('GET', '/api/category')).status).toBe(200)
    // Neither do returning browsers.
    const answers = await Promise.all(signals)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 302]))
    const inTransaction = async () => {
      const { rows } = await app.deps.database.pool.query(
        `SELECT state FROM pg_stat_activity WHERE datname = current_database()
         AND pid <> pg_backend_pid() AND (state LIKE 'idle in transaction%' OR state = 'active')`,
      )
      return rows
    }
    await expect.poll(inTransaction).toEqual([])
    fake.hang(false)
    expect(await starting).toMatchObject({ paymentUrl: expect.stringContaining('https:') })
  })
})

describe('the gateway is queried rarely', () => {
  /** A started payment in a shop whose clock stands still until a test moves it. */
  async function atOneMoment() {
    const fake = fakeGateway()
    let moment = Date.now()
    const app = await testApp({ deps: { gateway: fake.gateway, now: () => moment } })
    const payment = await started(app, fake)
    const readsBefore = fake.reads()
    const pass = (milliseconds: number) => {
      moment += milliseconds
    }
    return { app, fake, pass, ...payment, reads: () => fake.reads() - readsBefore }
  }

  test('for 200 webhooks of one payment, sequential or concurrent', async () => {
    const { app, reads, reference, pass } = await atOneMoment()
    for (let at = 0; at < 200; at++) await webhook(app, reference)
    expect(reads()).toBe(1)
    pass(CHECK_PAUSE_MS)
    await Promise.all(Array.from({ length: 200 }, () => webhook(app, reference)))
    expect(reads()).toBe(2)
  })

  test('with pauses that grow, up to a limit', async () => {
    const { app, reads, reference, pass } = await atOneMoment()
    for (let second = 0; second < 600; second++) {
      await webhook(app, reference)
      pass(1000)
    }
    expect(reads()).toBeLessThan(600_000 / CHECK_PAUSE_MAX_MS + 5)
    expect(reads()).toBeGreaterThan(600_000 / CHECK_PAUSE_MAX_MS)
  })

  test('for every kind of signal together', async () => {
    const { app, reads, reference, paymentRef, state } = await atOneMoment()
    await Promise.all(
      Array.from({ length: 20 }, () => [
        webhook(app, reference),
        webhook(app, paymentRef),
        returnToShop(app, `/api/orderss/payment/success?paymentRef=${paymentRef}`),
        returnToShop(app, `/api/orderss/payment/cancel?payment_ref=${reference}`),
        state(),
      ]).flat(),
    )
    expect(reads()).toBe(1)
  })

  test('a signal during the pause is left to the poller, which runs soon', async () => {
    const { app, fake, reference, paid, status, pass } = await atOneMoment()
    await webhook(app, reference)
    fake.report(reference, paid)
    await webhook(app, reference)
    expect(await status()).toBe('pending')
    expect(await settleDue(app.deps)).toBe(0)
    pass(CHECK_PAUSE_MS)
    expect(await settleDue(app.deps)).toBe(1)
    expect(await status()).toBe('paid')
  })

  test('a signal during an older check is left to the poller, too', async () => {
    const { app, fake, reads, reference, paid, status, pass } = await atOneMoment()
    onTestFinished(() => fake.hang(false))
    fake.hang(true)
    const first = webhook(app, reference)
    await expect.poll(reads).toBe(1)
    const second = webhook(app, reference)
    // Both stop waiting for the gateway, which then reports the earlier state.
    await Promise.all([first, second])
    fake.hang(false)
    fake.report(reference, { ...paid, state: 'pending' })
    await expect
      .poll(async () => {
        fake.report(reference, paid)
        pass(CHECK_PAUSE_MAX_MS)
        await settleDue(app.deps)
        return status()
      })
      .toBe('paid')
  })

  test('a browser that returns while its webhook is being handled learns that the order is paid', async () => {
    const { app, fake, reference, paymentRef, paid, state } = await atOneMoment()
    fake.report(reference, paid)
    const [, landing] = await Promise.all([
      webhook(app, reference),
      returnToShop(app, `/api/orderss/payment/success?paymentRef=${paymentRef}`),
    ])
    expect(landing).toBe(`/my-documents?payment=${paymentRef}`)
    expect(await state()).toBe('paid')
  })

  test('for an unknown reference at most once, and for all of them a limited number per minute', async () => {
    const { app, fake } = await aShop()
    const { max } = ALLOWANCES.unknownReferences
    for (let at = 0; at < max + 20; at++) {
      expect((await webhook(app, `${'a'.repeat(20)}${at + 1000}`)).status).toBe(204)
    }
    expect(fake.reads()).toBe(max)
  })
})

test('the job settles what no webhook or browser reported, and checks less and less often', async () => {
  const { app, fake, ...unpaid } = await aStartedPayment()
  const rest = await Promise.all(Array.from({ length: 24 }, () => started(app, fake)))
  for (const { reference, paid } of rest) fake.report(reference, paid)
  expect(await settleDue(app.deps)).toBe(0)
  app.travel(MINUTE_MS)
  const runs = await Promise.all([settleDue(app.deps), settleDue(app.deps)])
  expect(runs[0] + runs[1]).toBe(25)
  const statuses = await Promise.all(rest.map(({ status }) => status()))
  expect(statuses).toEqual(rest.map(() => 'paid'))
  await expectSoundLedger(app)

  const checkedAt: number[] = []
  for (let minute = 2; minute <= 180; minute++) {
    app.travel(MINUTE_MS)
    if ((await settleDue(app.deps)) > 0) checkedAt.push(minute)
  }
  expect(checkedAt).toEqual([2, 5, 15, 75, 135])
  app.travel(72 * HOUR_MS)
  // A gateway that is down does not end the checks.
  fake.fail(true)
  expect(await settleDue(app.deps)).toBe(1)
  fake.fail(false)
  app.travel(HOUR_MS)
  expect(await settleDue(app.deps)).toBe(1)
  app.travel(48 * HOUR_MS)
  expect(await settleDue(app.deps)).toBe(0)
  await expireOrders(app.deps)
  expect(await unpaid.state()).toBe('expired')
  // Even then.
  fake.report(unpaid.reference, unpaid.paid)
  await returnToShop(app, `/api/orderss/payment/success?payment_ref=${unpaid.reference}`)
  expect(await unpaid.state()).toBe('paid')
  await expectSoundLedger(app)
})
