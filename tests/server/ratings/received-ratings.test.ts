import { describe, expect, test } from 'vitest'
import * as office from '../../../src/contract/office-ratings.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { documentTag, teacherTag } from '../../../src/rules/page-tags.ts'
import { ANSWER_MAX_LENGTH } from '../../../src/rules/rating.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { callByCommand } from '../../support/operator.ts'
import {
  answer,
  aRating,
  aSeller,
  commentedRatingsOf,
  list,
} from '../../support/received-ratings.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { actionsOn } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

describe('ratings received', () => {
  test('are the teacher’s own, newest first, by page, stars, document and missing answer', async () => {
    const { teacher, document, of } = await aSeller(app)
    const second = await app.aDocument({ teacherId: teacher.teacherId, title: 'Angles' })
    await app.aDocument({ teacherId: teacher.teacherId, title: 'Never rated' })
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

    const starsOf = async (query: office.ReceivedRatingFilters) =>
      (await list(app, teacher, query)).content.map(({ stars }) => stars)
    expect(await starsOf({ stars: 5 })).toEqual([5, 5])
    expect(await starsOf({ documentId: second.id })).toEqual([1])
    expect(await starsOf({ of: 'teacher' })).toEqual([5])
    expect(await starsOf({ of: 'document' })).toEqual([1, 5, 4])
    expect(await list(app, teacher, { page: 1, size: 3 })).toMatchObject({
      content: [{ id: first.id }],
      totalElements: 4,
      totalPages: 2,
    })
    await answer(app, teacher, first, 'شكرا')
    expect(await starsOf({ awaits: 'answer' })).toEqual([5, 1])
    expect(await list(app, teacher, { stars: 3 })).toMatchObject({ totalElements: 0, awaiting: 2 })
    expect(await app.call(office.listRatedDocuments, { as: teacher })).toEqual([
      { id: second.id, title: 'Angles' },
      { id: document.id, title: 'الكسور' },
    ])
  })

  test('that only their author sees are left out, and cannot be answered', async () => {
    const { teacher, document, of } = await aSeller(app)
    const unconfirmed = await app.aCustomer({ isConfirmed: false })
    const waiting = await aRating(app, of, { as: unconfirmed })
    const offensive = await aRating(app, of, { comment: 'insulte' })
    await answer(app, teacher, offensive, 'Merci de rester courtois.')
    await callByCommand(app, 'hideRating', `id=${offensive.id}`, 'reason=Insulte')
    expect(await list(app, teacher)).toMatchObject({ content: [], awaiting: 0 })
    expect(await app.call(office.listRatedDocuments, { as: teacher })).toEqual([])
    for (const rating of [waiting, offensive]) {
      await expectCode(answer(app, teacher, rating, 'x'), 'not_found')
    }
    // The answer is hidden with it, and shown with it.
    expect(await commentedRatingsOf(app, document.id)).toEqual([])
    await callByCommand(app, 'showRating', `id=${offensive.id}`)
    expect(await commentedRatingsOf(app, document.id)).toMatchObject([
      { answer: { text: 'Merci de rester courtois.' } },
    ])
  })
})

describe('an answer', () => {
  test('is shown to everybody under the rating, and its page is rendered again', async () => {
    const { teacher, document, of } = await aSeller(app)
    const rating = await aRating(app, of)
    expect((await commentedRatingsOf(app, document.id))[0]).not.toHaveProperty('answer')
    app.published.length = 0
    const answered = await answer(app, teacher, rating, '  <b>شكرا</b>\nhttps://karras.tn  ')
    expect(answered).toMatchObject({
      awaitsAnswer: false,
      answer: { text: '<b>شكرا</b>\nhttps://karras.tn' },
    })
    expect(app.published).toEqual([documentTag(document.id)])
    expect(await commentedRatingsOf(app, document.id)).toMatchObject([{ answer: answered.answer }])

    const own = await aRating(app, { teacher: { id: teacher.teacherId } })
    app.published.length = 0
    await answer(app, teacher, own, 'Merci')
    expect(app.published).toEqual([teacherTag(teacher.teacherId)])

    const log = await actionsOn(app, `rating ${rating.id}`)
    expect(log).toEqual([{ actor: `user ${teacher.id}`, action: 'answer' }])
  })

  test('exists once: it can be changed, repeated and deleted', async () => {
    const { teacher, document, of } = await aSeller(app)
    const rating = await aRating(app, of)
    const first = await answer(app, teacher, rating, 'Merci')
    app.published.length = 0
    // The response to the first attempt was lost.
    expect(await answer(app, teacher, rating, 'Merci')).toEqual(first)
    expect(app.published).toEqual([])
    const at = first.answer?.answeredAt ?? null
    const changed = await answer(app, teacher, rating, 'Merci beaucoup', at)
    expect(changed.answer?.text).toBe('Merci beaucoup')
    const params = { id: rating.id }
    const removed = await app.call(office.removeAnswer, { as: teacher, params })
    expect(removed).toMatchObject({ answer: null, awaitsAnswer: true })
    await app.call(office.removeAnswer, { as: teacher, params })
    expect((await commentedRatingsOf(app, document.id))[0]).not.toHaveProperty('answer')
    const log = await actionsOn(app, `rating ${rating.id}`)
    expect(log.map(({ action }) => action)).toEqual(['answer', 'change answer', 'remove answer'])
  })

  test('of two concurrent tabs is one of the two; the other tab is told', async () => {
    const { teacher, document, of } = await aSeller(app)
    const rating = await aRating(app, of)
    const tabs = await Promise.allSettled([
      answer(app, teacher, rating, 'Tab 1'),
      answer(app, teacher, rating, 'Tab 2'),
    ])
    const [done, refused] = [...tabs].sort((a, b) => a.status.localeCompare(b.status))
    expect(done).toMatchObject({ status: 'fulfilled' })
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'rating_changed' } })
    const shown = (await commentedRatingsOf(app, document.id))[0]?.answer?.text
    expect(done).toMatchObject({ value: { answer: { text: shown } } })
  })

  test('applies to the version that was read: a changed rating has to be read again, and keeps the answer', async () => {
    const { teacher, document, of } = await aSeller(app)
    const rating = await aRating(app, of)
    const given = await answer(app, teacher, rating, 'Merci')
    const at = given.answer?.answeredAt ?? null
    const bad = { as: rating.author, comment: 'Plein de fautes', rating: 1 }
    const worse = await aRating(app, of, bad)
    expect(worse.id).toBe(rating.id)
    expect(await list(app, teacher, { awaits: 'answer' })).toMatchObject({
      content: [{ id: rating.id, answer: given.answer, awaitsAnswer: true }],
      awaiting: 1,
    })
    const late = answer(app, teacher, rating, 'Merci encore', at)
    await expectCode(late, 'rating_changed')
    // The same words, for the current rating.
    const kept = await answer(app, teacher, worse, 'Merci', at)
    expect(kept).toMatchObject({ answer: { text: 'Merci' }, awaitsAnswer: false })

    // Without its comment nobody reads it, and there is nothing to answer.
    const wordless = await aRating(app, of, { as: rating.author, comment: '' })
    await expectCode(answer(app, teacher, wordless, 'x', at), 'rating_without_words')
    expect(await commentedRatingsOf(app, document.id)).toEqual([])
    await app.call(ratings.removeRating, { as: rating.author, params: { id: rating.id } })
    const again = await aRating(app, of, { as: rating.author })
    expect((await list(app, teacher)).content).toMatchObject([{ id: again.id, answer: null }])
  })

  test('to a hidden rating that its author deletes is deleted with it', async () => {
    const { teacher, of } = await aSeller(app)
    const rating = await aRating(app, of)
    await answer(app, teacher, rating, 'Merci')
    await callByCommand(app, 'hideRating', `id=${rating.id}`, 'reason=Insulte')
    await app.call(ratings.removeRating, { as: rating.author, params: { id: rating.id } })
    await aRating(app, of, { as: rating.author })
    await callByCommand(app, 'showRating', `id=${rating.id}`)
    expect((await list(app, teacher)).content).toMatchObject([{ answer: null }])
  })

  test('is the teacher’s alone, and limited in length', async () => {
    const { teacher, of } = await aSeller(app)
    const rating = await aRating(app, of)
    const other = await app.anOfficeTeacher()
    await expectCode(answer(app, other, rating, 'x'), 'not_found')
    const params = { id: rating.id }
    const removal = app.call(office.removeAnswer, { as: other, params })
    await expectCode(removal, 'not_found')
    for (const [text, fields] of [
      [' \n ', { text: 'required' }],
      ['x'.repeat(ANSWER_MAX_LENGTH + 1), { text: 'maxLength' }],
      ['nul\0', { body: 'invalid' }],
    ] as const) {
      const refused = answer(app, teacher, rating, text)
      await expectRefused(refused, 400, 'invalid_input', { fields })
    }
    const longest = '😀'.repeat(ANSWER_MAX_LENGTH)
    expect((await answer(app, teacher, rating, longest)).answer?.text).toBe(longest)
  })

  test('is rate-limited', async () => {
    const { teacher } = await aSeller(app)
    const remove = () => app.call(office.removeAnswer, { as: teacher, params: { id: 999_999 } })
    const { max } = ALLOWANCES.answersOfTeacher
    const tries = await Promise.allSettled(Array.from({ length: max + 1 }, remove))
    const codes = tries.map((each) => each.status === 'rejected' && each.reason.code)
    expect(codes.filter((code) => code === 'not_found')).toHaveLength(max)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(1)
    await list(app, teacher)
  })

  test('can be set and deleted on the command line', async () => {
    const { teacher, of } = await aSeller(app)
    const { id } = await aRating(app, of)
    const own = `--teacher=${teacher.teacherId}`
    const [{ ratedAt }] = (await callByCommand(app, 'listReceivedRatings', own)).content
    const read = [`id=${id}`, `ratedAt=${ratedAt}`, own]
    const words = ['answeredAt=null', 'text= Merci ']
    const given = await callByCommand(app, 'answerRating', ...read, ...words)
    expect(given.answer).toMatchObject({ text: 'Merci' })
    expect((await list(app, teacher)).content[0]).toMatchObject({ answer: { text: 'Merci' } })
    await callByCommand(app, 'removeAnswer', `id=${id}`, own)
    expect((await list(app, teacher)).awaiting).toBe(1)
    await expect(callByCommand(app, 'removeAnswer', 'id=999999', own)).rejects.toThrow()
  })
})
