import { describe, expect, test } from 'vitest'
import { getDocument, getTeacher } from '../../../src/contract/catalogue.ts'
import * as orders from '../../../src/contract/office-orders.ts'
import { dinars, type Millimes } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { decide, expectOneSucceeds, key } from '../../support/admin/payments.ts'
import { insert } from '../../support/database.ts'
import type { Person } from '../../support/factories.ts'
import { anOrder, aPayment, bought, soundApp } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { ownedIds } from '../../support/wallet.ts'

const app = await soundApp()
const first = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
const second = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })

/** A customer with 100 dinars who has bought documents of one teacher, in one order. */
async function aPurchase(...prices: number[]) {
  const buyer = await app.aCustomer({ balance: dinars(100) })
  const { id: teacherId } = await app.aTeacher()
  const documents = []
  for (const price of prices) {
    documents.push(await app.aDocument({ price: dinars(price), teacherId }))
  }
  const orderId = await bought(app, buyer, documents)
  const documentIds = documents.map(({ id }) => id)
  return { buyer, teacherId, documents, documentIds, orderId }
}

const refund = (orderId: number, documentId?: number) =>
  refundOrder(app.deps, { orderId, documentId })

async function salesOf(documentId = 0) {
  const { salesCount, teacher } = await app.call(getDocument, { params: { id: documentId } })
  const seller = await app.call(getTeacher, { params: { id: teacher.id } })
  return { document: salesCount, teacher: seller.salesCount }
}

async function incomeOf(teacherId: number): Promise<Millimes> {
  const { sum } = await app.kysely
    .selectFrom('ledgerEntries')
    .innerJoin('accounts', 'accounts.id', 'ledgerEntries.accountId')
    .select((row) => row.fn.sum<number | null>('amount').as('sum'))
    .where('accounts.teacherId', '=', teacherId)
    .executeTakeFirstOrThrow()
  return sum ?? 0
}

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error) => (error instanceof ApiFault ? error.message : Promise.reject(error)),
  )

describe('a refund', () => {
  test('of an order refunds all prices and revokes its grants', async () => {
    const { buyer, teacherId, documents, documentIds, orderId } = await aPurchase(12.5, 3)
    const kept = await app.aDocument({ teacherId, price: dinars(1) })
    await bought(app, buyer, [kept])
    await insert(app.kysely, 'cartItems', { userId: buyer.id, documentId: kept.id })
    app.published.length = 0

    const made = await refund(orderId)
    expect(made).toMatchObject({ orderId, buyerId: buyer.id, total: dinars(15.5) })
    expect(made.items.map(({ title }) => title)).toEqual(documents.map(({ title }) => title))
    expect(await app.balanceOf(buyer)).toBe(dinars(99))
    expect(await incomeOf(teacherId)).toBe(dinars(0.7))
    expect(await ownedIds(app, buyer)).toEqual([kept.id])
    expect(await salesOf(documentIds[0])).toEqual({ document: 0, teacher: 1 })
    expect(app.published.toSorted()).toEqual(
      [...documentIds.map((id) => `document:${id}`), `teacher:${teacherId}`, 'catalogue'].sort(),
    )
    expect(await app.kysely.selectFrom('cartItems').selectAll().execute()).toHaveLength(1)
  })

  test('of one document leaves the others, and the rest can be refunded later', async () => {
    const { buyer, documentIds, orderId } = await aPurchase(5, 7, 9)
    const [first, second, third] = documentIds
    await refund(orderId, second)
    expect(await app.balanceOf(buyer)).toBe(dinars(100 - 14))
    expect(await ownedIds(app, buyer)).toEqual([first, third])
    const rest = await refund(orderId)
    expect(rest.items.map(({ documentId }) => documentId)).toEqual([first, third])
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
  })

  test('of a free document only revokes it', async () => {
    const { buyer, orderId } = await aPurchase(0)
    expect((await refund(orderId)).total).toBe(0)
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(await reasonOf(refund(orderId))).toMatch(/was refunded before/)
  })

  test('leaves a document that the buyer has from another order since', async () => {
    const { buyer, documents, documentIds, orderId } = await aPurchase(4, 6)
    const [first, second] = documentIds
    await refund(orderId, first)
    await bought(app, buyer, documents.slice(0, 1))
    await refund(orderId, second)
    expect(await ownedIds(app, buyer)).toEqual([first])
    expect(await reasonOf(refund(orderId))).toMatch(/was refunded before/)
    expect(await app.balanceOf(buyer)).toBe(dinars(96))
  })

  test('happens once, under concurrent requests', async () => {
    const { buyer, documentIds, orderId } = await aPurchase(5, 7)
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        reasonOf(refund(orderId, at % 2 ? undefined : documentIds[0])),
      ),
    )
    const done = outcomes.filter((outcome) => outcome === 'done').length
    // All at once, or the first document and then the rest.
    expect([1, 2]).toContain(done)
    const late = outcomes.filter((outcome) => outcome.includes('was refunded before'))
    expect(late).toHaveLength(12 - done)
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(await salesOf(documentIds[0])).toEqual({ document: 0, teacher: 0 })
  })

  test('races with purchases of the same buyer and document without a deadlock', async () => {
    const { buyer, documents, orderId } = await aPurchase(5, 7)
    const buyers = [buyer]
    for (let at = 0; at < 6; at++) buyers.push(await app.aCustomer({ balance: dinars(50) }))
    await Promise.all([
      refund(orderId),
      ...buyers.map((each) => bought(app, each, documents.toReversed())),
    ])
  })
})

describe('an order in the office', () => {
  /** A buyer with an order of these prices that was paid by D17. */
  async function aPaidOrder(buyer: Person, ...prices: number[]) {
    const documents = await app.documentsAt(...prices)
    const { id } = await anOrder(app, buyer, documents)
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(app, first, paymentRef)
    return { id, documents, paymentRef }
  }
  const orderOf = (id: number) => app.call(orders.getShopOrder, { as: first, params: { id } })
  const refund = (
    id: number,
    body: { seen: number; reason?: string; documentId?: number },
    by = first,
  ) =>
    app.call(orders.refundShopOrder, {
      as: by,
      key: key(),
      params: { id },
      body: { reason: 'اشترى مرّتين', ...body },
    })

  test('is found by every name that people use for it', async () => {
    const nour = await app.aCustomer({ firstName: 'Nour', lastName: 'Khemiri' })
    const { id, paymentRef } = await aPaidOrder(nour, 17.25)
    const order = await orderOf(id)
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
      readableReference(paymentRef, 'KR'),
    ]) {
      expect(await found({ q }), q).toContain(id)
      expect(await found({ q, status: 'expired' }), q).toEqual([])
    }
    expect(await found({ q: 'nobody of that name' })).toEqual([])
    const atGateway = { account: 'gateway', name: '', amount: -17.25 }
    expect(order.movements).toMatchObject([
      { kind: 'purchase', entries: expect.arrayContaining([atGateway]) },
    ])
    const seen = { actor: `user ${first.id}`, action: 'see', reason: null }
    expect(await logOf(app, `user ${nour.id}`)).toContainEqual(seen)
  })

  test('is refunded once by two administrators, and the reason is stored', async () => {
    const buyer = await app.aCustomer()
    const { id, documents } = await aPaidOrder(buyer, 20, 5)
    const documentId = documents[1]?.id
    await expectOneSucceeds([
      refund(id, { seen: 5, documentId }),
      refund(id, { seen: 5, documentId }, second),
    ])
    // The page of the second administrator still shows the whole order.
    await expectOneSucceeds([refund(id, { seen: 25 }, second), Promise.resolve()])
    await expectOneSucceeds([refund(id, { seen: 20 }), refund(id, { seen: 20 }, second)])
    expect(await app.balanceOf(buyer)).toBe(dinars(25))
    expect(await orderOf(id)).toMatchObject({
      refunded: 25,
      items: [{ isOwned: false }, { isOwned: false }],
      movements: [
        { kind: 'purchase' },
        { kind: 'refund', note: 'اشترى مرّتين' },
        { kind: 'refund' },
      ],
    })
    const entry = { action: 'refund', reason: 'اشترى مرّتين' }
    expect(await logOf(app, `order ${id}`)).toMatchObject([entry, entry])
  })

  test('is not refunded without a reason, unpaid, or for a document of another', async () => {
    const buyer = await app.aCustomer()
    const pending = await anOrder(app, buyer, await app.documentsAt(20))
    await expectRefused(refund(pending.id, { seen: 1, reason: ' ' }), 400)
    await expectCode(refund(pending.id, { seen: 1 }), 'order_not_paid')
    await expectCode(refund(999_999, { seen: 1 }), 'order_not_found')
    const { id } = await aPaidOrder(buyer, 20)
    const { id: documentId } = await app.aDocument()
    await expectCode(refund(id, { seen: 1, documentId }), 'document_not_found')
    expect(await app.balanceOf(buyer)).toBe(0)
  })
})
