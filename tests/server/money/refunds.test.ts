import { beforeEach, describe, expect, test } from 'vitest'
import { dinars, type Millimes } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { type TestApp, testApp } from '../../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})

/** A customer who has bought these from the wallet, in one order. */
async function aPurchase(prices: Millimes[], { balance = dinars(100) } = {}) {
  const buyer = await app.aCustomer({ balance })
  const teacher = await app.aTeacher()
  const documents = []
  for (const price of prices) {
    documents.push(await app.aDocument({ price, teacherId: teacher.id }))
  }
  const documentIds = documents.map(({ id }) => id)
  await transaction(app.deps.database, (tx) => purchase(tx, { buyerId: buyer.id, documentIds }))
  const { id: orderId } = await app.deps.database.kysely
    .selectFrom('orders')
    .select('id')
    .where('buyerId', '=', buyer.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { buyer, teacher, documents, documentIds, orderId }
}

const grantsOf = (userId: number) =>
  app.deps.database.kysely
    .selectFrom('purchases')
    .select(['documentId', 'orderId'])
    .where('userId', '=', userId)
    .orderBy('documentId')
    .execute()

async function salesOf(documentId: number) {
  return app.deps.database.kysely
    .selectFrom('documents')
    .innerJoin('teachers', 'teachers.id', 'documents.teacherId')
    .select(['documents.salesCount as document', 'teachers.salesCount as teacher'])
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow()
}

async function incomeOf(teacherId: number): Promise<Millimes> {
  const { sum } = await app.deps.database.kysely
    .selectFrom('ledgerEntries')
    .innerJoin('accounts', 'accounts.id', 'ledgerEntries.accountId')
    .select((row) => row.fn.sum<number | null>('amount').as('sum'))
    .where('accounts.teacherId', '=', teacherId)
    .executeTakeFirstOrThrow()
  return sum ?? 0
}

const isSound = async () => isLedgerSound(await checkLedger(app.deps.database.kysely))

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error) => (error instanceof ApiFault ? error.message : Promise.reject(error)),
  )

describe('a refund', () => {
  test('of an order refunds all prices and revokes its grants', async () => {
    const { buyer, teacher, documents, documentIds, orderId } = await aPurchase([
      dinars(12.5),
      dinars(3),
    ])
    const kept = await app.aDocument({ teacherId: teacher.id, price: dinars(1) })
    await transaction(app.deps.database, (tx) =>
      purchase(tx, { buyerId: buyer.id, documentIds: [kept.id] }),
    )
    await app.deps.database.kysely
      .insertInto('cartItems')
      .values({ userId: buyer.id, documentId: kept.id })
      .execute()
    app.published.length = 0

    const refund = await refundOrder(app.deps, { orderId })
    expect(refund).toMatchObject({ orderId, buyerId: buyer.id, total: dinars(15.5) })
    expect(refund.items.map(({ title }) => title)).toEqual(documents.map(({ title }) => title))
    expect(await app.balanceOf(buyer)).toBe(dinars(99))
    expect(await incomeOf(teacher.id)).toBe(dinars(0.7))
    expect((await grantsOf(buyer.id)).map((grant) => grant.documentId)).toEqual([kept.id])
    expect(await salesOf(documentIds[0] ?? 0)).toEqual({ document: 0, teacher: 1 })
    expect(app.published.toSorted()).toEqual(
      [...documentIds.map((id) => `document:${id}`), `teacher:${teacher.id}`, 'catalogue'].sort(),
    )
    const carts = await app.deps.database.kysely.selectFrom('cartItems').selectAll().execute()
    expect(carts).toHaveLength(1)
    expect(await isSound()).toBe(true)
  })

  test('of one document leaves the others, and the rest can be refunded later', async () => {
    const { buyer, documentIds, orderId } = await aPurchase([dinars(5), dinars(7), dinars(9)])
    const [first = 0, second = 0, third = 0] = documentIds
    await refundOrder(app.deps, { orderId, documentId: second })
    expect(await app.balanceOf(buyer)).toBe(dinars(100 - 14))
    expect((await grantsOf(buyer.id)).map((grant) => grant.documentId)).toEqual([first, third])
    const rest = await refundOrder(app.deps, { orderId })
    expect(rest.items.map(({ documentId }) => documentId)).toEqual([first, third])
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    expect(await isSound()).toBe(true)
  })

  test('of a free document only revokes it', async () => {
    const { buyer, orderId } = await aPurchase([0])
    expect((await refundOrder(app.deps, { orderId })).total).toBe(0)
    expect(await grantsOf(buyer.id)).toEqual([])
    expect(await reasonOf(refundOrder(app.deps, { orderId }))).toMatch(/was refunded before/)
    expect(await isSound()).toBe(true)
  })

  test('leaves a document that the buyer has from another order since', async () => {
    const { buyer, documentIds, orderId } = await aPurchase([dinars(4), dinars(6)])
    const [first = 0, second = 0] = documentIds
    await refundOrder(app.deps, { orderId, documentId: first })
    await transaction(app.deps.database, (tx) =>
      purchase(tx, { buyerId: buyer.id, documentIds: [first] }),
    )
    await refundOrder(app.deps, { orderId, documentId: second })
    expect((await grantsOf(buyer.id)).map((grant) => grant.documentId)).toEqual([first])
    expect(await reasonOf(refundOrder(app.deps, { orderId }))).toMatch(/was refunded before/)
    expect(await app.balanceOf(buyer)).toBe(dinars(96))
    expect(await isSound()).toBe(true)
  })

  test('takes from a teacher who has been paid out already', async () => {
    const { teacher, orderId } = await aPurchase([dinars(20)])
    const { database } = app.deps
    // The teacher's account was emptied in the meantime.
    await database.pool.query(
      `WITH moved AS (INSERT INTO ledger_transactions (kind) VALUES ('adjustment') RETURNING id)
       INSERT INTO ledger_entries (transaction_id, account_id, amount)
       SELECT moved.id, accounts.id, CASE kind WHEN 'teacher_earnings' THEN -14000 ELSE 14000 END
       FROM moved, accounts WHERE kind IN ('teacher_earnings', 'adjustments')`,
    )
    await refundOrder(app.deps, { orderId })
    expect(await incomeOf(teacher.id)).toBe(dinars(-14))
    expect(await isSound()).toBe(true)
  })

  test('happens once, under concurrent requests', async () => {
    const { buyer, documentIds, orderId } = await aPurchase([dinars(5), dinars(7)])
    const [first = 0] = documentIds
    const attempts = Array.from({ length: 12 }, (_, at) =>
      reasonOf(refundOrder(app.deps, at % 2 ? { orderId } : { orderId, documentId: first })),
    )
    const outcomes = await Promise.all(attempts)
    const done = outcomes.filter((outcome) => outcome === 'done').length
    // All at once, or the first document and then the rest.
    expect([1, 2]).toContain(done)
    expect(outcomes.filter((outcome) => outcome.includes('was refunded before'))).toHaveLength(
      12 - done,
    )
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    expect(await grantsOf(buyer.id)).toEqual([])
    expect(await salesOf(first)).toEqual({ document: 0, teacher: 0 })
    expect(await isSound()).toBe(true)
  })

  test('races with purchases of the same buyer and document without a deadlock', async () => {
    const { buyer, documentIds, orderId } = await aPurchase([dinars(5), dinars(7)])
    const others = await Promise.all(
      Array.from({ length: 6 }, () => app.aCustomer({ balance: dinars(50) })),
    )
    await Promise.all([
      refundOrder(app.deps, { orderId }),
      ...[buyer, ...others].map(({ id }) =>
        transaction(app.deps.database, (tx) =>
          purchase(tx, { buyerId: id, documentIds: documentIds.toReversed() }),
        ),
      ),
    ])
    expect(await isSound()).toBe(true)
  })
})

describe('a refund is refused', () => {
  test('with its reason, and moves no money', async () => {
    const { buyer, orderId } = await aPurchase([dinars(5)])
    const other = await app.aDocument()
    const { id: pending } = await app.deps.database.kysely
      .insertInto('orders')
      .values({ buyerId: buyer.id, status: 'pending', method: 'card', total: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await reasonOf(refundOrder(app.deps, { orderId: 999_999 }))).toMatch(/no order 999999/)
    expect(await reasonOf(refundOrder(app.deps, { orderId: pending }))).toMatch(
      /is pending, not paid/,
    )
    expect(await reasonOf(refundOrder(app.deps, { orderId, documentId: other.id }))).toMatch(
      /is not part of order/,
    )
    expect(await app.balanceOf(buyer)).toBe(dinars(95))
    expect(await isSound()).toBe(true)
  })
})
