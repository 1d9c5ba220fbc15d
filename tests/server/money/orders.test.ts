import { describe, expect, test } from 'vitest'
import {
  cancelOrder,
  createOrder,
  getOrder,
  getPayment,
  getTransfer,
  listOrders,
} from '../../../src/contract/orders.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import type { Person } from '../../support/factories.ts'
import {
  anOrder,
  aPayment,
  bought,
  payInSandbox,
  press,
  returnToShop,
  soundApp,
  withFreshToken,
} from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { ownedIds, reprice } from '../../support/wallet.ts'

const app = await soundApp()

const orderOf = (buyer: Person, id: number) => app.call(getOrder, { as: buyer, params: { id } })
const ordersOf = (buyer: Person) =>
  app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
const stateOf = async (buyer: Person, paymentRef: string) =>
  (await app.call(getPayment, { as: buyer, query: { paymentRef } })).state

/** A buyer with a pending order of one document at 20 dinars. */
async function aBuyer() {
  const buyer = await app.aCustomer()
  const [document] = await app.documentsAt(20)
  const { id } = await anOrder(app, buyer, [document])
  return { buyer, document, id }
}

describe('an order', () => {
  test('has the final prices at the time of ordering, each document once', async () => {
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
    await reprice(app, plain, 99)
    const order = await orderOf(buyer, id)
    expect(order).toMatchObject({ status: 'pending', total: 19.5, paidAt: null, payment: null })
    expect(order.items).toMatchObject([
      { documentId: plain.id, price: 12 },
      { documentId: cheap.id, price: 7.5 },
    ])
    expect(Date.parse(order.expiresAt) - Date.parse(order.createdAt)).toBe(72 * HOUR_MS)
  })

  test('is one per key', async () => {
    const buyer = await app.aCustomer()
    const [document, other] = await app.documentsAt(5, 5)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => anOrder(app, buyer, [document], 'k')),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    await expectCode(anOrder(app, buyer, [other], 'k'), 'idempotency_conflict')
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  test('contains nothing that is owned, with the titles, or not for sale', async () => {
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const owned = await app.aDocument({ title: 'مراجعة' })
    const fresh = await app.aDocument()
    const hidden = await app.aDocument({ isPublished: false })
    await bought(app, buyer, [owned])
    const titles = ['مراجعة']
    await expectRefused(anOrder(app, buyer, [fresh, owned]), 409, 'already_owned', { titles })
    for (const document of [hidden, { id: 999_999 }]) {
      await expectCode(anOrder(app, buyer, [fresh, document]), 'document_not_found')
    }
    expect(await ordersOf(buyer)).toMatchObject([{ method: 'wallet' }])
  })

  test('is for the caller, however they are named', async () => {
    const [buyer, other] = [await app.aCustomer(), await app.aCustomer()]
    const orderDocs = [{ documentId: (await app.aDocument()).id }]
    const place = (named: object) =>
      app.request('POST', '/api/orders/create', {
        as: other,
        key: 'k',
        body: { orderDocs, ...named },
      })
    expect((await place({ userId: other.id, user: { id: buyer.id } })).status).toBe(403)
    expect((await place({})).status).toBe(400)
  })

  test('of free documents only is paid at once', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: 0 })
    const add = `/api/carts/add?userId=${buyer.id}&documentId=${document.id}`
    await app.request('POST', add, { as: buyer })
    const { id } = await anOrder(app, buyer, [document])
    const order = await orderOf(buyer, id)
    expect(order).toMatchObject({ status: 'paid', total: 0, receiptNumber: expect.any(Number) })
    expect(order.items[0]?.isOwned).toBe(true)
    expect(app.published).toContain(`document:${document.id}`)
    const cart = await app.request('GET', `/api/carts/user/${buyer.id}`, { as: buyer })
    expect(cart.body).toEqual([])
    await expectCode(aPayment(app, buyer, id, { method: 'd17' }), 'order_closed')
  })

  test('is its buyer’s alone, and so is its payment', async () => {
    const { buyer, id } = await aBuyer()
    const { paymentRef } = await aPayment(app, buyer, id)
    for (const other of [await app.aCustomer(), await app.anAdministrator()]) {
      await expectCode(orderOf(other, id), 'order_not_found')
      const cancelled = app.call(cancelOrder, { as: other, params: { id } })
      await expectCode(cancelled, 'order_not_found')
      await expectCode(aPayment(app, other, id), 'order_not_found')
      await expectCode(stateOf(other, paymentRef), 'payment_not_found')
    }
    expect((await orderOf(buyer, id)).status).toBe('pending')
  })

  test('is listed newest first, with payment and receipt', async () => {
    const { buyer, id: first } = await aBuyer()
    app.travel(1000)
    const second = await anOrder(app, buyer, await app.documentsAt(30))
    const { paymentUrl, paymentRef } = await aPayment(app, buyer, first)
    await payInSandbox(app, paymentUrl)
    await aPayment(app, buyer, second.id, { method: 'd17' })
    expect(await ordersOf(buyer)).toMatchObject([
      {
        id: second.id,
        status: 'pending',
        receiptNumber: null,
        payment: { state: 'pending', method: 'd17', amount: 30 },
      },
      {
        id: first,
        status: 'paid',
        receiptNumber: expect.any(Number),
        payment: { state: 'paid', method: 'card', paymentRef, paymentUrl: null },
      },
    ])
  })

  test('expires after 72 hours', async () => {
    const { buyer, id } = await aBuyer()
    const statusOf = async () => (await orderOf(await withFreshToken(app, buyer), id)).status
    await expireOrders(app.deps)
    expect(await statusOf()).toBe('pending')
    app.travel(72 * HOUR_MS + 1000)
    await expireOrders(app.deps)
    expect(await expireOrders(app.deps)).toBe(0)
    expect(await statusOf()).toBe('expired')
  })

  test('offers no transfer up to 10 dinars and no card below', async () => {
    const buyer = await app.aCustomer()
    const [ten, less] = await app.documentsAt(10, 9.99)
    const { id: first } = await anOrder(app, buyer, [ten])
    const { id: second } = await anOrder(app, buyer, [less])
    const transfer = aPayment(app, buyer, first, { method: 'bank_transfer' })
    await expectCode(transfer, 'method_not_offered')
    const card = aPayment(app, buyer, second, { method: 'card' })
    await expectCode(card, 'method_not_offered')
    await aPayment(app, buyer, second, { method: 'd17' })
  })
})

test('a bank transfer shows where to send what, and is confirmed once', async () => {
  const { buyer, document, id } = await aBuyer()
  const { paymentUrl, paymentRef } = await aPayment(app, buyer, id, { method: 'bank_transfer' })
  expect(paymentUrl).toBe(`${app.deps.config.siteUrl}/payment/transfer/${paymentRef}`)
  const shown = await app.call(getTransfer, { query: { paymentRef } })
  expect(shown).toMatchObject({ amount: 20, state: 'pending', orderId: id, paymentUrl })
  await confirmManual(app.deps, paymentRef)
  expect(await ownedIds(app, buyer)).toEqual([document.id])
  await expect(confirmManual(app.deps, paymentRef)).rejects.toThrow(/was confirmed before/)
})

describe('an order paid by card', () => {
  test('is granted when the gateway reports it paid, at the prices of its time', async () => {
    const { buyer, document, id } = await aBuyer()
    await reprice(app, document, 40)
    const { paymentUrl, paymentRef } = await aPayment(app, buyer, id)
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(await payInSandbox(app, paymentUrl)).toBe(`/my-documents?payment=${paymentRef}`)
    expect(await ownedIds(app, buyer)).toEqual([document.id])
    const paid = await orderOf(buyer, id)
    expect(paid).toMatchObject({ status: 'paid', total: 20, method: 'card' })
    expect(paid.items).toMatchObject([{ price: 20, isOwned: true, refundedAt: null }])
    expect(await app.balanceOf(buyer)).toBe(0)
  })

  test('is not granted by visiting any URL', async () => {
    const { buyer, id } = await aBuyer()
    const { paymentRef } = await aPayment(app, buyer, id)
    for (const page of ['success', 'cancel']) {
      const landing = `/api/orderss/payment/${page}?paymentRef=${paymentRef}`
      expect(await returnToShop(app, landing)).toBe(`/my-documents?payment=${paymentRef}`)
    }
    await app.request('GET', `/api/orderss/payment/webhook?payment_ref=${paymentRef}`)
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(await stateOf(buyer, paymentRef)).toBe('pending')
  })

  test('that was refused can still be paid', async () => {
    const { buyer, document, id } = await aBuyer()
    const first = await aPayment(app, buyer, id)
    expect(await aPayment(app, buyer, id)).toEqual(first)
    await returnToShop(app, await press(app, first.paymentUrl, 'refuse'))
    expect(await stateOf(buyer, first.paymentRef)).toBe('refused')
    const second = await aPayment(app, buyer, id)
    expect(second.paymentRef).not.toBe(first.paymentRef)
    await payInSandbox(app, second.paymentUrl)
    expect(await ownedIds(app, buyer)).toEqual([document.id])
  })

  test('paid twice, credits the second payment to the wallet', async () => {
    const { buyer, document, id } = await aBuyer()
    const card = await aPayment(app, buyer, id)
    const transfer = await aPayment(app, buyer, id, { method: 'bank_transfer' })
    await payInSandbox(app, card.paymentUrl)
    await confirmManual(app.deps, transfer.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    expect(await ownedIds(app, buyer)).toEqual([document.id])
  })
})
