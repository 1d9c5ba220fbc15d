import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { logIn, register } from '../../src/contract/accounts.ts'
import { getDocument, getTeacher, searchDocuments } from '../../src/contract/catalogue.ts'
import * as ratings from '../../src/contract/ratings.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { readToken } from '../../src/rules/token.ts'
import {
  confirmEmail,
  keepConfirmationToken,
} from '../../src/server/accounts/email-confirmations.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { type Tx, transaction } from '../../src/server/database/transaction.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import { refundItems, refundOrder } from '../../src/server/money/refunds.ts'
import { checkRatings } from '../../src/server/ratings/check.ts'
import { setHidden } from '../../src/server/ratings/moderation.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { PASSWORD, type Person } from '../support/factories.ts'
import { pageNotes } from '../support/page-notes.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

type Caller = Pick<Person, 'id' | 'token'>

/** Somebody who opens an account as any stranger can. */
async function aStranger(at: number): Promise<Caller> {
  const email = `stranger${at}@karras.test`
  const name = { username: 'x', firstName: 'x', lastName: 'x', gender: 'male' as const }
  const body = { ...name, phone: String(90_000_000 + at), email, password: PASSWORD }
  await app.call(register, { body })
  const { accessToken: token } = await app.call(logIn, {
    body: { username: email, password: PASSWORD },
  })
  return { id: readToken(token, Date.now())?.userId ?? 0, token }
}

const rich = () => app.aCustomer({ balance: dinars(100) })

let keys = 0
async function buy(as: Caller, ...documentIds: number[]): Promise<void> {
  const body = { userId: as.id, documentIds }
  await app.call(payFromWallet, { as, key: `k${keys++}`, body })
}
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
const rate = (as: Caller, documentId: number, rating: number, comment = '') => {
  const body = { user: { id: as.id }, document: { id: documentId }, rating, comment }
  return app.call(ratings.addRating, { as, body })
}
const rateTeacher = (as: Caller, teacherId: number, rating: number, comment = '') => {
  const body = { user: { id: as.id }, teacher: { id: teacherId }, rating, comment }
  return app.call(ratings.addRating, { as, body })
}
const hide = (id: number, reason: string | null) =>
  setHidden(app.deps, id, { actor: 'test', reason })
const confirm = async (person: Caller) =>
  confirmEmail(app.deps, await keepConfirmationToken(app.deps, person.id))

const documentOf = async (id: number) => {
  const { rating, ratingCount } = await app.call(getDocument, { params: { id } })
  return { rating, ratingCount }
}
const teacherOf = async (id: number) => {
  const { rating, ratingCount } = await app.call(getTeacher, { params: { id } })
  return { rating, ratingCount }
}
const listed = (id: number, as: Caller | null = null) =>
  app.call(ratings.listDocumentRatings, { as, params: { id } })
const NONE = { rating: 0, ratingCount: 0 }

describe('an attack on a teacher', () => {
  test('by five fresh accounts with a free document leaves the average at 4.00', async () => {
    const { id: teacherId } = await app.aTeacher()
    const paid = await app.aDocument({ teacherId, price: dinars(5) })
    const free = await app.aDocument({ teacherId, price: dinars(0) })
    for (const stars of [5, 4, 3]) {
      const parent = await rich()
      await buy(parent, paid.id)
      await rateTeacher(parent, teacherId, stars)
    }
    expect(await teacherOf(teacherId)).toEqual({ rating: 4, ratingCount: 3 })
    for (let at = 1; at <= 5; at++) {
      const stranger = await aStranger(at)
      await buy(stranger, free.id)
      await rateTeacher(stranger, teacherId, 1, 'Nul')
      await rate(stranger, free.id, 1, 'Nul')
      expect(await documentOf(free.id)).toMatchObject({ ratingCount: at - 1 })
      // With an address of their own they rate the free document, and nothing else.
      await confirm(stranger)
      expect(await documentOf(free.id)).toEqual({ rating: 1, ratingCount: at })
    }
    expect(await teacherOf(teacherId)).toEqual({ rating: 4, ratingCount: 3 })
  })
})

describe('until the address is confirmed', () => {
  test('a buyer’s rating is seen by its author alone, says so, and counts nowhere', async () => {
    const document = await app.aDocument()
    const [me, other] = [
      await app.aCustomer({ balance: dinars(10), isConfirmed: false }),
      await rich(),
    ]
    await buy(me, document.id)
    const notes = await pageNotes(app)
    const mine = await rate(me, document.id, 1, 'Mauvais')
    const ofTeacher = await rateTeacher(me, document.teacherId, 1, 'Mauvais')
    expect(mine).toMatchObject({ verified: false, awaitsConfirmation: true, hiddenReason: null })
    expect(await notes()).toEqual([])
    const params = { id: document.id }
    for (const as of [null, other, await app.anAdministrator()]) {
      expect(await listed(document.id, as)).toEqual([])
      expect(await app.call(ratings.listDocumentComments, { as, params })).toEqual([])
      const all = await app.call(ratings.listRatings, { as })
      expect(all.map(({ id }) => id)).not.toContain(mine.id)
      await expect(
        app.call(ratings.getRating, { as, params: { id: mine.id } }),
      ).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await listed(document.id, me)).toEqual([mine])
    expect(await app.call(ratings.getRating, { as: me, params: { id: mine.id } })).toEqual(mine)
    expect(await documentOf(document.id)).toEqual(NONE)
    expect(await teacherOf(document.teacherId)).toEqual(NONE)

    expect(await confirm(me)).toBe(true)
    expect(await documentOf(document.id)).toEqual({ rating: 1, ratingCount: 1 })
    expect(await teacherOf(document.teacherId)).toEqual({ rating: 1, ratingCount: 1 })
    expect(await listed(document.id, me)).toEqual([
      { ...mine, verified: true, awaitsConfirmation: false },
    ])
    expect(await listed(document.id)).toMatchObject([{ id: mine.id, verified: true }])
    expect(await notes()).toEqual([
      'catalogue',
      `document:${document.id}`,
      `teacher:${document.teacherId}`,
      'teachers',
    ])
    expect(ofTeacher.awaitsConfirmation).toBe(true)
  })

  test('what others are told says nothing of the state', async () => {
    const { id } = await app.aDocument()
    await rate(await rich(), id, 4, 'Bien')
    const [seen] = await listed(id)
    expect(seen).toMatchObject({ verified: false })
    expect(Object.keys(seen ?? {})).not.toContain('awaitsConfirmation')
    expect(Object.keys(seen ?? {})).not.toContain('hiddenReason')
  })
})

describe('a rating counts', () => {
  test('of a document while its author owns it: a purchase makes it count, a refund takes it out', async () => {
    const { id, teacherId } = await app.aDocument()
    const me = await rich()
    await rate(me, id, 2)
    await rateTeacher(me, teacherId, 2)
    expect([await documentOf(id), await teacherOf(teacherId)]).toEqual([NONE, NONE])
    const notes = await pageNotes(app)
    await buy(me, id)
    const one = { rating: 2, ratingCount: 1 }
    expect([await documentOf(id), await teacherOf(teacherId)]).toEqual([one, one])
    expect(await notes()).toContain('teachers')
    expect(await listed(id)).toMatchObject([{ verified: true }])
    await refund(me)
    expect([await documentOf(id), await teacherOf(teacherId)]).toEqual([NONE, NONE])
    expect(await listed(id)).toMatchObject([{ verified: false, rating: 2 }])
  })

  test('of a teacher only by who paid: a discount to nothing is not paid', async () => {
    const { id: teacherId } = await app.aTeacher()
    const free = await app.aDocument({ teacherId, price: 0 })
    const paid = await app.aDocument({ teacherId, price: dinars(3) })
    const me = await rich()
    await rateTeacher(me, teacherId, 3)
    await buy(me, free.id)
    await rate(me, free.id, 4)
    expect(await teacherOf(teacherId)).toEqual(NONE)
    expect(await documentOf(free.id)).toEqual({ rating: 4, ratingCount: 1 })
    await buy(me, paid.id)
    expect(await teacherOf(teacherId)).toEqual({ rating: 3, ratingCount: 1 })
    await refund(me)
    expect(await teacherOf(teacherId)).toEqual(NONE)
  })

  test('wherever averages are used: the filter and the order of the shop', async () => {
    const { id: matiereId } = { id: await app.aMatiere() }
    const [one, two] = [await app.aDocument({ matiereId }), await app.aDocument({ matiereId })]
    const buyer = await rich()
    await buy(buyer, two.id)
    await rate(buyer, two.id, 4)
    await rate(await rich(), one.id, 5)
    await rate(await app.aCustomer({ isConfirmed: false }), two.id, 1)
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
    if (first !== bought && second !== bought) await buy(me, id)
    let later: Promise<unknown> = Promise.resolve()
    await transaction(database(), async (tx) => {
      await first(tx, me, id)
      let isOver = false
      later = transaction<unknown>(database(), (other) => second(other, me, id)).finally(() => {
        isOver = true
      })
      await expect.poll(async () => isOver || (await somebodyWaits())).toBe(true)
    })
    await later
    expect(await documentOf(id)).toMatchObject({ ratingCount })
    expect(await checkRatings(database().kysely)).toEqual([])
  })

  async function somebodyWaits(): Promise<boolean> {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database().kysely)
    return rows.length > 0
  }

  test('exactly once, however purchase, refund, rating, confirmation and hiding meet', async () => {
    for (let round = 0; round < 12; round++) {
      const { id, teacherId } = await app.aDocument()
      const me = await app.aCustomer({ balance: dinars(20), isConfirmed: false })
      const token = await keepConfirmationToken(app.deps, me.id)
      if (round % 3 === 0) await buy(me, id)
      await Promise.all([
        rate(me, id, 5),
        rateTeacher(me, teacherId, 4),
        confirmEmail(app.deps, token),
        round % 3 === 0 ? refund(me) : buy(me, id),
        rate(me, id, 3),
      ])
      const [mine] = await listed(id, me)
      await Promise.all([
        rate(me, id, 2),
        // What is hidden, or shown, already is refused.
        hide(mine?.id ?? 0, round % 2 === 0 ? 'why' : null).catch(() => undefined),
        round % 3 === 1 ? refund(me) : rateTeacher(me, teacherId, 1),
      ])
      const isOwner = round % 3 === 2
      const counts = isOwner && round % 2 === 1
      expect(await documentOf(id)).toEqual(counts ? { rating: 2, ratingCount: 1 } : NONE)
      expect(await teacherOf(teacherId)).toEqual(isOwner ? { rating: 1, ratingCount: 1 } : NONE)
    }
    expect(await checkRatings(app.deps.database.kysely)).toEqual([])
  })

  test('with many buyers of the same documents at once, and none is turned away', async () => {
    const { id: teacherId } = await app.aTeacher()
    const documents = []
    for (let at = 0; at < 4; at++) documents.push(await app.aDocument({ teacherId }))
    const ids = documents.map(({ id }) => id)
    const people = await Promise.all(Array.from({ length: 10 }, rich))
    for (const [at, person] of people.entries()) {
      await rate(person, ids[at % 4] ?? 0, 4)
      await rate(person, ids[(at + 1) % 4] ?? 0, 4)
      await rateTeacher(person, teacherId, 3)
    }
    await Promise.all(
      people.map((person, at) => buy(person, ...(at % 2 ? ids : [...ids].reverse()))),
    )
    expect(await teacherOf(teacherId)).toEqual({ rating: 3, ratingCount: 10 })
    expect(await checkRatings(app.deps.database.kysely)).toEqual([])
  })
})

describe('a hidden rating', () => {
  test('counts nowhere and is seen by its author alone, with the reason', async () => {
    const { id } = await app.aDocument()
    const me = await rich()
    await buy(me, id)
    const mine = await rate(me, id, 1, 'Insulte')
    app.published.length = 0
    const notes = await pageNotes(app)
    await hide(mine.id, 'Insulte une personne.')
    expect(await documentOf(id)).toEqual(NONE)
    expect(await listed(id)).toEqual([])
    const reason = { verified: false, hiddenReason: 'Insulte une personne.' }
    expect(await listed(id, me)).toMatchObject([{ ...reason, awaitsConfirmation: false }])
    expect(await notes()).toEqual(['catalogue', `document:${id}`])
    expect(app.published).toEqual([`document:${id}`, 'catalogue'])

    // Neither changing it nor writing it anew shows it.
    const params = { id: mine.id }
    const body = { rating: 5, comment: 'Autre chose' }
    expect(await app.call(ratings.changeRating, { as: me, params, body })).toMatchObject(reason)
    expect(await rate(me, id, 4, 'Encore')).toMatchObject(reason)
    await app.call(ratings.removeRating, { as: me, params })
    expect(await listed(id, me)).toEqual([])
    const own = { documentId: id, userId: me.id }
    expect(await app.call(ratings.getDocumentRatingOf, { as: me, params: own })).toBeNull()
    await expect(app.call(ratings.removeRating, { as: me, params })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await hide(mine.id, null)).toBeNull()
    expect(await rate(me, id, 4, 'Toujours')).toMatchObject({ id: mine.id, ...reason })
    expect(await documentOf(id)).toEqual(NONE)

    await hide(mine.id, null)
    expect(await documentOf(id)).toEqual({ rating: 4, ratingCount: 1 })
    expect(await listed(id)).toMatchObject([{ comment: 'Toujours', verified: true }])
  })

  test('that is deleted keeps nothing of its words', async () => {
    const { id } = await app.aDocument()
    const me = await rich()
    const mine = await rate(me, id, 1, 'Des mots')
    await hide(mine.id, 'why')
    await app.call(ratings.removeRating, { as: me, params: { id: mine.id } })
    const { comment } = await app.deps.database.kysely
      .selectFrom('ratings')
      .select('comment')
      .where('id', '=', mine.id)
      .executeTakeFirstOrThrow()
    expect(comment).toBe('')
  })
})
