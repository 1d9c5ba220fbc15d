import { beforeAll, describe, expect, test } from 'vitest'
import { logIn, register } from '../../../src/contract/accounts.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readToken } from '../../../src/rules/token.ts'
import {
  confirmEmail,
  keepConfirmationToken,
} from '../../../src/server/accounts/email-confirmations.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
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

/** Registers an account as any stranger can. */
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
    const [me, other] = [
      await app.aCustomer({ balance: dinars(10), isConfirmed: false }),
      await aBuyer(app),
    ]
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
      await expect(
        app.call(ratings.getRating, { as, params: { id: mine.id } }),
      ).rejects.toMatchObject({ code: 'not_found' })
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
    expect(Object.keys(seen ?? {})).not.toContain('awaitsConfirmation')
    expect(Object.keys(seen ?? {})).not.toContain('hiddenReason')
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
    await expect(app.call(ratings.removeRating, { as: me, params })).rejects.toMatchObject({
      code: 'not_found',
    })
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
    const { comment } = await app.deps.database.kysely
      .selectFrom('ratings')
      .select('comment')
      .where('id', '=', mine.id)
      .executeTakeFirstOrThrow()
    expect(comment).toBe('')
  })
})
