import { expect } from 'vitest'
import { createOrder, initiatePayment } from '../../src/contract/orders.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'

// Orders, their payments, and the buyer's actions on the sandbox's page.

const SANDBOX = { provider: 'sandbox' as const }

/**
 * Performs the buyer's choice on the test gateway's page; returns where the browser is redirected.
 */
export async function choose(app: TestApp, paymentUrl: string, choice: string): Promise<string> {
  const reference = paymentUrl.split('/').at(-1)
  const posted = await app.request('POST', `/api/payments/sandbox/${reference}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `choice=${choice}`,
  })
  expect(posted.status).toBe(303)
  return posted.headers.get('location') ?? ''
}

export async function returnToShop(app: TestApp, address: string): Promise<string> {
  const back = await app.request('GET', address)
  expect(back.status).toBe(302)
  return back.headers.get('location') ?? ''
}

export async function order(
  app: TestApp,
  buyer: Person,
  documentIds: number[],
  key: string = crypto.randomUUID(),
) {
  const orderDocs = documentIds.map((documentId) => ({ documentId }))
  return app.call(createOrder, { as: buyer, key, body: { userId: buyer.id, orderDocs } })
}

export function initiate(
  app: TestApp,
  buyer: Person,
  orderId: number,
  method: 'card' | 'bank_transfer' | 'd17' = 'card',
) {
  const key = crypto.randomUUID()
  return app.call(initiatePayment, { as: buyer, key, params: SANDBOX, query: { orderId, method } })
}

export const owns = async (app: TestApp, buyer: Person) =>
  (
    await app.deps.database.kysely
      .selectFrom('purchases')
      .select('documentId')
      .where('userId', '=', buyer.id)
      .orderBy('documentId')
      .execute()
  ).map(({ documentId }) => documentId)
