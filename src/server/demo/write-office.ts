import type { BulkChange, Goods } from '../../rules/bulk-change.ts'
import { DAY_MS, HOUR_MS } from '../../rules/durations.ts'
import { fullName } from '../../rules/full-name.ts'
import { dinars } from '../../rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import { foldText } from '../../rules/search-fold.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { VISIT_STEPS } from '../../rules/visits.ts'
import { searchText } from '../catalogue/catalogue.ts'
import type { Tx } from '../database/transaction.ts'
import { adjustWallet, bookPayout, purchase, refundItems, requestPayout } from '../money/money.ts'
import { COMMAND_LINE, userActor } from '../staff-log/staff-log.ts'
import {
  type DemoGoods,
  type DemoReview,
  type DemoShop,
  entryOf,
  finalPriceOf,
  OfficeGoods,
  readData,
} from './demo-data.ts'

export async function writeOffice(tx: Tx, shop: DemoShop): Promise<void> {
  const { office, teachers } = shop
  const now = Date.now()
  const before = (days: number) => new Date(now - days * DAY_MS)
  const teacherId = entryOf(teachers, 'id', office.teacher).id
  const orders = new Map<string, number>()
  for (const { buyer, document, daysAgo } of office.sales) {
    const amount = finalPriceOf(shop, document)
    await adjustWallet(tx, { userId: buyer, amount, note: 'demo purchase' })
    const { orderId } = await purchase(tx, {
      buyerId: buyer,
      documentIds: [document],
      at: before(daysAgo),
    })
    if (orderId !== null) orders.set(`${buyer} ${document}`, orderId)
  }
  for (const { documents, price } of office.bundles) {
    const { id: bundleId } = await tx
      .insertInto('bundles')
      .values({ teacherId, price: dinars(price) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = documents.map((documentId) => ({ bundleId, documentId }))
    await tx.insertInto('bundleDocuments').values(rows).execute()
  }
  for (const { isTeachers, atMost, ...code } of office.codes) {
    const at = before(DAYS_OF_SALES)
    await tx
      .insertInto('discountCodes')
      .values({
        ...code,
        teacherId: isTeachers ? teacherId : null,
        atMost: atMost === null ? null : dinars(atMost),
        amount: null,
        scope: 'all',
        startsAt: at,
        createdAt: at,
        usesPerPerson: null,
        leastTotal: null,
      })
      .execute()
  }
  for (const { buyer, document } of office.refunds) {
    const orderId = orders.get(`${buyer} ${document}`)
    if (orderId !== undefined) await refundItems(tx, { orderId })
  }
  await tx
    .insertInto('bankAccounts')
    .values({ teacherId, ...office.bankAccount, changedAt: before(DAYS_OF_SALES) })
    .execute()
  const { userId } = await tx
    .selectFrom('teachers')
    .select('userId')
    .where('id', '=', teacherId)
    .executeTakeFirstOrThrow()
  for (const { amount, requestedDaysAgo, paidDaysAgo, reference } of office.payouts) {
    const { id } = await requestPayout(tx, {
      actor: userActor(userId ?? 0),
      teacherId,
      amount: dinars(amount),
      at: before(requestedDaysAgo).getTime(),
    })
    await bookPayout(tx, { payoutId: id, reference, at: before(paidDaysAgo) })
  }
}

const DAYS_OF_SALES = 340

/**
 * Writes work that waits for an administrator: transfers, a payment that differs, an adjustment.
 */
export async function writeOfficeMoney(
  tx: Tx,
  { officeMoney: { transfers, difference, adjustment } }: DemoShop,
  siteUrl: string,
): Promise<void> {
  const now = Date.now()
  const before = (hours: number) => new Date(now - hours * HOUR_MS)
  const payments = [
    ...transfers.map((transfer) => ({
      ...transfer,
      provider: 'manual' as const,
      gatewayReference: null,
      payUrl: `${siteUrl}/payment/transfer/${transfer.reference}`,
    })),
    { ...difference, method: 'card' as const, provider: 'sandbox' as const, payUrl: null },
  ]
  const ids = new Map<string, number>()
  for (const { buyer, amount, hoursAgo, ...payment } of payments) {
    const { method, provider, reference, gatewayReference, payUrl } = payment
    const { id } = await tx
      .insertInto('payments')
      .values({
        method,
        provider,
        reference,
        gatewayReference,
        payUrl,
        purpose: 'top_up',
        userId: buyer,
        orderId: null,
        amount: dinars(amount),
        intent: `demo ${reference}`,
        createdAt: before(hoursAgo),
        expiresAt: new Date(before(hoursAgo).getTime() + ORDER_LIFETIME_MS),
        nextCheckAt: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(reference, id)
  }
  const { reference, gatewayReference, amount, reported, hoursAgo } = difference
  await tx
    .insertInto('sandboxPayments')
    .values({
      reference: gatewayReference,
      orderReference: reference,
      amount: dinars(reported),
      status: 'paid',
      successUrl: siteUrl,
      failUrl: siteUrl,
      webhookUrl: siteUrl,
      locale: 'ar',
    })
    .execute()
  await tx
    .insertInto('paymentDifferences')
    .values({
      paymentId: ids.get(reference) ?? 0,
      kind: 'amount',
      expectedAmount: dinars(amount),
      gatewayReference,
      reportedAmount: dinars(reported),
      reportedState: 'paid',
      notedAt: before(hoursAgo),
    })
    .execute()
  await tx
    .insertInto('acts')
    .values({
      kind: 'adjustment',
      subject: null,
      userId: adjustment.buyer,
      amount: dinars(adjustment.amount),
      input: JSON.stringify({ userId: adjustment.buyer, amount: dinars(adjustment.amount) }),
      detail: '',
      reason: adjustment.reason,
      needsSecond: true,
      state: 'waiting',
      proposer: userActor(adjustment.proposer),
      proposedAt: before(adjustment.hoursAgo),
      decider: null,
    })
    .execute()
}

/** Factors by day, so that days differ: every fifth day has more visits. */
const RHYTHM = [1, 0.8, 1.1, 0.9, 1.4]

export async function writeOfficeFigures(
  tx: Tx,
  { officeFigures: { days, aDay, searches } }: DemoShop,
): Promise<void> {
  const dayBefore = (daysAgo: number) => tunisianDay(new Date(Date.now() - daysAgo * DAY_MS))
  const counts = Array.from({ length: days }, (_, daysAgo) =>
    VISIT_STEPS.map((step) => ({
      day: dayBefore(daysAgo),
      step,
      count: Math.round(aDay[step] * (RHYTHM[daysAgo % RHYTHM.length] ?? 1)),
    })),
  )
  await tx.insertInto('visitCounts').values(counts.flat()).execute()
  const found = searches.map(({ text, daysAgo, count }) => ({
    day: dayBefore(daysAgo),
    words: foldText(text),
    count,
  }))
  await tx.insertInto('emptySearches').values(found).execute()
}

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

/** Writes work that waits for administrators; the documents that it refers to must exist. */
export async function writeReview(tx: Tx, review: DemoReview): Promise<void> {
  for (const { daysAgo, ...request } of review.requests) {
    const askedAt = new Date(Date.now() - daysAgo * DAY_MS)
    await tx
      .insertInto('joinRequests')
      .values({ ...request, tokenHash: null, askedAt, confirmedAt: askedAt })
      .execute()
  }
  for (const { document, file, note, at } of review.versions) {
    const createdBy = await teacherOf(tx, document)
    await tx
      .insertInto('documentVersions')
      .values({
        documentId: document,
        number: 2,
        fileId: file,
        note,
        state: 'submitted',
        createdAt: at,
        createdBy,
      })
      .execute()
    await tx
      .insertInto('documentEvents')
      .values({
        documentId: document,
        actor: createdBy,
        action: 'submit version',
        version: 2,
        reason: note,
        madeAt: at,
      })
      .execute()
  }
  for (const { like, title, description, price, at } of review.submitted) {
    const model = await tx
      .selectFrom('documents')
      .innerJoin('teachers', 'teachers.id', 'documents.teacherId')
      .select(['documents.teacherId', 'matiereId', 'niveauId', 'categoryId', 'documents.level'])
      .select(['audience', 'fileId', 'firstName', 'lastName'])
      .where('documents.id', '=', like)
      .executeTakeFirstOrThrow()
    const { firstName, lastName, ...rest } = model
    const words = { title, teacher: fullName(model) }
    const { id } = await tx
      .insertInto('documents')
      .values({
        ...rest,
        title,
        description,
        price: dinars(price),
        priceDiscount: null,
        coverPath: null,
        livrePath: null,
        coverUploadId: null,
        coverMappingId: null,
        searchText: searchText(words),
        reference: `demo review of ${like}`,
        state: 'submitted',
        createdAt: at,
        changedAt: at,
        uploadedAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const actor = await teacherOf(tx, id)
    await tx
      .insertInto('documentVersions')
      .values({
        documentId: id,
        number: 1,
        fileId: rest.fileId,
        state: 'submitted',
        createdAt: at,
        createdBy: actor,
      })
      .execute()
    await tx
      .insertInto('documentEvents')
      .values([
        { documentId: id, actor, action: 'create', madeAt: at },
        { documentId: id, actor, action: 'submit', madeAt: at },
      ])
      .execute()
  }
}

/**
 * The actor who submitted a document: its teacher, or the operator if the teacher has no account.
 */
async function teacherOf(tx: Tx, documentId: number): Promise<string> {
  const { userId } = await tx
    .selectFrom('documents')
    .innerJoin('teachers', 'teachers.id', 'documents.teacherId')
    .select('teachers.userId')
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow()
  return userId === null ? COMMAND_LINE : userActor(userId)
}
