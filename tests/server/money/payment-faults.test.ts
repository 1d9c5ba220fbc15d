// @one-database: it is about a gateway.
import { describe, expect, test } from 'vitest'
import { paymentWebhook } from '../../../src/contract/orders.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import type { KonnectOptions } from '../../support/konnect.ts'
import { BROKEN_ANSWERS, type Fault, WRONG_FIELDS } from '../../support/konnect-faults.ts'
import {
  anOrder,
  aShop,
  aTopUp,
  expectBooksAgree,
  expectCredited,
  type Shop,
  type Started,
} from '../../support/konnect-payments.ts'

/** Runs the poller for an hour and a half of the shop's clock. */
async function pollForHours({ app }: Shop): Promise<void> {
  for (const pause of [2, 4, 8, 16, 61].map((minutes) => minutes * MINUTE_MS)) {
    app.travel(pause)
    while ((await settleDue(app.deps)) > 0);
  }
}

describe('with signals that are', () => {
  test.each<[string, KonnectOptions]>([
    ['repeated five times', { duplicate: 1 }],
    ['partly dropped', { drop: 0.3 }],
    ['held back and reordered', { hold: 1, duplicate: 0.5 }],
    ['before the response to init', { early: 1 }],
    ['all of these', { drop: 0.3, duplicate: 0.3, hold: 0.5, early: 0.3 }],
  ])('%s: each payment counts once', async (_, wish) => {
    const shop = await aShop(wish)
    const payments: Started[] = []
    for (let at = 0; at < 8; at++) payments.push(await (at % 2 ? anOrder : aTopUp)(shop))
    for (const { reference } of payments) shop.konnect.pay(reference)
    await shop.konnect.deliver()
    await pollForHours(shop)
    await expectBooksAgree(shop)
    for (const payment of payments) await expectCredited(shop, payment)
  })
})

describe('all webhooks dropped and no browser returning', () => {
  test('the poller settles every payment', async () => {
    const shop = await aShop({ drop: 1 })
    const payments: Started[] = []
    for (let at = 0; at < 40; at++) payments.push(await aTopUp(shop))
    for (const [at, { reference }] of payments.entries()) {
      if (at % 2 === 0) shop.konnect.pay(reference)
    }
    await pollForHours(shop)
    // The others pay late, when the gateway is queried hourly.
    for (const [at, { reference }] of payments.entries()) {
      if (at % 2 === 1) shop.konnect.pay(reference)
    }
    shop.app.travel(HOUR_MS)
    while ((await settleDue(shop.app.deps)) > 0);
    await expectBooksAgree(shop)
    for (const payment of payments) await expectCredited(shop, payment)
  })
})

describe('a gateway that is down at the last check', () => {
  test('is queried again until it has responded', async () => {
    const shop = await aShop({ drop: 1 })
    const payment = await aTopUp(shop)
    await pollForHours(shop)
    shop.konnect.pay(payment.reference)
    shop.konnect.behave({ cut: 1 })
    shop.app.travel(ORDER_LIFETIME_MS)
    while ((await settleDue(shop.app.deps)) > 0);
    expect(await shop.app.balanceOf(payment.payer)).toBe(0)

    shop.konnect.behave({})
    shop.app.travel(HOUR_MS)
    await settleDue(shop.app.deps)
    await expectBooksAgree(shop)
    await expectCredited(shop, payment)
    // And then the queries stop.
    const requestsBefore = shop.konnect.requests.length
    shop.app.travel(24 * HOUR_MS)
    expect(await settleDue(shop.app.deps)).toBe(0)
    expect(shop.konnect.requests).toHaveLength(requestsBefore)
  })

  test('checks a payment that is never paid only once after its expiry', async () => {
    const shop = await aShop()
    await aTopUp(shop)
    shop.app.travel(ORDER_LIFETIME_MS + HOUR_MS)
    expect(await settleDue(shop.app.deps)).toBe(1)
    shop.app.travel(24 * HOUR_MS)
    expect(await settleDue(shop.app.deps)).toBe(0)
  })
})

describe('with a gateway whose responses are', () => {
  test.each(BROKEN_ANSWERS)(
    '%s: nothing counts until it responds, and then once',
    async (fault) => {
      const shop = await aShop()
      const payment = await aTopUp(shop)
      shop.konnect.behave({ [fault]: 1 })
      shop.konnect.pay(payment.reference)
      await shop.konnect.deliver()
      expect(await shop.app.balanceOf(payment.payer)).toBe(0)

      shop.konnect.behave({})
      await pollForHours(shop)
      await expectBooksAgree(shop)
      await expectCredited(shop, payment)
    },
  )

  test.each(['error', 'garbage', 'cut'] as const)(
    '%s every second time, to init and to reads: a paid amount counts once',
    async (fault: Fault) => {
      const shop = await aShop({ [fault]: 0.5 })
      const payments: Started[] = []
      for (let at = 0; at < 6; at++) payments.push(await aTopUp(shop))
      for (const { reference } of payments) shop.konnect.pay(reference)
      await shop.konnect.deliver()
      await pollForHours(shop)
      shop.konnect.behave({})
      await pollForHours(shop)
      await expectBooksAgree(shop)
      for (const payment of payments) await expectCredited(shop, payment)
    },
  )

  test.each(WRONG_FIELDS)('%s: nothing counts while it reports this', async (lie) => {
    const shop = await aShop({ [lie]: 1 })
    const payment = await aTopUp(shop)
    shop.konnect.pay(payment.reference)
    await shop.konnect.deliver()
    await pollForHours(shop)
    expect(await shop.app.balanceOf(payment.payer)).toBe(0)
    // In the end the gateway tells the truth; even a payment that it called expired was paid.
    shop.konnect.behave({})
    await shop.konnect.webhook(payment.reference)
    await expectBooksAgree(shop)
    await expectCredited(shop, payment)
  })

  test('any amount but the requested one is never credited', async () => {
    const shop = await aShop({ duplicate: 1 })
    for (const wrong of [10, -10, dinars(1000)]) {
      const payment = await aTopUp(shop)
      shop.konnect.pay(payment.reference, payment.amount + wrong)
      await shop.konnect.deliver()
      await pollForHours(shop)
      expect(await shop.app.balanceOf(payment.payer)).toBe(0)
    }
    await expectBooksAgree(shop)
  })

  test('one payment’s reference cannot settle another', async () => {
    const shop = await aShop({ drop: 1 })
    const [cheap, expensive] = [await aTopUp(shop, dinars(10)), await aTopUp(shop, dinars(500))]
    shop.konnect.pay(cheap.reference)
    const theirs = shop.konnect.payment(cheap.reference).id
    for (const query of [
      { paymentRef: expensive.reference, payment_ref: theirs },
      { paymentRef: theirs, payment_ref: expensive.reference },
    ]) {
      await shop.app.call(paymentWebhook, { query })
    }
    expect(await shop.app.balanceOf(expensive.payer)).toBe(0)
    await pollForHours(shop)
    expect(await shop.app.balanceOf(expensive.payer)).toBe(0)
    await expectCredited(shop, cheap)
    await expectBooksAgree(shop)
  })
})
