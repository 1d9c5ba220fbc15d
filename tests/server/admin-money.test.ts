import { beforeAll, describe, expect, test } from 'vitest'
import * as orders from '../../src/contract/office-orders.ts'
import * as transfers from '../../src/contract/office-transfers.ts'
import { initiateRecharge } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { readableReference } from '../../src/rules/payment-reference.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { anOrder, aPayment, expectSoundLedger } from '../support/payments.ts'

let app: TestApp
let first: Person
let second: Person
let keys = 0

beforeAll(async () => {
  app = await testApp()
  first = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
  second = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
  return app.stop
})

const key = () => `key ${keys++}`

/** The codes of those who came second, each told that Leïla or Karim was first. */
async function oneOf(attempts: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(attempts)
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  expect(outcomes.length - refused.length).toBe(1)
  for (const reason of refused) {
    expect(reason).toMatchObject({
      status: 409,
      code: 'done_before',
      body: { done: { by: expect.stringMatching(/^(Leïla Mansour|Karim Jaziri)$/) } },
    })
  }
}

const logOf = (subject: string) =>
  app.deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', 'reason'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()

/** A top-up by D17 that waits for its money. */
async function aTransfer(buyer: Person, amount = 30) {
  const { paymentRef } = await app.call(initiateRecharge, {
    as: buyer,
    key: key(),
    body: { userId: buyer.id, amount, paymentMethod: 'D17' },
  })
  return paymentRef
}

const decide = (
  by: Person,
  paymentRef: string,
  call: typeof transfers.confirmTransfer = transfers.confirmTransfer,
  seen: 'pending' | 'refused' = 'pending',
  by_key = key(),
) => app.call(call, { as: by, key: by_key, params: { paymentRef }, body: { seen } })

describe('transfers', () => {
  test('wait oldest first, and are found by reference, amount and name', async () => {
    const salma = await app.aCustomer({ firstName: 'سلمى', lastName: 'التريكي' })
    const refs = [await aTransfer(salma, 41.5), await aTransfer(salma, 42)]
    const found = async (q: string) => {
      const { content } = await app.call(transfers.listTransfers, { as: first, query: { q } })
      return content.map(({ paymentRef }) => paymentRef)
    }
    expect(await found('سلمى التريكي')).toEqual(refs)
    expect(await found(salma.phone)).toEqual(refs)
    expect(await found('41,5')).toEqual([refs[0]])
    expect(await found(readableReference(refs[1] ?? ''))).toEqual([refs[1]])
    expect(await found('100%_')).toEqual([])
    const { content } = await app.call(transfers.listTransfers, { as: first, query: { q: '42' } })
    expect(content[0]).toMatchObject({
      amount: 42,
      purpose: 'top_up',
      method: 'd17',
      payer: { id: salma.id, name: 'سلمى التريكي', phone: salma.phone },
    })
  })

  test('two administrators who confirm one credit it once; the same request answers the same', async () => {
    const buyer = await app.aCustomer()
    const reference = await aTransfer(buyer)
    const mine = key()
    const confirm = () => decide(first, reference, transfers.confirmTransfer, 'pending', mine)
    await oneOf([confirm(), decide(second, reference)])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    const [done] = await logOf(`payment ${reference}`)
    if (done?.actor === `user ${first.id}`) {
      expect(await confirm()).toEqual({ paymentRef: reference, state: 'paid' })
    }
    expect(await logOf(`payment ${reference}`)).toHaveLength(1)
    const { content } = await app.call(transfers.listTransfers, {
      as: first,
      query: { state: 'paid', q: reference },
    })
    expect(content).toMatchObject([{ paymentRef: reference, state: 'paid' }])
    await expectSoundLedger(app)
  })

  test('one refuses while the other confirms: the second is told, and late money still counts', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await anOrder(app, buyer, [document])
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'bank_transfer' })
    await decide(first, paymentRef, transfers.refuseTransfer)
    await oneOf([decide(second, paymentRef), Promise.resolve()])
    expect(await app.call(orders.getShopOrder, { as: second, params: { id } })).toMatchObject({
      status: 'cancelled',
      payments: [{ state: 'refused' }],
    })
    await decide(second, paymentRef, transfers.confirmTransfer, 'refused')
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(await app.call(orders.getShopOrder, { as: second, params: { id } })).toMatchObject({
      status: 'paid',
      receiptNumber: expect.any(Number),
      items: [{ documentId: document.id, isOwned: true }],
    })
    expect(await logOf(`payment ${paymentRef}`)).toMatchObject([
      { actor: `user ${first.id}`, action: 'refuse transfer' },
      { actor: `user ${second.id}`, action: 'confirm transfer' },
    ])
  })

  test('what is no transfer, and payments of the gateway, are refused', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await anOrder(app, buyer, [document])
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'card' })
    await expect(decide(first, paymentRef)).rejects.toMatchObject({ code: 'payment_at_gateway' })
    await expect(decide(first, 'f'.repeat(24))).rejects.toMatchObject({ code: 'payment_not_found' })
  })
})

describe('orders', () => {
  test('are found by all that people name them by', async () => {
    const nour = await app.aCustomer({
      firstName: 'Nour',
      lastName: 'Khemiri',
      balance: dinars(50),
    })
    const document = await app.aDocument({ price: dinars(17.25) })
    const { id } = await anOrder(app, nour, [document])
    const { paymentRef } = await aPayment(app, nour, id, { method: 'd17' })
    await decide(first, paymentRef)
    const order = await app.call(orders.getShopOrder, { as: first, params: { id } })
    const found = async (query: { q?: string; status?: 'paid' | 'expired' }) => {
      const { content } = await app.call(orders.listShopOrders, { as: first, query })
      return content.map((each) => each.id)
    }
    for (const q of [
      'khemiri nour',
      nour.email,
      nour.phone,
      String(id),
      `#${order.receiptNumber}`,
      '17.25',
      readableReference(paymentRef),
    ]) {
      expect(await found({ q }), q).toContain(id)
      expect(await found({ q, status: 'expired' }), q).toEqual([])
    }
    expect(await found({ q: 'nobody of that name' })).toEqual([])
    expect(order.movements).toMatchObject([
      {
        kind: 'purchase',
        entries: expect.arrayContaining([{ account: 'gateway', name: '', amount: -17.25 }]),
      },
    ])
    expect(await logOf(`user ${nour.id}`)).toContainEqual({
      actor: `user ${first.id}`,
      action: 'see',
      reason: null,
    })
  })

  test('two administrators who refund one order give it back once, with the reason kept', async () => {
    const buyer = await app.aCustomer()
    const documents = [
      await app.aDocument({ price: dinars(20) }),
      await app.aDocument({ price: dinars(5) }),
    ]
    const { id } = await anOrder(app, buyer, documents)
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(first, paymentRef)
    const refund = (by: Person, seen: number, documentId?: number) =>
      app.call(orders.refundShopOrder, {
        as: by,
        key: key(),
        params: { id },
        body: { reason: 'اشترى مرّتين', seen, ...(documentId && { documentId }) },
      })
    await oneOf([refund(first, 5, documents[1]?.id), refund(second, 5, documents[1]?.id)])
    // The page of the second still shows the whole order.
    await oneOf([refund(second, 25), Promise.resolve()])
    await oneOf([refund(first, 20), refund(second, 20)])
    expect(await app.balanceOf(buyer)).toBe(dinars(25))
    expect(await app.call(orders.getShopOrder, { as: first, params: { id } })).toMatchObject({
      refunded: 25,
      items: [{ isOwned: false }, { isOwned: false }],
      movements: [
        { kind: 'purchase' },
        { kind: 'refund', note: 'اشترى مرّتين' },
        { kind: 'refund' },
      ],
    })
    const log = await logOf(`order ${id}`)
    expect(log.map(({ action, reason }) => [action, reason])).toEqual(
      Array(2).fill(['refund', 'اشترى مرّتين']),
    )
    await expectSoundLedger(app)
  })

  test('nothing is refunded without a reason, unpaid, or of another order', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const other = await app.aDocument()
    const { id } = await anOrder(app, buyer, [document])
    const refund = (body: { reason: string; documentId?: number }, orderId = id) =>
      app.call(orders.refundShopOrder, {
        as: first,
        key: key(),
        params: { id: orderId },
        body: { seen: 1, ...body },
      })
    await expect(refund({ reason: ' ' })).rejects.toMatchObject({ status: 400 })
    await expect(refund({ reason: 'no' })).rejects.toMatchObject({ code: 'order_not_paid' })
    await expect(refund({ reason: 'no' }, 999_999)).rejects.toMatchObject({
      code: 'order_not_found',
    })
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(first, paymentRef)
    await expect(refund({ reason: 'no', documentId: other.id })).rejects.toMatchObject({
      code: 'document_not_found',
    })
  })
})
