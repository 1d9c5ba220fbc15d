// @one-database: it is about a gateway.
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listDifferences } from '../../../src/contract/office-transfers.ts'
import {
  createOrder,
  getPayment,
  initiatePayment,
  paymentWebhook,
} from '../../../src/contract/orders.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars, inDinars, type Millimes } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { konnectGateway } from '../../../src/server/gateways/konnect.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import { amount } from '../../support/amount.ts'
import { type RefusedCall, type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { type KonnectOptions, type KonnectStandIn, startKonnect } from '../../support/konnect.ts'
import {
  BROKEN_ANSWERS,
  EVERY_FORM,
  type Fault,
  WRONG_FIELDS,
} from '../../support/konnect-faults.ts'
import { expectSoundLedger } from '../../support/payments.ts'

// The full sizes, 200 payments with 100 signals each and 10 000 forged references:
// `PAYMENTS=200 FORGED=10000 vitest run tests/server/money/payment-faults.test.ts`.
const PAYMENTS = Number(process.env.PAYMENTS ?? 12)
const FORGED = amount('FORGED', { usual: 100, long: 1000 })
const SEED = Number(process.env.FAULT_SEED ?? 1)

vi.setConfig({ testTimeout: 120_000 + PAYMENTS * 3000 + FORGED * 50 })

interface Shop {
  app: TestApp
  konnect: KonnectStandIn
}

/** A shop with Konnect’s stand-in as its gateway. */
async function aShop({ timeout = 1000, ...options }: KonnectOptions & { timeout?: number } = {}) {
  const konnect = await startKonnect({ seed: SEED, ...options })
  onTestFinished(konnect.stop)
  // So short that a hanging gateway does not hold up the test; nothing else here is slow.
  const gateway = konnectGateway(konnect.config, { timeout })
  const app = await testApp({ env: konnect.env, deps: { gateway } })
  konnect.callsBackAt(app.url)
  return { app, konnect }
}

interface Started {
  readonly payer: Person
  readonly reference: string
  readonly amount: Millimes
}

/** A top-up by a new customer; retried, as people do, until the gateway accepts it. */
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

/** As many payments, of top-ups and orders in turn. */
async function somePayments(shop: Shop, count: number): Promise<Started[]> {
  const payments: Started[] = []
  for (let at = 0; at < count; at++) payments.push(await (at % 2 ? anOrder : aTopUp)(shop))
  return payments
}

/** Runs the poller until no payment is due. */
async function poll({ app }: Shop): Promise<void> {
  while ((await settleDue(app.deps)) > 0);
}

/** Runs the poller for an hour and a half of the shop's clock. */
async function pollForHours(shop: Shop): Promise<void> {
  for (const minutes of [2, 4, 8, 16, 61]) {
    shop.app.travel(minutes * MINUTE_MS)
    await poll(shop)
  }
}

/**
 * Compares the shop's books with the gateway's: each payment that was made in full was credited
 * once, and nothing else was credited; and these payers have what they paid for.
 */
async function expectBooksAgree({ app, konnect }: Shop, credited: Started[] = []): Promise<void> {
  const made = [...konnect.books.values()].filter(({ paid, amount }) => paid === amount)
  const { rows } = await sql<{ reference: string; amount: Millimes; times: number }>`
    SELECT p.reference, -sum(e.amount)::bigint AS amount, count(*)::integer AS times
    FROM ledger_entries e
    JOIN ledger_transactions t ON t.id = e.transaction_id
    JOIN accounts a ON a.id = e.account_id AND a.kind = 'gateway'
    LEFT JOIN payments p ON p.id = t.payment_id
    GROUP BY p.reference`.execute(app.kysely)
  const byReference = (a: { reference: string }, b: { reference: string }) =>
    a.reference < b.reference ? -1 : 1
  expect(rows.sort(byReference)).toEqual(
    made.map(({ orderId, amount }) => ({ reference: orderId, amount, times: 1 })).sort(byReference),
  )
  await expectSoundLedger(app)
  for (const { payer, amount } of credited) {
    const { rows } = await sql<{ worth: Millimes }>`
      SELECT (coalesce((SELECT balance FROM accounts WHERE user_id = ${payer.id}), 0)
        + coalesce((SELECT sum(price) FROM purchases WHERE user_id = ${payer.id}), 0))::bigint
        AS worth`.execute(app.kysely)
    expect(rows[0]?.worth).toBe(amount)
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
    const payments = await somePayments(shop, 8)
    for (const { reference } of payments) shop.konnect.pay(reference)
    await shop.konnect.deliver()
    await pollForHours(shop)
    await expectBooksAgree(shop, payments)
  })

  test('all dropped, and no browser returns: the poller settles every payment', async () => {
    const shop = await aShop({ drop: 1, ...EVERY_FORM })
    const payments: Started[] = []
    for (let at = 0; at < 40; at++) payments.push(await aTopUp(shop))
    const late = payments.filter((_, at) => at % 2 === 1)
    for (const { reference } of payments.filter((each) => !late.includes(each))) {
      shop.konnect.pay(reference)
    }
    await pollForHours(shop)
    // The others pay late, when the gateway is queried hourly.
    for (const { reference } of late) shop.konnect.pay(reference)
    shop.app.travel(HOUR_MS)
    await poll(shop)
    await expectBooksAgree(shop, payments)
  })

  test('a hundred at once for each payment, of every kind: each is credited once', async () => {
    const shop = await aShop()
    const { app, konnect } = shop
    const payments = await somePayments(shop, PAYMENTS)
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
    await expectBooksAgree(shop, payments)
  })

  test('of forged references change nothing, and cause the gateway next to no requests', async () => {
    const shop = await aShop()
    const { app, konnect } = shop
    const waiting = await aTopUp(shop)
    const requestsBefore = konnect.requests.length
    const forged = (at: number) => at.toString(16).padStart(24, 'f')
    const paths = ['webhook?payment_ref=', 'success?paymentRef=', 'cancel?paymentRef=']
    for (let at = 0; at < FORGED; at += 50) {
      const batch = Array.from({ length: 50 }, (_, one) => {
        const path = paths[one % paths.length]
        return app.request('GET', `/api/orderss/payment/${path}${forged(at + one)}`)
      })
      for (const { status } of await Promise.all(batch)) expect(status).toBeLessThan(500)
    }
    // At most 120 a minute, for all callers together.
    const minutes = 2
    expect(konnect.requests.length - requestsBefore).toBeLessThanOrEqual(minutes * 120)
    expect(await app.kysely.selectFrom('payments').select('id').execute()).toHaveLength(1)

    // And the real one still gets through.
    konnect.pay(waiting.reference)
    await konnect.deliver()
    await expectBooksAgree(shop, [waiting])
  })
})

test('one intent sent many times at once starts one payment', async () => {
  const { app, konnect } = await aShop()
  const payer = await app.aCustomer()
  const [document] = await app.documentsAt(20)
  const order = { userId: payer.id, orderDocs: [{ documentId: document.id }] }
  const { id: orderId } = await app.call(createOrder, { as: payer, key: 'o', body: order })
  const params = { provider: 'konnect' as const }
  const initiate = (_: unknown, at: number) =>
    app.call(initiatePayment, { as: payer, key: `p${at % 2}`, params, query: { orderId } })
  const started = await Promise.all(Array.from({ length: 10 }, initiate))
  for (const answer of started) expect(answer).toEqual(started[0])
  expect(konnect.books.size).toBe(1)
})

describe('a gateway that is down at the last check', () => {
  test('is queried again until it has responded', async () => {
    const shop = await aShop({ drop: 1 })
    const { app, konnect } = shop
    const payment = await aTopUp(shop)
    await pollForHours(shop)
    konnect.pay(payment.reference)
    konnect.behave({ cut: 1 })
    app.travel(ORDER_LIFETIME_MS)
    await poll(shop)
    expect(await app.balanceOf(payment.payer)).toBe(0)

    konnect.behave({})
    app.travel(HOUR_MS)
    await settleDue(app.deps)
    await expectBooksAgree(shop, [payment])
    // And then the queries stop.
    const requestsBefore = konnect.requests.length
    app.travel(24 * HOUR_MS)
    expect(await settleDue(app.deps)).toBe(0)
    expect(konnect.requests).toHaveLength(requestsBefore)
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
      await expectBooksAgree(shop, [payment])
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
      await expectBooksAgree(shop, payments)
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
    await expectBooksAgree(shop, [payment])
  })

  test('not understood: the payment waits, shows in the office and in the metrics, and counts once it is', async () => {
    const shop = await aShop({ drop: 1 })
    const { app, konnect } = shop
    const payment = await aTopUp(shop)
    konnect.pay(payment.reference)
    konnect.report({ receiverWallet: { wallet: 7 }, status: 'settled' })
    app.travel(MINUTE_MS)
    await poll(shop)
    expect(await app.balanceOf(payment.payer)).toBe(0)
    // Days pass: each time another administrator logs in.
    const listed = async (state: 'open' | 'settled') => {
      const as = await app.anOfficeAdministrator()
      return (await app.call(listDifferences, { as, query: { state } })).content
    }
    const entry = { kind: 'report', paymentRef: payment.reference, state: 'pending' }
    expect(await listed('open')).toMatchObject([entry])
    const gauge = async (kind: string) =>
      (await fetch(`${app.url}/metrics`).then((answer) => answer.text())).includes(
        `karras_payment_differences{kind="report"} ${kind}`,
      )
    expect(await gauge('1')).toBe(true)
    expect(app.reports).toEqual([
      expect.stringContaining('not understood; status "settled", receiverWallet'),
    ])
    // It is asked about until it is understood, long after other payments are given up.
    app.travel(2 * ORDER_LIFETIME_MS)
    await poll(shop)
    konnect.report({ status: 'pending' })
    app.travel(HOUR_MS)
    await poll(shop)
    expect(await listed('settled')).toMatchObject([entry])
    konnect.report({ status: 'settled' })
    await konnect.webhook(payment.reference)
    expect(await listed('open')).toMatchObject([entry])
    konnect.report({})
    app.travel(MINUTE_MS)
    await konnect.webhook(payment.reference)
    await expectBooksAgree(shop, [payment])
    expect(await listed('open')).toEqual([])
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
    await expectBooksAgree(shop, [cheap])
  })

  test('missing for 200 payments at once: the catalogue answers all the same', async () => {
    const { app, konnect } = await aShop({ timeout: 60_000 })
    const payers = await Promise.all(Array.from({ length: 200 }, () => app.aCustomer()))
    konnect.behave({ hang: 1 })
    const starts = payers.map((payer) =>
      app
        .call(initiateRecharge, { as: payer, key: 'k', body: { userId: payer.id, amount: 20 } })
        .then(
          () => 'started',
          (error: RefusedCall) => error.code,
        ),
    )
    await vi.waitFor(() => expect(konnect.waiting()).toBe(200), { timeout: 60_000 })
    for (let at = 0; at < 20; at++) {
      expect((await app.request('GET', '/api/documents')).status).toBe(200)
    }
    const { rows } = await app.deps.database.pool.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
    expect(rows).toEqual([])
    expect(konnect.waiting(), 'all must have waited all the time').toBe(200)
    // When the gateway gives up, the payers get an error.
    konnect.hangUp()
    expect(new Set(await Promise.all(starts))).toEqual(new Set(['gateway_unavailable']))
  })
})
