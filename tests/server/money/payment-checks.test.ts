import { describe, expect, onTestFinished, test } from 'vitest'
import { getPayment } from '../../../src/contract/orders.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { expireOrders, settleDue } from '../../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS, CHECK_PAUSE_MS } from '../../../src/server/money/gateway-checks.ts'
import { testApp } from '../../support/app.ts'
import { fakeGateway } from '../../support/fake-gateway.ts'
import { expectSoundLedger, returnToShop, webhook, withFreshToken } from '../../support/payments.ts'
import { shopWithFake, started } from '../../support/started-payment.ts'

describe('the gateway is queried rarely', () => {
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

  test('for 200 webhooks of one payment, sequential or concurrent', async () => {
    const { app, fake, reference, pass } = await atOneMoment()
    const readsBefore = fake.reads()
    for (let at = 0; at < 200; at++) await webhook(app, reference)
    expect(fake.reads() - readsBefore).toBe(1)
    pass(CHECK_PAUSE_MS)
    await Promise.all(Array.from({ length: 200 }, () => webhook(app, reference)))
    expect(fake.reads() - readsBefore).toBe(2)
  })

  test('with pauses that grow, up to a limit', async () => {
    const { app, fake, reference, pass } = await atOneMoment()
    const readsBefore = fake.reads()
    for (let second = 0; second < 600; second++) {
      await webhook(app, reference)
      pass(1000)
    }
    expect(fake.reads() - readsBefore).toBeLessThan(600_000 / CHECK_PAUSE_MAX_MS + 5)
    expect(fake.reads() - readsBefore).toBeGreaterThan(600_000 / CHECK_PAUSE_MAX_MS)
  })

  test('for every kind of signal together', async () => {
    const { app, fake, buyer, reference, paymentRef } = await atOneMoment()
    const readsBefore = fake.reads()
    await Promise.all(
      Array.from({ length: 20 }, () => [
        webhook(app, reference),
        webhook(app, paymentRef),
        returnToShop(app, `/api/orderss/payment/success?paymentRef=${paymentRef}`),
        returnToShop(app, `/api/orderss/payment/cancel?payment_ref=${reference}`),
        app.call(getPayment, { as: buyer, query: { paymentRef } }),
      ]).flat(),
    )
    expect(fake.reads() - readsBefore).toBe(1)
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
    const { app, fake, reference, paid, status, pass } = await atOneMoment()
    onTestFinished(() => fake.hang(false))
    const readsBefore = fake.reads()
    fake.hang(true)
    const first = webhook(app, reference)
    await expect.poll(() => fake.reads()).toBe(readsBefore + 1)
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
    const { app, fake, buyer, reference, paymentRef, paid } = await atOneMoment()
    fake.report(reference, paid)
    const [, landing] = await Promise.all([
      webhook(app, reference),
      returnToShop(app, `/api/orderss/payment/success?paymentRef=${paymentRef}`),
    ])
    expect(landing).toBe(`/my-documents?payment=${paymentRef}`)
    const { state } = await app.call(getPayment, { as: buyer, query: { paymentRef } })
    expect(state).toBe('paid')
  })
})

describe('an unknown reference', () => {
  test('costs at most one request, and a limited number per minute', async () => {
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
    for (const { reference, paid } of rest) fake.report(reference, paid)
    expect(await settleDue(app.deps)).toBe(0)
    app.travel(MINUTE_MS)
    const runs = await Promise.all([settleDue(app.deps), settleDue(app.deps)])
    expect(runs[0] + runs[1]).toBe(25)
    expect(new Set(await Promise.all(rest.map(({ status }) => status())))).toEqual(
      new Set(['paid']),
    )
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
    const { paymentRef = '', buyer, reference = '', paid } = unpaid ?? {}
    const state = async () =>
      buyer &&
      (await app.call(getPayment, { as: await withFreshToken(app, buyer), query: { paymentRef } }))
        .state
    expect(await state()).toBe('expired')
    // Even then.
    fake.report(reference, paid ?? {})
    await returnToShop(app, `/api/orderss/payment/success?payment_ref=${reference}`)
    expect(await state()).toBe('paid')
    await expectSoundLedger(app)
  })
})
