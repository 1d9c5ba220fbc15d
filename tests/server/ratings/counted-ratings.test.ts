import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import { dinars } from '../../../src/rules/money.ts'
import {
  confirmEmail,
  keepConfirmationToken,
} from '../../../src/server/accounts/email-confirmations.ts'
import type { Schema } from '../../../src/server/database/schema.ts'
import { type Tx, transaction } from '../../../src/server/database/transaction.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { refundItems, refundOrder } from '../../../src/server/money/refunds.ts'
import { checkRatings } from '../../../src/server/ratings/ratings.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { pageNotes } from '../../support/page-notes.ts'
import {
  aBuyer,
  buy,
  type Caller,
  documentOf,
  hide,
  listed,
  NONE,
  rate,
  rateTeacher,
  teacherOf,
} from '../../support/ratings.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})
const refund = async (as: Caller) =>
  refundOrder(app.deps, { orderId: await lastOrder(app.deps.database.kysely, as) })
async function lastOrder(db: Kysely<Schema>, buyer: Caller): Promise<number> {
  const { id } = await db
    .selectFrom('orders')
    .select('id')
    .where('buyerId', '=', buyer.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

describe('a rating counts', () => {
  test('for a document while its author owns it: a purchase adds it, a refund removes it', async () => {
    const { id, teacherId } = await app.aDocument()
    const me = await aBuyer(app)
    await rate(app, me, id, 2)
    await rateTeacher(app, me, teacherId, 2)
    expect([await documentOf(app, id), await teacherOf(app, teacherId)]).toEqual([NONE, NONE])
    const notes = await pageNotes(app)
    await buy(app, me, id)
    const one = { rating: 2, ratingCount: 1 }
    expect([await documentOf(app, id), await teacherOf(app, teacherId)]).toEqual([one, one])
    expect(await notes()).toContain('teachers')
    expect(await listed(app, id)).toMatchObject([{ verified: true }])
    await refund(me)
    expect([await documentOf(app, id), await teacherOf(app, teacherId)]).toEqual([NONE, NONE])
    expect(await listed(app, id)).toMatchObject([{ verified: false, rating: 2 }])
  })

  test('for a teacher only from paying buyers: a discount to zero is not paid', async () => {
    const { id: teacherId } = await app.aTeacher()
    const free = await app.aDocument({ teacherId, price: 0 })
    const paid = await app.aDocument({ teacherId, price: dinars(3) })
    const me = await aBuyer(app)
    await rateTeacher(app, me, teacherId, 3)
    await buy(app, me, free.id)
    await rate(app, me, free.id, 4)
    expect(await teacherOf(app, teacherId)).toEqual(NONE)
    expect(await documentOf(app, free.id)).toEqual({ rating: 4, ratingCount: 1 })
    await buy(app, me, paid.id)
    expect(await teacherOf(app, teacherId)).toEqual({ rating: 3, ratingCount: 1 })
    await refund(me)
    expect(await teacherOf(app, teacherId)).toEqual(NONE)
  })

  test('wherever averages are used: in the shop’s filter and sort order', async () => {
    const { id: matiereId } = { id: await app.aMatiere() }
    const [one, two] = [await app.aDocument({ matiereId }), await app.aDocument({ matiereId })]
    const buyer = await aBuyer(app)
    await buy(app, buyer, two.id)
    await rate(app, buyer, two.id, 4)
    await rate(app, await aBuyer(app), one.id, 5)
    await rate(app, await app.aCustomer({ isConfirmed: false }), two.id, 1)
    const found = async (query: object) =>
      (await app.call(searchDocuments, { query: { matiereId, ...query } })).content.map(
        ({ id, rating }) => [id, rating],
      )
    expect(await found({ rating: 4 })).toEqual([[two.id, 4]])
    expect(await found({ sort: 'rating' })).toEqual([
      [two.id, 4],
      [one.id, 0],
    ])
  })

  const database = () => app.deps.database
  const rated = (tx: Tx, me: Caller, id: number) =>
    sql`INSERT INTO ratings (user_id, document_id, stars) VALUES (${me.id}, ${id}, 4)`.execute(tx)
  const confirmed = (tx: Tx, me: Caller) =>
    sql`UPDATE users SET email_confirmed_at = now() WHERE id = ${me.id}`.execute(tx)
  const bought = (tx: Tx, me: Caller, id: number) =>
    purchase(tx, { buyerId: me.id, documentIds: [id] })
  const refunded = async (tx: Tx, me: Caller) =>
    refundItems(tx, { orderId: await lastOrder(tx, me) })

  test.each([
    ['a rating', 'a purchase', rated, bought, 1],
    ['a purchase', 'a rating', bought, rated, 1],
    ['a rating', 'a refund', rated, refunded, 0],
    ['a refund', 'a rating', refunded, rated, 0],
    ['a rating', 'a confirmation', rated, confirmed, 1],
    ['a confirmation', 'a rating', confirmed, rated, 1],
  ] as const)('or not, while %s is not committed and %s begins', async (...row) => {
    const [, , first, second, ratingCount] = row
    const { id } = await app.aDocument()
    const isAboutConfirming = first === confirmed || second === confirmed
    const me = await app.aCustomer({ balance: dinars(20), isConfirmed: !isAboutConfirming })
    if (first !== bought && second !== bought) await buy(app, me, id)
    let later: Promise<unknown> = Promise.resolve()
    await transaction(database(), async (tx) => {
      await first(tx, me, id)
      let isOver = false
      later = transaction<unknown>(database(), (other) => second(other, me, id)).finally(() => {
        isOver = true
      })
      await expect.poll(async () => isOver || (await isLockAwaited())).toBe(true)
    })
    await later
    expect(await documentOf(app, id)).toMatchObject({ ratingCount })
    expect(await checkRatings(database().kysely)).toEqual([])
  })

  async function isLockAwaited(): Promise<boolean> {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database().kysely)
    return rows.length > 0
  }

  test('exactly once, for any interleaving of purchase, refund, rating, confirmation and hiding', async () => {
    for (let round = 0; round < 12; round++) {
      const { id, teacherId } = await app.aDocument()
      const me = await app.aCustomer({ balance: dinars(20), isConfirmed: false })
      const token = await keepConfirmationToken(app.deps, me.id)
      if (round % 3 === 0) await buy(app, me, id)
      await Promise.all([
        rate(app, me, id, 5),
        rateTeacher(app, me, teacherId, 4),
        confirmEmail(app.deps, token),
        round % 3 === 0 ? refund(me) : buy(app, me, id),
        rate(app, me, id, 3),
      ])
      const [mine] = await listed(app, id, me)
      await Promise.all([
        rate(app, me, id, 2),
        // Hiding a hidden rating, or showing a shown one, is refused.
        hide(app, mine?.id ?? 0, round % 2 === 0 ? 'why' : null).catch(() => undefined),
        round % 3 === 1 ? refund(me) : rateTeacher(app, me, teacherId, 1),
      ])
      const isOwner = round % 3 === 2
      const counts = isOwner && round % 2 === 1
      expect(await documentOf(app, id)).toEqual(counts ? { rating: 2, ratingCount: 1 } : NONE)
      expect(await teacherOf(app, teacherId)).toEqual(
        isOwner ? { rating: 1, ratingCount: 1 } : NONE,
      )
    }
    expect(await checkRatings(app.deps.database.kysely)).toEqual([])
  })

  test('with many buyers of the same documents at once, and none is refused', async () => {
    const { id: teacherId } = await app.aTeacher()
    const documents = []
    for (let at = 0; at < 4; at++) documents.push(await app.aDocument({ teacherId }))
    const ids = documents.map(({ id }) => id)
    const people = await Promise.all(Array.from({ length: 10 }, () => aBuyer(app)))
    for (const [at, person] of people.entries()) {
      await rate(app, person, ids[at % 4] ?? 0, 4)
      await rate(app, person, ids[(at + 1) % 4] ?? 0, 4)
      await rateTeacher(app, person, teacherId, 3)
    }
    await Promise.all(
      people.map((person, at) => buy(app, person, ...(at % 2 ? ids : [...ids].reverse()))),
    )
    expect(await teacherOf(app, teacherId)).toEqual({ rating: 3, ratingCount: 10 })
    expect(await checkRatings(app.deps.database.kysely)).toEqual([])
  })
})
