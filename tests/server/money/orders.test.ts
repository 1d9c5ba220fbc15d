import { describe, expect } from 'vitest'
import { createOrder, getOrder, listOrders } from '../../../src/contract/orders.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import {
  anOrder,
  aPayment,
  expectSoundLedger,
  payInSandbox,
  withFreshToken,
} from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'

describe('POST /api/orders/create', () => {
  test('stores the final prices at the time of ordering, each document once', async ({ app }) => {
    const buyer = await app.aCustomer()
    const plain = await app.aDocument({ price: dinars(12) })
    const cheap = await app.aDocument({ price: dinars(10), priceDiscount: dinars(7.5) })
    const body = {
      user: { id: buyer.id },
      orderDocs: [
        { documentId: plain.id },
        { document: { id: cheap.id } },
        { documentId: plain.id },
      ],
    }
    const { id } = await app.call(createOrder, { as: buyer, key: 'k', body })
    await app.deps.database.kysely
      .updateTable('documents')
      .set({ price: dinars(99) })
      .execute()

    const order = await app.call(getOrder, { as: buyer, params: { id } })
    expect(order).toMatchObject({
      status: 'pending',
      total: 19.5,
      paidAt: null,
      receiptNumber: null,
      payment: null,
      buyer: { email: buyer.email },
    })
    expect(order.items.map(({ documentId, price }) => [documentId, price])).toEqual([
      [plain.id, 12],
      [cheap.id, 7.5],
    ])
    const age = Date.parse(order.expiresAt) - Date.parse(order.createdAt)
    expect(age).toBe(72 * HOUR_MS)
  })

  test('creates one order per key', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument()
    const body = { userId: buyer.id, orderDocs: [{ documentId: document.id }] }
    const place = () => app.call(createOrder, { as: buyer, key: 'k', body })
    const answers = await Promise.all(Array.from({ length: 8 }, place))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    const other = { userId: buyer.id, orderDocs: [{ documentId: (await app.aDocument()).id }] }
    await expectRefused(
      app.call(createOrder, { as: buyer, key: 'k', body: other }),
      409,
      'idempotency_conflict',
    )
    expect(await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })).toHaveLength(1)
  })

  test('refuses owned documents with their titles, and those not for sale', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const owned = await app.aDocument({ title: 'مراجعة', price: dinars(5) })
    const fresh = await app.aDocument()
    const hidden = await app.aDocument({ isPublished: false })
    await app.call(payFromWallet, {
      as: buyer,
      key: 'pay',
      body: { userId: buyer.id, documentIds: [owned.id] },
    })
    await expectRefused(anOrder(app, buyer, [fresh, owned]), 409, 'already_owned', {
      titles: ['مراجعة'],
    })
    for (const document of [hidden, { id: 999_999 }]) {
      await expectRefused(anOrder(app, buyer, [fresh, document]), 404, 'document_not_found')
    }
    const orders = await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
    expect(orders.map(({ method }) => method)).toEqual(['wallet'])
  })

  test('is for customers only', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument()
    const orderDocs = [{ documentId: document.id }]
    const place = (as: typeof buyer | null, body: object) =>
      app.request('POST', '/api/orders/create', { as, key: 'k', body: { orderDocs, ...body } })
    const other = await app.aCustomer()
    expect((await place(null, { userId: buyer.id })).status).toBe(401)
    expect((await place(other, { userId: buyer.id })).status).toBe(403)
    expect((await place(other, { userId: other.id, user: { id: buyer.id } })).status).toBe(403)
    for (const staff of [await app.anAdministrator(), await app.aTeacherAccount()]) {
      expect((await place(staff, { userId: staff.id })).status).toBe(403)
    }
    expect((await place(buyer, {})).status).toBe(400)
  })

  test('of free documents only is paid at once', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: 0 })
    await app.request('POST', `/api/carts/add?userId=${buyer.id}&documentId=${document.id}`, {
      as: buyer,
    })
    const { id } = await anOrder(app, buyer, [document])
    const order = await app.call(getOrder, { as: buyer, params: { id } })
    expect(order).toMatchObject({ status: 'paid', total: 0, receiptNumber: 1 })
    expect(order.items[0]?.isOwned).toBe(true)
    expect(app.published).toContain(`document:${document.id}`)
    const cart = await app.request('GET', `/api/carts/user/${buyer.id}`, { as: buyer })
    expect(cart.body).toEqual([])
    await expectSoundLedger(app)
  })
})

describe('orders', () => {
  test('are visible to their buyer only', async ({ app }) => {
    const buyer = await app.aCustomer()
    const { id } = await anOrder(app, buyer, [await app.aDocument()])
    for (const other of [await app.aCustomer(), await app.anAdministrator()]) {
      await expectRefused(app.call(getOrder, { as: other, params: { id } }), 404, 'order_not_found')
      await expectRefused(app.call(listOrders, { as: other, params: { userId: buyer.id } }), 403)
    }
  })

  test('are listed newest first, with their payments and receipts', async ({ app }) => {
    const buyer = await app.aCustomer()
    const first = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    app.travel(1000)
    const second = await anOrder(app, buyer, [await app.aDocument({ price: dinars(30) })])
    const { paymentUrl, paymentRef } = await aPayment(app, buyer, first.id)
    await payInSandbox(app, paymentUrl)
    await aPayment(app, buyer, second.id, { method: 'd17' })

    const orders = await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
    expect(orders.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(orders[0]).toMatchObject({ status: 'pending', method: 'd17', receiptNumber: null })
    expect(orders[0]?.payment).toMatchObject({ state: 'pending', method: 'd17', amount: 30 })
    expect(orders[1]).toMatchObject({ status: 'paid', method: 'card', receiptNumber: 1 })
    expect(orders[1]?.payment).toMatchObject({ state: 'paid', paymentRef, paymentUrl: null })
  })

  test('expire after 72 hours', async ({ app }) => {
    const buyer = await app.aCustomer()
    const { id } = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    const statusOf = async () =>
      (await app.call(getOrder, { as: await withFreshToken(app, buyer), params: { id } })).status
    expect(await expireOrders(app.deps)).toBe(0)
    expect(await statusOf()).toBe('pending')
    app.travel(72 * HOUR_MS + 1000)
    expect(await expireOrders(app.deps)).toBe(1)
    expect(await expireOrders(app.deps)).toBe(0)
    expect(await statusOf()).toBe('expired')
  })
})
