import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { createOrder, initiatePayment } from '../../src/contract/orders.ts'
import { initiateRecharge } from '../../src/contract/wallet.ts'
import { dinars, inDinars, type Millimes } from '../../src/rules/money.ts'
import { konnectGateway } from '../../src/server/gateways/konnect.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { type RefusedCall, type TestApp, testApp } from './app.ts'
import type { Person } from './factories.ts'
import { type KonnectOptions, type KonnectStandIn, startKonnect } from './konnect.ts'

// A shop with Konnect’s stand-in as its gateway, and payments of its customers.

const SEED = Number(process.env.FAULT_SEED ?? 1)

export interface Shop {
  app: TestApp
  konnect: KonnectStandIn
}

export async function aShop(options: KonnectOptions = {}): Promise<Shop> {
  const konnect = await startKonnect({ seed: SEED, ...options })
  onTestFinished(konnect.stop)
  // So short that a hanging gateway does not hold up the test; nothing else here is slow.
  const gateway = konnectGateway(konnect.config, { timeout: 1000 })
  const app = await testApp({ env: konnect.env, deps: { gateway } })
  konnect.callsBackAt(app.url)
  return { app, konnect }
}

export interface Started {
  readonly payer: Person
  readonly reference: string
  readonly amount: Millimes
}

/** A top-up by a new customer; retried, as people do, until the gateway accepts it. */
export async function aTopUp({ app }: Shop, amount: Millimes = dinars(20)): Promise<Started> {
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
export async function anOrder({ app }: Shop, amount: Millimes = dinars(20)): Promise<Started> {
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

/**
 * Compares the shop's books with the gateway's: each payment that was made in full was credited
 * once, and nothing else was credited.
 */
export async function expectBooksAgree({ app, konnect }: Shop): Promise<void> {
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

export async function expectCredited({ app }: Shop, { payer, amount }: Started): Promise<void> {
  const { rows } = await sql<{ worth: Millimes }>`
    SELECT (coalesce((SELECT balance FROM accounts WHERE user_id = ${payer.id}), 0)
      + coalesce((SELECT sum(price) FROM purchases WHERE user_id = ${payer.id}), 0))::bigint
      AS worth`.execute(app.deps.database.kysely)
  expect(rows[0]?.worth).toBe(amount)
}
