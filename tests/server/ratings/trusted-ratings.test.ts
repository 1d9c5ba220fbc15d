import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { logIn, register } from '../../../src/contract/accounts.ts'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readToken } from '../../../src/rules/token.ts'
import {
  confirmEmail,
  keepConfirmationToken,
} from '../../../src/server/accounts/email-confirmations.ts'
import type { Schema } from '../../../src/server/database/schema.ts'
import { type Tx, transaction } from '../../../src/server/database/transaction.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { refundItems, refundOrder } from '../../../src/server/money/refunds.ts'
import { checkRatings } from '../../../src/server/ratings/ratings.ts'
import { PASSWORD } from '../../support/factories.ts'
import {
  aBuyer,
  buy,
  type Caller,
  documentOf,
  hide,
  listed,
  NONE,
  pageNotes,
  rate,
  rateTeacher,
  teacherOf,
} from '../../support/ratings.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

/** Registers an account as any stranger can. */
async function aStranger(at: number): Promise<Caller> {
  const email = `stranger${at}@karras.test`
  const name = { username: 'x', firstName: 'x', lastName: 'x', gender: 'male' as const }
  const body = { ...name, phone: String(90_000_000 + at), email, password: PASSWORD }
  await app.call(register, { body })
  const credentials = { username: email, password: PASSWORD }
  const { accessToken: token } = await app.call(logIn, { body: credentials })
  return { id: readToken(token, Date.now())?.userId ?? 0, token }
}
const confirm = async (person: Caller) =>
  confirmEmail(app.deps, await keepConfirmationToken(app.deps, person.id))

describe('an attack on a teacher', () => {
  test('by five fresh accounts with a free document leaves the average at 4.00', async () => {
    const { id: teacherId } = await app.aTeacher()
    const paid = await app.aDocument({ teacherId, price: dinars(5) })
    const free = await app.aDocument({ teacherId, price: dinars(0) })
    for (const stars of [5, 4, 3]) {
      const parent = await aBuyer(app)
      await buy(app, parent, paid.id)
      await rateTeacher(app, parent, teacherId, stars)
    }
    expect(await teacherOf(app, teacherId)).toEqual({ rating: 4, ratingCount: 3 })
    for (let at = 1; at <= 5; at++) {
      const stranger = await aStranger(at)
      await buy(app, stranger, free.id)
      await rateTeacher(app, stranger, teacherId, 1, 'Nul')
      await rate(app, stranger, free.id, 1, 'Nul')
      expect(await documentOf(app, free.id)).toMatchObject({ ratingCount: at - 1 })
      // With an address of their own they rate the free document, and nothing else.
      await confirm(stranger)
      expect(await documentOf(app, free.id)).toEqual({ rating: 1, ratingCount: at })
    }
    expect(await teacherOf(app, teacherId)).toEqual({ rating: 4, ratingCount: 3 })
  })
})

describe('until the address is confirmed', () => {
  test('a buyer’s rating is visible to its author only, says so, and counts nowhere', async () => {
    const document = await app.aDocument()
    const me = await app.aCustomer({ balance: dinars(10), isConfirmed: false })
    const other = await aBuyer(app)
    await buy(app, me, document.id)
    const notes = await pageNotes(app)
    const mine = await rate(app, me, document.id, 1, 'Mauvais')
    const ofTeacher = await rateTeacher(app, me, document.teacherId, 1, 'Mauvais')
    expect(mine).toMatchObject({ verified: false, awaitsConfirmation: true, hiddenReason: null })
    expect(await notes()).toEqual([])
    const params = { id: document.id }
    for (const as of [null, other, await app.anAdministrator()]) {
      expect(await listed(app, document.id, as)).toEqual([])
      expect(await app.call(ratings.listCommentedDocumentRatings, { as, params })).toEqual([])
      const all = await app.call(ratings.listRatings, { as })
      expect(all.map(({ id }) => id)).not.toContain(mine.id)
      await expectCode(app.call(ratings.getRating, { as, params: { id: mine.id } }), 'not_found')
    }
    expect(await listed(app, document.id, me)).toEqual([mine])
    expect(await app.call(ratings.getRating, { as: me, params: { id: mine.id } })).toEqual(mine)
    expect(await documentOf(app, document.id)).toEqual(NONE)
    expect(await teacherOf(app, document.teacherId)).toEqual(NONE)

    expect(await confirm(me)).toBe(true)
    expect(await documentOf(app, document.id)).toEqual({ rating: 1, ratingCount: 1 })
    expect(await teacherOf(app, document.teacherId)).toEqual({ rating: 1, ratingCount: 1 })
    expect(await listed(app, document.id, me)).toEqual([
      { ...mine, verified: true, awaitsConfirmation: false },
    ])
    expect(await listed(app, document.id)).toMatchObject([{ id: mine.id, verified: true }])
    expect(await notes()).toEqual([
      'catalogue',
      `document:${document.id}`,
      `teacher:${document.teacherId}`,
      'teachers',
    ])
    expect(ofTeacher.awaitsConfirmation).toBe(true)
  })

  test('responses to others reveal nothing of the state', async () => {
    const { id } = await app.aDocument()
    await rate(app, await aBuyer(app), id, 4, 'Bien')
    const [seen] = await listed(app, id)
    expect(seen).toMatchObject({ verified: false })
    for (const own of ['awaitsConfirmation', 'hiddenReason']) expect(seen).not.toHaveProperty(own)
  })
})

describe('a hidden rating', () => {
  test('counts nowhere and is visible to its author only, with the reason', async () => {
    const { id } = await app.aDocument()
    const me = await aBuyer(app)
    await buy(app, me, id)
    const mine = await rate(app, me, id, 1, 'Insulte')
    app.published.length = 0
    const notes = await pageNotes(app)
    await hide(app, mine.id, 'Insulte une personne.')
    expect(await documentOf(app, id)).toEqual(NONE)
    expect(await listed(app, id)).toEqual([])
    const reason = { verified: false, hiddenReason: 'Insulte une personne.' }
    expect(await listed(app, id, me)).toMatchObject([{ ...reason, awaitsConfirmation: false }])
    expect(await notes()).toEqual(['catalogue', `document:${id}`])
    expect(app.published).toEqual([`document:${id}`, 'catalogue'])

    // Neither editing nor rewriting it makes it visible.
    const params = { id: mine.id }
    const body = { rating: 5, comment: 'Autre chose' }
    expect(await app.call(ratings.changeRating, { as: me, params, body })).toMatchObject(reason)
    expect(await rate(app, me, id, 4, 'Encore')).toMatchObject(reason)
    await app.call(ratings.removeRating, { as: me, params })
    expect(await listed(app, id, me)).toEqual([])
    const own = { documentId: id, userId: me.id }
    expect(await app.call(ratings.getDocumentRatingOf, { as: me, params: own })).toBeNull()
    await expectCode(app.call(ratings.removeRating, { as: me, params }), 'not_found')
    expect(await hide(app, mine.id, null)).toBeNull()
    expect(await rate(app, me, id, 4, 'Toujours')).toMatchObject({ id: mine.id, ...reason })
    expect(await documentOf(app, id)).toEqual(NONE)

    await hide(app, mine.id, null)
    expect(await documentOf(app, id)).toEqual({ rating: 4, ratingCount: 1 })
    expect(await listed(app, id)).toMatchObject([{ comment: 'Toujours', verified: true }])
  })

  test('that is deleted leaves nothing of its words', async () => {
    const { id } = await app.aDocument()
    const me = await aBuyer(app)
    const mine = await rate(app, me, id, 1, 'Des mots')
    await hide(app, mine.id, 'why')
    await app.call(ratings.removeRating, { as: me, params: { id: mine.id } })
    const { comment } = await app.kysely
      .selectFrom('ratings')
      .select('comment')
      .where('id', '=', mine.id)
      .executeTakeFirstOrThrow()
    expect(comment).toBe('')
  })
})

const refund = async (as: Caller) =>
  refundOrder(app.deps, { orderId: await lastOrder(app.kysely, as) })
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

  test('wherever averages are used: in the shop’s filter and sort order', async () => {
    const matiereId = await app.aMatiere()
    const [one, two] = [await app.aDocument({ matiereId }), await app.aDocument({ matiereId })]
    const buyer = await aBuyer(app)
    await buy(app, buyer, two.id)
    await rate(app, buyer, two.id, 4)
    await rate(app, await aBuyer(app), one.id, 5)
    await rate(app, await app.aCustomer({ isConfirmed: false }), two.id, 1)
    const found = async (query: object) => {
      const { content } = await app.call(searchDocuments, { query: { matiereId, ...query } })
      return content.map(({ id, rating }) => [id, rating])
    }
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
    expect(await checkRatings(app.kysely)).toEqual([])
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
    expect(await checkRatings(app.kysely)).toEqual([])
  })
})
