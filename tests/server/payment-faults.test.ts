// @one-database: it is about a gateway.

import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createOrder,
  getPayment,
  initiatePayment,
  paymentWebhook,
} from '../../src/contract/orders.ts'
import { initiateRecharge } from '../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/rules/durations.ts'
import { dinars, inDinars, type Millimes } from '../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../src/rules/payment-methods.ts'
import { settleDue } from '../../src/server/money/due-payments.ts'
import { konnectGateway } from '../../src/server/money/gateways/konnect.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { amount } from '../support/amount.ts'
import { type RefusedCall, type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { type KonnectStandIn, type KonnectWish, startKonnect } from '../support/konnect.ts'
import { BROKEN_ANSWERS, type Fault, LIES } from '../support/konnect-mischief.ts'

// M5 in full, 200 payments under 100 signals each, and M6 in full:
// `PAYMENTS=200 FORGED=10000 vitest run tests/server/payment-faults.test.ts`.
const PAYMENTS = Number(process.env.PAYMENTS ?? 12)
const FORGED = amount('FORGED', { usual: 100, long: 1000 })
const SEED = Number(process.env.FAULT_SEED ?? 1)

vi.setConfig({ testTimeout: 120_000 + PAYMENTS * 3000 + FORGED * 50 })

interface Shop {
  app: TestApp
  konnect: KonnectStandIn
}

async function aShop(wish: KonnectWish = {}): Promise<Shop> {
  const konnect = await startKonnect({ seed: SEED, ...wish })
  onTestFinished(konnect.stop)
  // So short that a gateway that hangs does not hold up the test; nobody else here is slow.
  const gateway = konnectGateway(konnect.config, { timeout: 1000 })
  const app = await testApp({ env: konnect.env, deps: { gateway } })
  konnect.callsBackAt(app.url)
  return { app, konnect }
}

interface Started {
  readonly payer: Person
  readonly reference: string
  readonly amount: Millimes
}

/** A top-up by a new customer; tried again, as people do, until the gateway takes it. */
async function aTopUp({ app }: Shop, amount: Millimes = dinars(20)): Promise<Started> {
  const payer = await app.aCustomer()
  const body = { userId: payer.id, amount: inDinars(amount) }
  for (let key = 0; ; key++) {
    const started = await app
      .call(initiateRecharge, { as: payer, key: `k${key}`, body })
      .catch((error: RefusedCall) => (error.code === 'gateway_unavailable' ? null : error))
    if (started instanceof Error) throw started
    if (started) return { payer, reference: started.paymentRef, amount }
  }
}

/** An order of one document by a new customer. */
async function anOrder({ app }: Shop, amount: Millimes = dinars(20)): Promise<Started> {
  const payer = await app.aCustomer()
  const document = await app.aDocument({ price: amount })
  const body = { userId: payer.id, orderDocs: [{ documentId: document.id }] }
  const { id } = await app.call(createOrder, { as: payer, key: 'k', body })
  const { paymentRef } = await app.call(initiatePayment, {
    as: payer,
    key: 'p',
    params: { provider: 'konnect' },
    query: { orderId: id },
  })
  return { payer, reference: paymentRef, amount }
}

/** The poller's rounds of an hour and a half, by the shop's clock. */
async function pollForHours({ app }: Shop): Promise<void> {
  for (const pause of [2, 4, 8, 16, 61].map((minutes) => minutes * MINUTE_MS)) {
    app.travel(pause)
    while ((await settleDue(app.deps)) > 0);
  }
}

/**
 * Compares the shop's books with the gateway's: each payment that was really made in full brought
 * its amount once, and nothing else brought anything.
 */
async function expectBooksAgree({ app, konnect }: Shop): Promise<void> {
  const { kysely } = app.deps.database
  const made = [...konnect.books.values()].filter(({ paid, amount }) => paid === amount)
  const { rows } = await sql<{ reference: string; amount: Millimes; times: number }>`
    SELECT p.reference, -sum(e.amount)::bigint AS amount, count(*)::integer AS times
    FROM ledger_entries e
    JOIN ledger_transactions t ON t.id = e.transaction_id
    JOIN accounts a ON a.id = e.account_id AND a.kind = 'gateway'
    LEFT JOIN payments p ON p.id = t.payment_id
    GROUP BY p.reference`.execute(kysely)
  const booked = rows.map(({ reference, amount, times }) => ({ reference, amount, times }))
  const byReference = (a: { reference: string }, b: { reference: string }) =>
    a.reference < b.reference ? -1 : 1
  expect(booked.sort(byReference)).toEqual(
    made.map(({ orderId, amount }) => ({ reference: orderId, amount, times: 1 })).sort(byReference),
  )
  const report = await checkLedger(kysely)
  expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
}

async function expectCredited({ app }: Shop, { payer, amount }: Started): Promise<void> {
  const { rows } = await sql<{ worth: Millimes }>`
    SELECT (coalesce((SELECT balance FROM accounts WHERE user_id = ${payer.id}), 0)
      + coalesce((SELECT sum(price) FROM purchases WHERE user_id = ${payer.id}), 0))::bigint
      AS worth`.execute(app.deps.database.kysely)
  expect(rows[0]?.worth).toBe(amount)
}

describe('with signals that are', () => {
  test.each<[string, KonnectWish]>([
    ['repeated five times', { duplicate: 1 }],
    ['partly dropped', { drop: 0.3 }],
    ['held back and reordered', { hold: 1, duplicate: 0.5 }],
    ['before the answer to init', { early: 1 }],
    ['all of this', { drop: 0.3, duplicate: 0.3, hold: 0.5, early: 0.3 }],
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

describe('all webhooks dropped and nobody back', () => {
  test('the poller settles every payment', async () => {
    const shop = await aShop({ drop: 1 })
    const payments: Started[] = []
    for (let at = 0; at < 40; at++) payments.push(await aTopUp(shop))
    for (const [at, { reference }] of payments.entries()) {
      if (at % 2 === 0) shop.konnect.pay(reference)
    }
    await pollForHours(shop)
    // The others pay late, when the gateway is asked by the hour.
    for (const [at, { reference }] of payments.entries()) {
      if (at % 2 === 1) shop.konnect.pay(reference)
    }
    shop.app.travel(HOUR_MS)
    while ((await settleDue(shop.app.deps)) > 0);
    await expectBooksAgree(shop)
    for (const payment of payments) await expectCredited(shop, payment)
  })
})

describe('a gateway that is away at the last check', () => {
  test('is asked again until it has answered', async () => {
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
    // And then nobody asks any more.
    const asked = shop.konnect.requests.length
    shop.app.travel(24 * HOUR_MS)
    expect(await settleDue(shop.app.deps)).toBe(0)
    expect(shop.konnect.requests).toHaveLength(asked)
  })

  test('checks a payment that is never paid only once after its time', async () => {
    const shop = await aShop()
    await aTopUp(shop)
    shop.app.travel(ORDER_LIFETIME_MS + HOUR_MS)
    expect(await settleDue(shop.app.deps)).toBe(1)
    shop.app.travel(24 * HOUR_MS)
    expect(await settleDue(shop.app.deps)).toBe(0)
  })
})

describe('with a gateway whose answers are', () => {
  test.each(BROKEN_ANSWERS)('%s: nothing counts until it answers, and then once', async (fault) => {
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
  })

  test.each(['error', 'garbage', 'cut'] as const)(
    '%s every second time, to init and to reads: what was paid counts once',
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

  test.each(LIES)('%s: nothing counts while it says so', async (lie) => {
    const shop = await aShop({ [lie]: 1 })
    const payment = await aTopUp(shop)
    shop.konnect.pay(payment.reference)
    await shop.konnect.deliver()
    await pollForHours(shop)
    expect(await shop.app.balanceOf(payment.payer)).toBe(0)
    // In the end the gateway tells the truth; even what it called expired was paid.
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

  test('one payment’s reference cannot pay another', async () => {
    const shop = await aShop({ drop: 1 })
    const [cheap, dear] = [await aTopUp(shop, dinars(10)), await aTopUp(shop, dinars(500))]
    shop.konnect.pay(cheap.reference)
    const theirs = shop.konnect.payment(cheap.reference).id
    for (const query of [
      { paymentRef: dear.reference, payment_ref: theirs },
      { paymentRef: theirs, payment_ref: dear.reference },
    ]) {
      await shop.app.call(paymentWebhook, { query })
    }
    expect(await shop.app.balanceOf(dear.payer)).toBe(0)
    await pollForHours(shop)
    expect(await shop.app.balanceOf(dear.payer)).toBe(0)
    await expectCredited(shop, cheap)
    await expectBooksAgree(shop)
  })
})

describe('one intent', () => {
  test('sent many times at once opens one payment', async () => {
    const shop = await aShop()
    const payer = await shop.app.aCustomer()
    const body = { userId: payer.id, amount: 20 }
    const start = () => shop.app.call(initiateRecharge, { as: payer, key: 'k', body })
    const answers = await Promise.all(Array.from({ length: 10 }, start))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await start()).toEqual(answers[0])
    expect(shop.konnect.books.size).toBe(1)

    const document = await shop.app.aDocument({ price: dinars(20) })
    const order = { userId: payer.id, orderDocs: [{ documentId: document.id }] }
    const { id } = await shop.app.call(createOrder, { as: payer, key: 'o', body: order })
    const params = { provider: 'konnect' as const }
    const initiate = (_: unknown, at: number) =>
      shop.app.call(initiatePayment, {
        as: payer,
        key: `p${at % 2}`,
        params,
        query: { orderId: id },
      })
    const started = await Promise.all(Array.from({ length: 10 }, initiate))
    for (const answer of started) expect(answer).toEqual(started[0])
    expect(shop.konnect.books.size).toBe(2)
  })
})

describe('a hundred signals at once for each payment', () => {
  test('webhook, return, state and poller together credit once', async () => {
    const shop = await aShop()
    const { app, konnect } = shop
    const payments: Started[] = []
    for (let at = 0; at < PAYMENTS; at++) payments.push(await (at % 2 ? anOrder : aTopUp)(shop))
    konnect.behave({ drop: 1 })
    for (const { reference } of payments) konnect.pay(reference)
    // From here on every check is due.
    app.travel(2 * MINUTE_MS)

    for (const { payer, reference } of payments) {
      const { pathname, search } = new URL(konnect.wayBack(reference))
      const signals = [
        () => konnect.webhook(reference),
        () => app.request('GET', pathname + search),
        () => app.request('GET', pathname.replace('success', 'cancel') + search),
        () => app.call(getPayment, { as: payer, query: { paymentRef: reference } }),
        () => settleDue(app.deps),
      ]
      const wanted = Array.from({ length: 100 }, (_, at) => signals[at % signals.length])
      await Promise.all(konnect.shuffled(wanted).map((signal) => signal?.()))
    }
    await expectBooksAgree(shop)
    for (const payment of payments) await expectCredited(shop, payment)
  })
})

describe('forged references', () => {
  test('change nothing, and cause the gateway next to no requests', async () => {
    const shop = await aShop()
    const { app, konnect } = shop
    const waiting = await aTopUp(shop)
    const asked = konnect.requests.length
    const forged = (at: number) => at.toString(16).padStart(24, 'f')
    const paths = ['webhook?payment_ref=', 'success?paymentRef=', 'cancel?paymentRef=']
    for (let at = 0; at < FORGED; at += 50) {
      const batch = Array.from({ length: 50 }, (_, one) => {
        const path = paths[one % paths.length]
        return app.request('GET', `/api/orderss/payment/${path}${forged(at + one)}`)
      })
      for (const { status } of await Promise.all(batch)) expect(status).toBeLessThan(500)
    }
    // At most 120 a minute, whoever asks.
    const minutes = 2
    expect(konnect.requests.length - asked).toBeLessThanOrEqual(minutes * 120)
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM payments`.execute(app.deps.database.kysely)
    expect(rows[0]?.count).toBe(1)

    // And the real one still comes through.
    konnect.pay(waiting.reference)
    await konnect.deliver()
    await expectBooksAgree(shop)
    await expectCredited(shop, waiting)
  })
})
