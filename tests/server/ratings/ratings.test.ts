import { describe, expect, test } from 'vitest'
import { getTeacher } from '../../../src/contract/catalogue.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { aBuyer, buy, documentOf, pageNotes, rate, rateTeacher } from '../../support/ratings.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const teacherOf = async (id: number) => {
  const { rating, ratingCount, reviewCount } = await app.call(getTeacher, { params: { id } })
  return { rating, ratingCount, reviewCount }
}

describe('a rating of a document', () => {
  test('by an owner counts at once; posting again replaces it', async () => {
    const { id } = await app.aDocument()
    const [one, two] = [await aBuyer(app), await aBuyer(app)]
    for (const person of [one, two]) await buy(app, person, id)
    const notes = await pageNotes(app)
    expect(await rate(app, one, id, 5, ' Très bien ')).toMatchObject({
      rating: 5,
      comment: 'Très bien',
      verified: true,
      document: { id },
    })
    await rate(app, two, id, 2)
    expect(await documentOf(app, id)).toEqual({ rating: 3.5, ratingCount: 2 })
    expect(await notes()).toEqual(['catalogue', `document:${id}`])
    await rate(app, one, id, 3)
    expect(await documentOf(app, id)).toEqual({ rating: 2.5, ratingCount: 2 })
    expect(await app.call(ratings.getDocumentAverage, { params: { id } })).toBe(2.5)
    const list = await app.call(ratings.listDocumentRatings, { params: { id } })
    expect(list.map(({ rating }) => rating)).toEqual([3, 2])
  })

  test('by anybody else is listed and does not count, until they buy it', async () => {
    const { id } = await app.aDocument()
    const me = await aBuyer(app)
    expect(await rate(app, me, id, 4, 'Vu chez une amie')).toMatchObject({ verified: false })
    expect(await documentOf(app, id)).toEqual({ rating: 0, ratingCount: 0 })
    expect(await app.call(ratings.getDocumentAverage, { params: { id } })).toBe(0)
    await buy(app, me, id)
    expect(await documentOf(app, id)).toEqual({ rating: 4, ratingCount: 1 })
    const [rating] = await app.call(ratings.listCommentedDocumentRatings, { params: { id } })
    expect(rating).toMatchObject({ comment: 'Vu chez une amie', verified: true })
  })

  test('by many at once all count', async () => {
    const { id } = await app.aDocument()
    const people = await Promise.all(Array.from({ length: 8 }, () => aBuyer(app)))
    for (const person of people) await buy(app, person, id)
    await Promise.all(
      people.flatMap((person) => [rate(app, person, id, 4), rate(app, person, id, 2)]),
    )
    const stars = await app.call(ratings.listDocumentRatings, { params: { id } })
    const sum = stars.reduce((total, { rating }) => total + rating, 0)
    expect(await documentOf(app, id)).toEqual({ rating: sum / 8, ratingCount: 8 })
  })

  test('is counted by its stars if it counts, in one answer', async () => {
    const { id } = await app.aDocument()
    const starsOf = () => app.call(ratings.getDocumentStars, { params: { id } })
    expect(await starsOf()).toEqual([0, 0, 0, 0, 0])
    const people = await Promise.all(Array.from({ length: 4 }, () => aBuyer(app)))
    for (const [at, person] of people.entries()) {
      await buy(app, person, id)
      await rate(app, person, id, at === 0 ? 1 : 5)
    }
    await rate(app, await aBuyer(app), id, 3, 'sans l’avoir achetée')
    const stars = await starsOf()
    expect(stars).toEqual([1, 0, 0, 0, 3])
    expect((await documentOf(app, id)).ratingCount).toBe(4)
    await app.change('documents', id, { state: 'unpublished' })
    await expectCode(starsOf(), 'document_not_found')
  })

  test('lists separately only those with a comment, owners’ first', async () => {
    const { id } = await app.aDocument()
    const [owner, quiet, guest] = [await aBuyer(app), await aBuyer(app), await aBuyer(app)]
    for (const person of [owner, quiet]) await buy(app, person, id)
    await rate(app, owner, id, 5, 'رائع')
    await rate(app, quiet, id, 4, '   ')
    await rate(app, guest, id, 1, 'bof')
    const list = await app.call(ratings.listCommentedDocumentRatings, { params: { id } })
    expect(list.map(({ comment }) => comment)).toEqual(['رائع', 'bof'])
  })

  test('shows others a first name and an initial, and only the author the e-mail', async () => {
    const { id } = await app.aDocument()
    const me = await app.aCustomer({ firstName: 'آمال', lastName: 'بن صالح' })
    const mine = await rate(app, me, id, 4, 'x')
    expect(mine.user).toEqual({ id: me.id, name: 'آمال ب.', email: me.email })
    for (const as of [null, await app.aCustomer(), await app.anAdministrator()]) {
      const [seen] = await app.call(ratings.listDocumentRatings, { as, params: { id } })
      expect(seen?.user).toEqual({ id: me.id, name: 'آمال ب.' })
      const one = await app.call(ratings.getRating, { as, params: { id: mine.id } })
      expect(one.user.email).toBeUndefined()
    }
    const params = { documentId: id, userId: me.id }
    expect(await app.call(ratings.getDocumentRatingOf, { as: me, params })).toEqual(mine)
    const other = await app.aCustomer()
    const theirs = { documentId: id, userId: other.id }
    expect(await app.call(ratings.getDocumentRatingOf, { as: other, params: theirs })).toBeNull()
  })

  test('is changed and removed by its author only', async () => {
    const { id } = await app.aDocument()
    const [me, other] = [await aBuyer(app), await aBuyer(app)]
    await buy(app, me, id)
    const { id: ratingId } = await rate(app, me, id, 5, 'bien')
    const params = { id: ratingId }
    const body = { rating: 1 }
    for (const as of [other, await app.anAdministrator()]) {
      await expectCode(app.call(ratings.changeRating, { as, params, body }), 'forbidden')
      await expectCode(app.call(ratings.removeRating, { as, params }), 'forbidden')
    }
    expect(await documentOf(app, id)).toEqual({ rating: 5, ratingCount: 1 })
    await app.call(ratings.changeRating, { as: me, params, body: { rating: 3, comment: 'moyen' } })
    expect(await documentOf(app, id)).toEqual({ rating: 3, ratingCount: 1 })
    await app.call(ratings.removeRating, { as: me, params })
    expect(await documentOf(app, id)).toEqual({ rating: 0, ratingCount: 0 })
    await expectCode(app.call(ratings.removeRating, { as: me, params }), 'not_found')
  })

  test('is refused for another user, out of range, too long, without a subject, with two', async () => {
    const { id, teacherId } = await app.aDocument()
    const [me, other] = [await app.aCustomer(), await app.aCustomer()]
    const good = { user: { id: me.id }, document: { id }, rating: 4 }
    const bodies: [object, number][] = [
      [{ ...good, user: { id: other.id } }, 403],
      [{ ...good, rating: 0 }, 400],
      [{ ...good, rating: 6 }, 400],
      [{ ...good, rating: 2.5 }, 400],
      [{ ...good, comment: 'x'.repeat(2001) }, 400],
      [{ ...good, document: undefined }, 400],
      [{ ...good, teacher: { id: teacherId } }, 400],
      [{ ...good, document: { id: 2_000_000 } }, 404],
      [{ ...good, document: null, teacher: { id: 2_000_000 } }, 404],
      [{ ...good, createdAt: 'yesterday' }, 400],
    ]
    for (const [body, status] of bodies) {
      const answer = await app.request('POST', '/api/ratings', { as: me, body })
      expect([answer.status, body]).toEqual([status, body])
    }
    expect(await app.call(ratings.listDocumentRatings, { params: { id } })).toEqual([])
    const body = { ...good, teacher: null, comment: null, createdAt: '2001-01-01T00:00:00Z' }
    const answer = await app.request('POST', '/api/ratings', { as: me, body })
    expect(answer).toMatchObject({ status: 200, body: { comment: '' } })
    expect((answer.body as ratings.Rating).createdAt > '2020').toBe(true)
  })

  test('of an unpublished document is not found', async () => {
    const { id } = await app.aDocument({ isPublished: false })
    const me = await app.aCustomer()
    await expectCode(rate(app, me, id, 5), 'document_not_found')
    for (const call of [
      ratings.listDocumentRatings,
      ratings.getDocumentAverage,
      ratings.listCommentedDocumentRatings,
    ]) {
      await expectCode(app.call(call, { params: { id } }), 'document_not_found')
    }
  })
})

describe('a rating of a teacher', () => {
  test('counts when its author paid for one of the teacher’s documents, before or after', async () => {
    const { id: teacherId } = await app.aTeacher()
    const mine = await app.aDocument({ teacherId })
    const also = await app.aDocument({ teacherId })
    const elsewhere = await app.aDocument()
    const [owner, later, never] = [await aBuyer(app), await aBuyer(app), await aBuyer(app)]
    await buy(app, owner, mine.id)
    await buy(app, never, elsewhere.id)
    const notes = await pageNotes(app)
    expect(await rateTeacher(app, owner, teacherId, 5, 'ممتاز')).toMatchObject({ verified: true })
    expect(await notes()).toEqual([`teacher:${teacherId}`, 'teachers'])
    await rateTeacher(app, later, teacherId, 2, 'hum')
    await rateTeacher(app, never, teacherId, 1)
    expect(await teacherOf(teacherId)).toEqual({ rating: 5, ratingCount: 1, reviewCount: 1 })
    await buy(app, later, mine.id, also.id)
    expect(await teacherOf(teacherId)).toEqual({ rating: 3.5, ratingCount: 2, reviewCount: 2 })
    await rateTeacher(app, later, teacherId, 4)
    expect(await teacherOf(teacherId)).toEqual({ rating: 4.5, ratingCount: 2, reviewCount: 1 })
    const params = { id: teacherId }
    expect(await app.call(ratings.getTeacherAverage, { params })).toBe(4.5)
    expect(await app.call(ratings.listTeacherRatings, { params })).toHaveLength(3)
    expect(await app.call(ratings.listCommentedTeacherRatings, { params })).toHaveLength(1)
    const own = { teacherId, userId: never.id }
    expect(await app.call(ratings.getTeacherRatingOf, { as: never, params: own })).toMatchObject({
      rating: 1,
      verified: false,
      teacher: { id: teacherId },
    })
  })
})

test('the list of all ratings is the newest hundred', async () => {
  const { id } = await app.aDocument()
  const me = await app.aCustomer()
  await app.deps.database.pool.query(
    `WITH people AS (
       INSERT INTO users (email, username, first_name, last_name, role, password_hash,
         email_confirmed_at)
       SELECT 'many' || n || '@karras.test', 'many', 'Many', '', 'PARENT', '', now()
       FROM generate_series(1, 105) AS n RETURNING id)
     INSERT INTO ratings (user_id, document_id, stars) SELECT id, $1, 3 FROM people`,
    [id],
  )
  await rate(app, me, id, 5)
  for (const list of [
    await app.call(ratings.listRatings, {}),
    await app.call(ratings.listDocumentRatings, { params: { id } }),
  ]) {
    expect(list).toHaveLength(ratings.RATINGS_MAX)
    expect(list[0]).toMatchObject({ rating: 5, user: { id: me.id } })
  }
})
