import type { BulkChange, Goods } from '../../rules/bulk-change.ts'
import { DAY_MS } from '../../rules/durations.ts'
import type { Tx } from '../database/transaction.ts'
import { userActor } from '../staff-log/staff-log.ts'
import { readData } from './demo-data.ts'
import { type DemoGoods, OfficeGoods } from './goods-data.ts'

/** Writes a hidden rating, and a bulk change that gave documents a timed discount. */
export async function writeOfficeGoods(tx: Tx): Promise<void> {
  const { hidden, discount } = await readData('office-goods', OfficeGoods)
  await tx
    .insertInto('ratings')
    .values({
      userId: hidden.buyer,
      documentId: hidden.document,
      teacherId: null,
      stars: hidden.stars,
      comment: hidden.comment,
      createdAt: hidden.at,
      hiddenAt: hidden.hiddenAt,
      hiddenReason: hidden.reason,
    })
    .execute()
  await writeDiscount(tx, discount)
}

async function writeDiscount(tx: Tx, discount: DemoGoods['discount']): Promise<void> {
  const from = Date.now() - discount.begunDaysAgo * DAY_MS
  const until = from + discount.days * DAY_MS
  const change: BulkChange = { kind: 'discount', percent: discount.percent, from, until }
  const { id } = await tx
    .insertInto('bulkChanges')
    .values({
      change: JSON.stringify(change),
      actor: userActor(discount.by),
      state: 'done',
      previewedAt: new Date(from),
      appliedAt: new Date(from),
      reason: discount.reason,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const documents = await tx
    .selectFrom('documents')
    .select(['id', 'revision', 'price', 'priceDiscount', 'state', 'isTakenDown'])
    .where('id', 'in', discount.documents)
    .orderBy('id')
    .execute()
  for (const { id: documentId, revision, price, priceDiscount, state, isTakenDown } of documents) {
    if (priceDiscount === null) throw new Error(`document ${documentId} has no discount`)
    const before: Goods = { price, priceDiscount: null, timed: null, state, isTakenDown }
    const after: Goods = { ...before, timed: { priceDiscount, from, until } }
    await tx
      .insertInto('timedDiscounts')
      .values({
        documentId,
        priceDiscount,
        startsAt: new Date(from),
        endsAt: new Date(until),
        isRunning: true,
        ownDiscount: null,
      })
      .execute()
    await tx
      .insertInto('bulkChangedDocuments')
      .values({
        bulkChangeId: id,
        documentId,
        revision,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        isChanged: true,
      })
      .execute()
  }
}
