import { describe, expect } from 'vitest'
import { createOrder, listOrders } from '../../../src/contract/orders.ts'
import { directPay } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { payWhilePricesChange } from '../../chaos/price-changes.ts'
import { amount } from '../../support/amount.ts'
import type { Person } from '../../support/factories.ts'
import { randomFrom } from '../../support/random.ts'
import { test } from '../../support/test.ts'
import { refusalOf, reprice } from '../../support/wallet.ts'

describe('the total that the buyer saw, outside the wallet', () => {
  test('is what is ordered, or nothing is', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    const orderDocs = [{ documentId: document.id }]
    const order = (total?: number, key = 'k') =>
      app.call(createOrder, {
        as: buyer,
        key,
        body: { userId: buyer.id, orderDocs, ...(total !== undefined && { total }) },
      })
    await reprice(app, document, 20)
    expect(await refusalOf(order(15))).toMatchObject({
      status: 409,
      error: 'price_changed',
      prices: { total: 20, documents: [{ id: document.id, price: 20, priceDiscount: null }] },
    })
    const orders = () => app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
    expect(await orders()).toEqual([])
    const placed = await order(20)
    expect(await order(20)).toEqual(placed)
    expect(await refusalOf(order(15))).toMatchObject({ error: 'idempotency_conflict' })
    expect(await refusalOf(order())).toMatchObject({ error: 'idempotency_conflict' })
    expect(await orders()).toMatchObject([{ id: placed.id, total: 20 }])
    // As in the original specification.
    await reprice(app, document, 30)
    await order(undefined, 'k2')
    expect(await orders()).toMatchObject([{ total: 30 }, { total: 20 }])
  })

  test('is what the gateway is asked for, or nothing is', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(15) })
    await reprice(app, document, 30, 20)
    const body = { userId: buyer.id, paymentMethod: 'card' as const, documentIds: [document.id] }
    const pays = (sum: number) =>
      app.call(directPay, { as: buyer, key: 'k', body: { ...body, amount: sum } })
    expect((await refusalOf(pays(15))).prices).toMatchObject({
      total: 20,
      documents: [{ price: 30, priceDiscount: 20 }],
    })
    expect(await pays(20)).toMatchObject({ status: 'PENDING' })
  })
})

// More of them: `node tests/chaos/price-changes.ts`.
test('while prices change at random, nobody is charged another total than they sent', async ({
  app,
}) => {
  const { id: teacherId } = await app.aTeacher()
  const count = amount('PRICE_CHANGE_DOCUMENTS', { usual: 12, long: 60 })
  const documentIds: number[] = []
  for (let at = 0; at < count; at++) documentIds.push((await app.aDocument({ teacherId })).id)
  const buyers: Person[] = []
  for (let at = 0; at < 6; at++) buyers.push(await app.aCustomer({ balance: dinars(9_000) }))
  const seed = Number(process.env.CHAOS_SEED ?? 1)
  const { url, deps } = app
  const { database } = deps
  const market = { url, database, buyers, documentIds, random: randomFrom(seed) }
  const outcome = await payWhilePricesChange(market)
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ wrong: [], isSound: true })
  expect(outcome.paid).toBeGreaterThanOrEqual((6 * count) / 2)
  expect(outcome.refused, 'some saw an older price').toBeGreaterThan(0)
})
