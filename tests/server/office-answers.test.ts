import { beforeAll, describe, expect, test } from 'vitest'
import { listMessages } from '../../src/contract/chat.ts'
import { listDocumentQuestions } from '../../src/contract/office-questions.ts'
import * as office from '../../src/contract/office-ratings.ts'
import * as ratings from '../../src/contract/ratings.ts'
import { documentTag, teacherTag } from '../../src/rules/page-tags.ts'
import { ANSWER_MAX_LENGTH } from '../../src/rules/rating.ts'
import { ALLOWANCES } from '../../src/server/http/rate-limits.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aConversation, say } from '../support/chat.ts'
import { inOffice, type Person } from '../support/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

type Teacher = Awaited<ReturnType<TestApp['anOfficeTeacher']>>

/** A teacher with a document. */
async function aSeller() {
  const teacher = await app.anOfficeTeacher()
  const document = await app.aDocument({ teacherId: teacher.teacherId, title: 'الكسور' })
  return { teacher, document }
}

/** A rating with words; of a teacher where the subject is one. */
async function aRating(
  subject: { document: { id: number } } | { teacher: { id: number } },
  { as, comment = 'شرح واضح', rating = 4 }: { as?: Person; comment?: string; rating?: number } = {},
) {
  const author = as ?? (await app.aCustomer({ firstName: 'Amal', lastName: 'Ben Salah' }))
  const body = { user: { id: author.id }, rating, comment, ...subject }
  const given = await app.call(ratings.addRating, { as: author, body })
  return { author, id: given.id, ratedAt: given.createdAt }
}

const list = (as: Teacher, query: office.ReceivedRatingFilters = {}) =>
  app.call(office.listReceivedRatings, { as, query })

const answer = (
  as: Person,
  { id, ratedAt }: { id: number; ratedAt: string },
  text: string,
  answeredAt: string | null = null,
) => app.call(office.answerRating, { as, params: { id }, body: { text, ratedAt, answeredAt } })

const commentsOn = (id: number) => app.call(ratings.listDocumentComments, { params: { id } })

async function commandLine(...typed: string[]) {
  const out: string[] = []
  const err: string[] = []
  const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.deps.config.dataDir }
  const exit = await runOffice(typed, env, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  })
  return { exit, out: out.join('\n'), err: err.join('\n') }
}

describe('ratings received', () => {
  test('are the teacher’s own, newest first, by page, stars, document and what awaits an answer', async () => {
    const { teacher, document } = await aSeller()
    const second = await app.aDocument({ teacherId: teacher.teacherId, title: 'Angles' })
    await app.aDocument({ teacherId: teacher.teacherId, title: 'Never rated' })
    const of = { document: { id: document.id } }
    const first = await aRating(of)
    await aRating(of, { comment: '', rating: 5 })
    await aRating({ document: { id: second.id } }, { rating: 1 })
    const last = await aRating({ teacher: { id: teacher.teacherId } }, { rating: 5 })
    // Others': of nobody's concern here.
    await aRating({ document: { id: (await app.aDocument()).id } })

    const all = await list(teacher)
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
      (await list(teacher, query)).content.map(({ stars }) => stars)
    expect(await idsOf({ stars: 5 })).toEqual([5, 5])
    expect(await idsOf({ documentId: second.id })).toEqual([1])
    expect(await idsOf({ of: 'teacher' })).toEqual([5])
    expect(await idsOf({ of: 'document' })).toEqual([1, 5, 4])
    expect(await list(teacher, { page: 1, size: 3 })).toMatchObject({
      content: [{ id: first.id }],
      totalElements: 4,
      totalPages: 2,
    })
    await answer(teacher, first, 'شكرا')
    expect(await idsOf({ awaits: 'answer' })).toEqual([5, 1])
    expect(await list(teacher, { stars: 3 })).toMatchObject({ totalElements: 0, awaiting: 2 })
    expect(await app.call(office.listRatedDocuments, { as: teacher })).toEqual([
      { id: second.id, title: 'Angles' },
      { id: document.id, title: 'الكسور' },
    ])
  })

  test('that only their author sees are left out, and cannot be answered', async () => {
    const { teacher, document } = await aSeller()
    const of = { document: { id: document.id } }
    const unconfirmed = await app.aCustomer({ isConfirmed: false })
    const waiting = await aRating(of, { as: unconfirmed })
    const insult = await aRating(of, { comment: 'insulte' })
    await answer(teacher, insult, 'Merci de rester courtois.')
    await commandLine('rating', String(insult.id), 'hide', '--reason', 'Insulte')
    expect(await list(teacher)).toMatchObject({ content: [], awaiting: 0 })
    expect(await app.call(office.listRatedDocuments, { as: teacher })).toEqual([])
    for (const rating of [waiting, insult]) {
      await expect(answer(teacher, rating, 'x')).rejects.toMatchObject({ code: 'not_found' })
    }
    // The answer is hidden with it, and comes back with it.
    expect(await commentsOn(document.id)).toEqual([])
    await commandLine('rating', String(insult.id), 'unhide')
    expect(await commentsOn(document.id)).toMatchObject([
      { answer: { text: 'Merci de rester courtois.' } },
    ])
  })
})

describe('an answer', () => {
  test('stands under the rating for everybody, and its page is made anew', async () => {
    const { teacher, document } = await aSeller()
    const rating = await aRating({ document: { id: document.id } })
    expect((await commentsOn(document.id))[0]).not.toHaveProperty('answer')
    app.published.length = 0
    const answered = await answer(teacher, rating, '  <b>شكرا</b>\nhttps://karras.tn  ')
    expect(answered).toMatchObject({
      awaitsAnswer: false,
      answer: { text: '<b>شكرا</b>\nhttps://karras.tn' },
    })
    expect(app.published).toEqual([documentTag(document.id)])
    expect(await commentsOn(document.id)).toMatchObject([{ answer: answered.answer }])

    const own = await aRating({ teacher: { id: teacher.teacherId } })
    app.published.length = 0
    await answer(teacher, own, 'Merci')
    expect(app.published).toEqual([teacherTag(teacher.teacherId)])

    const log = await app.deps.database.kysely
      .selectFrom('staffLog')
      .select(['actor', 'action'])
      .where('subject', '=', `rating ${rating.id}`)
      .execute()
    expect(log).toEqual([{ actor: `user ${teacher.id}`, action: 'answer' }])
  })

  test('is one: it can be changed, repeated and taken back', async () => {
    const { teacher, document } = await aSeller()
    const rating = await aRating({ document: { id: document.id } })
    const first = await answer(teacher, rating, 'Merci')
    app.published.length = 0
    // The answer to the first try was lost on its way.
    expect(await answer(teacher, rating, 'Merci')).toEqual(first)
    expect(app.published).toEqual([])
    const at = first.answer?.answeredAt ?? null
    const changed = await answer(teacher, rating, 'Merci beaucoup', at)
    expect(changed.answer?.text).toBe('Merci beaucoup')
    const params = { id: rating.id }
    expect(await app.call(office.removeAnswer, { as: teacher, params })).toMatchObject({
      answer: null,
      awaitsAnswer: true,
    })
    await app.call(office.removeAnswer, { as: teacher, params })
    expect((await commentsOn(document.id))[0]).not.toHaveProperty('answer')
    const log = await app.deps.database.kysely
      .selectFrom('staffLog')
      .select('action')
      .where('subject', '=', `rating ${rating.id}`)
      .orderBy('id')
      .execute()
    expect(log.map(({ action }) => action)).toEqual(['answer', 'change answer', 'remove answer'])
  })

  test('of two tabs at once is one of the two; the other tab learns it', async () => {
    const { teacher, document } = await aSeller()
    const rating = await aRating({ document: { id: document.id } })
    const tabs = await Promise.allSettled([
      answer(teacher, rating, 'Tab 1'),
      answer(teacher, rating, 'Tab 2'),
    ])
    const [done, refused] = [...tabs].sort((a, b) => a.status.localeCompare(b.status))
    expect(done).toMatchObject({ status: 'fulfilled' })
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'rating_changed' } })
    const shown = (await commentsOn(document.id))[0]?.answer?.text
    expect(done).toMatchObject({ value: { answer: { text: shown } } })
  })

  test('is to the version that was read: a changed rating has to be read again, and keeps the answer', async () => {
    const { teacher, document } = await aSeller()
    const rating = await aRating({ document: { id: document.id } })
    const given = await answer(teacher, rating, 'Merci')
    const at = given.answer?.answeredAt ?? null
    const worse = await aRating(
      { document: { id: document.id } },
      { as: rating.author, comment: 'Plein de fautes', rating: 1 },
    )
    expect(worse.id).toBe(rating.id)
    expect(await list(teacher, { awaits: 'answer' })).toMatchObject({
      content: [{ id: rating.id, answer: given.answer, awaitsAnswer: true }],
      awaiting: 1,
    })
    const late = answer(teacher, rating, 'Merci encore', at)
    await expect(late).rejects.toMatchObject({ code: 'rating_changed' })
    // The same words, for the rating as it is now.
    const kept = await answer(teacher, worse, 'Merci', at)
    expect(kept).toMatchObject({ answer: { text: 'Merci' }, awaitsAnswer: false })

    // Without its words it is read by nobody, and there is nothing to answer.
    const wordless = await aRating(
      { document: { id: document.id } },
      { as: rating.author, comment: '' },
    )
    await expect(answer(teacher, wordless, 'x', at)).rejects.toMatchObject({
      code: 'rating_without_words',
    })
    expect(await commentsOn(document.id)).toEqual([])
    await app.call(ratings.removeRating, { as: rating.author, params: { id: rating.id } })
    const again = await aRating({ document: { id: document.id } }, { as: rating.author })
    expect((await list(teacher)).content).toMatchObject([{ id: again.id, answer: null }])
  })

  test('of a hidden rating that its author deletes goes with it', async () => {
    const { teacher, document } = await aSeller()
    const rating = await aRating({ document: { id: document.id } })
    await answer(teacher, rating, 'Merci')
    await commandLine('rating', String(rating.id), 'hide', '--reason', 'Insulte')
    await app.call(ratings.removeRating, { as: rating.author, params: { id: rating.id } })
    await aRating({ document: { id: document.id } }, { as: rating.author })
    await commandLine('rating', String(rating.id), 'unhide')
    expect((await list(teacher)).content).toMatchObject([{ answer: null }])
  })

  test('is the teacher’s alone, and limited in length', async () => {
    const { teacher, document } = await aSeller()
    const rating = await aRating({ document: { id: document.id } })
    const other = await app.anOfficeTeacher()
    await expect(answer(other, rating, 'x')).rejects.toMatchObject({ code: 'not_found' })
    const params = { id: rating.id }
    const removal = app.call(office.removeAnswer, { as: other, params })
    await expect(removal).rejects.toMatchObject({ code: 'not_found' })
    for (const [as, code] of [
      [rating.author, 'office_log_in_required'],
      [await app.anOfficeAdministrator(), 'wrong_role'],
      [await inOffice(app.deps, await app.aTeacherAccount()), 'wrong_role'],
    ] as const) {
      await expect(answer(as, rating, 'x')).rejects.toMatchObject({ code })
    }
    const wrong = [
      [' \n ', { text: 'required' }],
      ['x'.repeat(ANSWER_MAX_LENGTH + 1), { text: 'maxLength' }],
      ['x'.repeat(5000), { text: 'maxLength' }],
      ['nul\0', { body: 'invalid' }],
    ] as const
    for (const [text, fields] of wrong) {
      const refusal = { code: 'invalid_input', body: { fields } }
      await expect(answer(teacher, rating, text)).rejects.toMatchObject(refusal)
    }
    const longest = '😀'.repeat(ANSWER_MAX_LENGTH)
    expect((await answer(teacher, rating, longest)).answer?.text).toBe(longest)
  })

  test('is limited in number', async () => {
    const { teacher } = await aSeller()
    const remove = () => app.call(office.removeAnswer, { as: teacher, params: { id: 999_999 } })
    const { max } = ALLOWANCES.answersOfTeacher
    const tries = await Promise.allSettled(Array.from({ length: max + 1 }, remove))
    const codes = tries.map((each) => each.status === 'rejected' && each.reason.code)
    expect(codes.filter((code) => code === 'not_found')).toHaveLength(max)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(1)
    await list(teacher)
  })

  test('can be given and taken by the command line', async () => {
    const { teacher, document } = await aSeller()
    const { id } = await aRating({ document: { id: document.id } })
    await aRating({ document: { id: document.id } }, { comment: '' })
    const waiting = await commandLine('ratings', 'document', '--unanswered', '--json')
    expect(JSON.parse(waiting.out)[0]).toMatchObject({ id })
    const given = await commandLine('ratings', 'answer', String(id), ' Merci ', '--json')
    expect(JSON.parse(given.out)).toMatchObject({ id, answer: 'Merci' })
    expect((await commandLine('rating', String(id))).out).toContain('Merci')
    expect((await list(teacher)).content[1]).toMatchObject({ answer: { text: 'Merci' } })
    expect((await commandLine('ratings', 'unanswer', String(id))).exit).toBe(0)
    expect((await list(teacher)).awaiting).toBe(1)
    for (const [exit, ...typed] of [
      [2, 'answer', String(id), ' '],
      [2, 'answer', String(id), 'x'.repeat(ANSWER_MAX_LENGTH + 1)],
      [2, 'answer', 'x', 'y'],
      [1, 'answer', '999999', 'x'],
      [1, 'answer', String(id + 1), 'x'],
      [1, 'unanswer', '999999'],
    ] as const) {
      expect((await commandLine('ratings', ...typed)).exit, typed.join(' ').slice(0, 40)).toBe(exit)
    }
  })
})

describe('questions about documents', () => {
  test('are the teacher’s own, each with what the shop answered and nothing else', async () => {
    const { teacher, document } = await aSeller()
    const foreign = await app.aDocument()
    const talk = await aConversation(app)
    const { customer, admin } = talk
    const at = (id: number) => `https://karras.tn/fr/shop-details/${id}`
    const says = (who: Person, content: string) =>
      say(app, who, who === admin ? customer : admin, content)
    await says(customer, 'Bonjour, c’est privé.')
    await says(admin, `Bonjour. ${at(document.id)}`)
    await says(customer, `Y a-t-il un corrigé ? Mon numéro : 20 123 456\n${at(document.id)}`)
    await says(customer, 'Merci d’avance')
    await says(admin, 'Oui, à la fin.')
    await says(admin, 'Écrivez à shop@karras.test. https://karras.tn/payment/x')
    await says(customer, 'Parfait, et ma commande ?')
    await says(admin, 'Elle est payée.')
    await says(customer, `Et celui-ci ?\n${at(foreign.id)}`)
    await says(admin, 'Aussi.')
    await says(customer, `Encore une question ?\n${at(document.id)}`)
    await says(customer, `${at(document.id)} ou ${at(foreign.id)}`)
    await says(admin, 'Le second.')

    const page = await app.call(listDocumentQuestions, { as: teacher, query: {} })
    expect(page).toMatchObject({ totalElements: 2, totalPages: 1, number: 0 })
    const [last, first] = page.content
    expect(first).toEqual({
      id: expect.any(Number),
      document: { id: document.id, title: 'الكسور' },
      customer: 'Amal',
      text: 'Y a-t-il un corrigé ? Mon numéro : […]',
      askedAt: expect.any(String),
      answers: [
        { text: 'Oui, à la fin.', answeredAt: expect.any(String) },
        { text: 'Écrivez à […]. […]', answeredAt: expect.any(String) },
      ],
    })
    expect(last).toMatchObject({ text: 'Encore une question ?', answers: [] })
    const told = JSON.stringify(page)
    for (const secret of [customer.email, customer.phone, 'privé', 'commande', 'payée', 'second']) {
      expect(told).not.toContain(secret)
    }
    const [message] = await app.call(listMessages, {
      as: customer,
      params: { roomId: talk.room },
      query: { limit: 100 },
    })
    expect(message?.content).toBe('Bonjour, c’est privé.')
    expect(
      await app.call(listDocumentQuestions, { as: teacher, query: { page: 1, size: 1 } }),
    ).toMatchObject({ content: [{ id: first?.id }], totalPages: 2 })
    const other = await app.anOfficeTeacher()
    const theirs = await app.call(listDocumentQuestions, { as: other, query: {} })
    expect(theirs).toMatchObject({ content: [], totalElements: 0, totalPages: 0 })

    const printed = await commandLine('questions', String(teacher.teacherId))
    expect(printed.out).toContain('Oui, à la fin.')
    expect(printed.out).toContain('2 in all.')
    const json = await commandLine('questions', String(teacher.teacherId), '--json')
    expect(JSON.parse(json.out)).toEqual({ total: 2, questions: page.content })
    const none = await commandLine('questions', String(other.teacherId))
    expect(none).toMatchObject({ exit: 0, out: 'There are no such questions.' })
    expect((await commandLine('questions', 'x')).exit).toBe(2)
  })

  test('are messages with the address of an existing document, however it is written', async () => {
    const { teacher, document } = await aSeller()
    const { customer, admin } = await aConversation(app)
    const id = document.id
    for (const content of [
      `/shop-details/${id}`,
      `https://karras.tn/shop-details/${id}x`,
      `https://karras.tn/shop-details/${id}0000000000`,
      'https://karras.tn/shop-details/999999999',
      `https:// karras.tn/shop-details/${id}`,
      'http://'.repeat(300) + '/shop-details/'.repeat(120),
    ]) {
      await say(app, customer, admin, content)
    }
    expect(await app.call(listDocumentQuestions, { as: teacher, query: {} })).toMatchObject({
      totalElements: 0,
    })
    for (const content of [
      `http://localhost:4321/shop-details/${id}`,
      `https://karras.tn/en/shop-details/${id}/?x=1#y, please`,
      `https://karras.tn/shop-details/999999999 https://karras.tn/shop-details/${id}.`,
    ]) {
      await say(app, customer, admin, content)
    }
    expect(await app.call(listDocumentQuestions, { as: teacher, query: {} })).toMatchObject({
      totalElements: 3,
    })
  })
})
