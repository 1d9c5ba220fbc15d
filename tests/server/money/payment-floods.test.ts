// @one-database: it is about a gateway.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { createOrder, getPayment, initiatePayment } from '../../../src/contract/orders.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import { amount } from '../../support/amount.ts'
import {
  anOrder,
  aShop,
  aTopUp,
  expectBooksAgree,
  expectCredited,
  type Started,
} from '../../support/konnect-payments.ts'

// The full sizes, 200 payments with 100 signals each and 10 000 forged references:
// `PAYMENTS=200 FORGED=10000 vitest run tests/server/money/payment-floods.test.ts`.
const PAYMENTS = Number(process.env.PAYMENTS ?? 12)
const FORGED = amount('FORGED', { usual: 100, long: 1000 })

vi.setConfig({ testTimeout: 120_000 + PAYMENTS * 3000 + FORGED * 50 })

describe('one intent', () => {
  test('sent many times at once starts one payment', async () => {
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

describe('a hundred concurrent signals for each payment', () => {
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
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM payments`.execute(app.deps.database.kysely)
    expect(rows[0]?.count).toBe(1)

    // And the real one still gets through.
    konnect.pay(waiting.reference)
    await konnect.deliver()
    await expectBooksAgree(shop)
    await expectCredited(shop, waiting)
  })
})
