import { cancelOrder, getOrder, getPayment } from '../../src/contract/orders.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'
import { anOrder, aPayment, withFreshToken } from './payments.ts'

// Pending orders, and what becomes of them.

export type Document = { id: number }

export const statusOf = async (app: TestApp, buyer: Person, id: number) =>
  (await app.call(getOrder, { as: await withFreshToken(app, buyer), params: { id } })).status

export const stateOf = async (app: TestApp, buyer: Person, paymentRef: string) =>
  (await app.call(getPayment, { as: await withFreshToken(app, buyer), query: { paymentRef } }))
    .state

export const owned = async ({ deps }: TestApp, { id }: Person) =>
  (
    await deps.database.kysely
      .selectFrom('purchases')
      .select('documentId')
      .where('userId', '=', id)
      .orderBy('documentId')
      .execute()
  ).map(({ documentId }) => documentId)

export const cancel = (app: TestApp, buyer: Person, id: number) =>
  app.call(cancelOrder, { as: buyer, params: { id } })

export const buy = (app: TestApp, buyer: Person, documents: readonly Document[]) =>
  app.call(payFromWallet, {
    as: buyer,
    key: crypto.randomUUID(),
    body: { userId: buyer.id, documentIds: documents.map(({ id }) => id) },
  })

/** A buyer with a pending order of one document, to be paid by transfer. */
export async function aWaitingOrder(
  app: TestApp,
  method: 'card' | 'd17' | 'bank_transfer' = 'd17',
) {
  const buyer = await app.aCustomer({ balance: dinars(100) })
  const document = await app.aDocument({ price: dinars(20), title: 'Algebra' })
  const order = await anOrder(app, buyer, [document])
  const payment = await aPayment(app, buyer, order.id, { method })
  return { buyer, document, order, payment }
}
