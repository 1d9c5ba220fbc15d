import { beforeAll, describe, expect, test } from 'vitest'
import * as office from '../../../src/contract/office-ratings.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { callByCommand } from '../../support/operator.ts'
import {
  answer,
  aRating,
  aSeller,
  commentedRatingsOf,
  list,
} from '../../support/received-ratings.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

describe('ratings received', () => {
  test('are the teacher’s own, newest first, by page, stars, document and missing answer', async () => {
    const { teacher, document } = await aSeller(app)
    const second = await app.aDocument({ teacherId: teacher.teacherId, title: 'Angles' })
    await app.aDocument({ teacherId: teacher.teacherId, title: 'Never rated' })
    const of = { document: { id: document.id } }
    const first = await aRating(app, of)
    await aRating(app, of, { comment: '', rating: 5 })
    await aRating(app, { document: { id: second.id } }, { rating: 1 })
    const last = await aRating(app, { teacher: { id: teacher.teacherId } }, { rating: 5 })
    // Other teachers' ratings, which must not appear.
    await aRating(app, { document: { id: (await app.aDocument()).id } })

    const all = await list(app, teacher)
    expect(all).toMatchObject({ totalElements: 4, totalPages: 1, number: 0, awaiting: 3 })
    expect(all.content.map(({ stars }) => stars)).toEqual([5, 1, 5, 4])
    expect(all.content[3]).toEqual({
      id: first.id,
      document: { id: document.id, title: 'الكسور' },
      author: 'Amal B.',
      stars: 4,
      comment: 'شرح واضح',
      ratedAt: first.ratedAt,
      verified: false,
      answer: null,
      awaitsAnswer: true,
    })
    expect(all.content[2]).toMatchObject({ comment: '', awaitsAnswer: false })
    expect(all.content[0]).toMatchObject({ id: last.id, document: null })

    const idsOf = async (query: office.ReceivedRatingFilters) =>
      (await list(app, teacher, query)).content.map(({ stars }) => stars)
    expect(await idsOf({ stars: 5 })).toEqual([5, 5])
    expect(await idsOf({ documentId: second.id })).toEqual([1])
    expect(await idsOf({ of: 'teacher' })).toEqual([5])
    expect(await idsOf({ of: 'document' })).toEqual([1, 5, 4])
    expect(await list(app, teacher, { page: 1, size: 3 })).toMatchObject({
      content: [{ id: first.id }],
      totalElements: 4,
      totalPages: 2,
    })
    await answer(app, teacher, first, 'شكرا')
    expect(await idsOf({ awaits: 'answer' })).toEqual([5, 1])
    expect(await list(app, teacher, { stars: 3 })).toMatchObject({ totalElements: 0, awaiting: 2 })
    expect(await app.call(office.listRatedDocuments, { as: teacher })).toEqual([
      { id: second.id, title: 'Angles' },
      { id: document.id, title: 'الكسور' },
    ])
  })

  test('that only their author sees are left out, and cannot be answered', async () => {
    const { teacher, document } = await aSeller(app)
    const of = { document: { id: document.id } }
    const unconfirmed = await app.aCustomer({ isConfirmed: false })
    const waiting = await aRating(app, of, { as: unconfirmed })
    const offensive = await aRating(app, of, { comment: 'insulte' })
    await answer(app, teacher, offensive, 'Merci de rester courtois.')
    await callByCommand(app, 'hideRating', `id=${offensive.id}`, 'reason=Insulte')
    expect(await list(app, teacher)).toMatchObject({ content: [], awaiting: 0 })
    expect(await app.call(office.listRatedDocuments, { as: teacher })).toEqual([])
    for (const rating of [waiting, offensive]) {
      await expect(answer(app, teacher, rating, 'x')).rejects.toMatchObject({ code: 'not_found' })
    }
    // The answer is hidden with it, and shown with it.
    expect(await commentedRatingsOf(app, document.id)).toEqual([])
    await callByCommand(app, 'showRating', `id=${offensive.id}`)
    expect(await commentedRatingsOf(app, document.id)).toMatchObject([
      { answer: { text: 'Merci de rester courtois.' } },
    ])
  })
})
