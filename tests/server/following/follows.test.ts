import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addToWishlist } from '../../../src/contract/carts.ts'
import { waitForCorrection } from '../../../src/contract/corrections.ts'
import * as calls from '../../../src/contract/following.ts'
import { keepPlace } from '../../../src/contract/reading.ts'
import {
  FOLLOWS_MAX,
  type Followed,
  followKey,
  NEWS_MS,
  NEWS_SHOWN,
} from '../../../src/rules/following.ts'
import { dinars } from '../../../src/rules/money.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { tellOfCorrections } from '../../../src/server/documents/documents.ts'
import { mergeFollows } from '../../../src/server/following/following.ts'
import { bought } from '../../support/payments.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

const paramsOf = (followed: Followed) => ({ params: { followed: followKey(followed) } })
const follow = (as: Person, followed: Followed) =>
  app.call(calls.follow, { as, ...paramsOf(followed) })
const unfollow = (as: Person, followed: Followed) =>
  app.call(calls.unfollow, { as, ...paramsOf(followed) })
const followsOf = async (as: Person) => (await app.call(calls.getFollowing, { as })).follows
const hasNews = async (as: Person) => (await app.call(calls.getFollowing, { as })).hasNews
const newsOf = (as: Person) => app.call(calls.getNews, { as })
const kindsOf = async (as: Person) =>
  (await newsOf(as)).news.map(({ kind, document }) => `${kind} ${document.id}`)
const entry = async (table: 'niveaux' | 'matieres', at: number) =>
  (await app.kysely.selectFrom(table).select('id').orderBy('id').execute())[at]?.id as number
const aPair = async (at = 0) => ({
  niveauId: await entry('niveaux', at),
  matiereId: await entry('matieres', at),
})
const paperCategory = async () =>
  (
    await app.kysely
      .selectFrom('categories')
      .select('id')
      .where('code', '=', 'exams')
      .executeTakeFirstOrThrow()
  ).id
/** As the reviewer's acceptance does. */
const publish = (id: number) =>
  app.change('documents', id, { state: 'published', firstPublishedAt: new Date() })

describe('following', () => {
  test('begins and ends with a call, as often as it is made, and is nobody else’s', async () => {
    const [me, other] = [await app.aCustomer(), await app.aCustomer()]
    const { teacherId } = await app.aDocument()
    const pair = await aPair()
    await follow(me, { teacherId })
    await follow(me, pair)
    await follow(me, pair)
    expect(await followsOf(me)).toEqual([{ teacherId }, pair].map(followKey))
    expect(await followsOf(other)).toEqual([])
    await unfollow(other, pair)
    await unfollow(me, { teacherId })
    await unfollow(me, { teacherId })
    expect(await followsOf(me)).toEqual([followKey(pair)])
    const { subjects, teachers } = await newsOf(me)
    expect(teachers).toEqual([])
    expect(subjects).toMatchObject([
      { classe: { id: pair.niveauId }, matiere: { id: pair.matiereId } },
    ])
  })

  test('is for teachers with something for sale, and for classes and subjects that there are', async () => {
    const me = await app.aCustomer()
    const pair = await aPair()
    await expectCode(follow(me, { teacherId: (await app.aTeacher()).id }), 'teacher_not_found')
    await expectCode(follow(me, { ...pair, matiereId: 999_999 }), 'not_found')
    for (const followed of ['t', 'x1', 'c1', 'c1-2-3', 't1234567890']) {
      await expectCode(app.call(calls.follow, { as: me, params: { followed } }), 'invalid_input')
    }
  })

  test('has a bound of an account, under calls at the same time', async () => {
    const me = await app.aCustomer()
    const teachers = await Promise.all(
      Array.from({ length: FOLLOWS_MAX - 1 }, async () => (await app.aTeacher()).id),
    )
    await app.kysely
      .insertInto('follows')
      .values(
        teachers.map((teacherId) => ({
          userId: me.id,
          teacherId,
          niveauId: null,
          matiereId: null,
        })),
      )
      .execute()
    const results = await Promise.allSettled([
      follow(me, await aPair(0)),
      follow(me, await aPair(1)),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectCode(follow(me, await aPair(2)), 'follows_full')
  })

  test('moves with a merged account', async () => {
    const [from, into] = [await app.aCustomer(), await app.aCustomer()]
    const { teacherId } = await app.aDocument()
    const pair = await aPair()
    await follow(from, { teacherId })
    await follow(into, { teacherId })
    await follow(from, pair)
    await app.kysely
      .transaction()
      .execute((tx) => mergeFollows(tx, { fromId: from.id, intoId: into.id }))
    expect(await followsOf(into)).toEqual([{ teacherId }, pair].map(followKey))
    expect(await followsOf(from)).toEqual([])
  })
})

describe('news', () => {
  test('are the documents that a followed teacher, class and subject published since, once', async () => {
    const me = await app.aCustomer()
    const earlier = await app.aDocument()
    const { teacherId } = earlier
    const pair = await aPair(3)
    await follow(me, { teacherId })
    await follow(me, pair)
    expect([await kindsOf(me), await hasNews(me)]).toEqual([[], false])
    const both = await app.aDocument({ teacherId, ...pair })
    const draft = await app.aDocument({ teacherId, isPublished: false })
    const elsewhere = await app.aDocument({ niveauId: pair.niveauId })
    const ofClass = await app.aDocument(pair)
    expect(await kindsOf(me)).toEqual([`published ${ofClass.id}`, `published ${both.id}`])
    await publish(draft.id)
    await app.change('documents', elsewhere.id, { title: 'changed' })
    await app.change('documents', both.id, { state: 'unpublished' })
    expect(await kindsOf(me)).toEqual([`published ${draft.id}`, `published ${ofClass.id}`])
    await unfollow(me, { teacherId })
    expect(await kindsOf(me)).toEqual([`published ${ofClass.id}`])
  })

  test('are new until they are seen, and stay in the list', async () => {
    const me = await app.aCustomer()
    const pair = await aPair(4)
    await follow(me, pair)
    const first = await app.aDocument(pair)
    expect(await hasNews(me)).toBe(true)
    const { news, readAt } = await newsOf(me)
    expect(news.map(({ isNew }) => isNew)).toEqual([true])
    const second = await app.aDocument(pair)
    await app.call(calls.markNewsSeen, { as: me, body: { readAt } })
    expect((await newsOf(me)).news.map(({ isNew, document }) => [document.id, isNew])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    expect(await hasNews(me)).toBe(true)
    const never = { readAt: '2026-99-99T99:99:99Z' }
    await expectCode(app.call(calls.markNewsSeen, { as: me, body: never }), 'invalid_input')
    // A moment that is yet to come hides nothing of it.
    await app.call(calls.markNewsSeen, { as: me, body: { readAt: '2999-01-01T00:00:00Z' } })
    expect(await hasNews(me)).toBe(false)
    await app.aDocument(pair)
    expect(await hasNews(me)).toBe(true)
  })

  test('say from which price a wished document fell, unless it has risen again or is owned', async () => {
    const me = await app.aCustomer({ balance: dinars(100) })
    const [fallen, risen, owned, unwished] = await app.documentsAt(8, 8, 8, 8)
    for (const { id } of [fallen, risen, owned]) {
      await app.call(addToWishlist, { as: me, query: { userId: me.id, documentId: id } })
    }
    await bought(app, me, [owned])
    for (const { id } of [fallen, risen, owned, unwished]) {
      await app.change('documents', id, { priceDiscount: dinars(6) })
    }
    await app.change('documents', risen.id, { priceDiscount: null })
    const { news } = await newsOf(me)
    expect(news).toMatchObject([
      { kind: 'price', priceBefore: 8, document: { id: fallen.id, price: 6 } },
    ])
    // What was wished after the fall is no news.
    const other = await app.aCustomer()
    await app.call(addToWishlist, { as: other, query: { userId: other.id, documentId: fallen.id } })
    expect(await kindsOf(other)).toEqual([])
  })

  test('name the new version of a bought document, until it is opened', async () => {
    const me = await app.aCustomer({ balance: dinars(100) })
    const [document] = await app.documentsAt(8)
    await bought(app, me, [document])
    expect(await kindsOf(me)).toEqual([])
    const fileId = (await app.row('documents', document.id)).fileId
    await app.kysely
      .insertInto('documentVersions')
      .values({
        documentId: document.id,
        number: 2,
        fileId,
        state: 'accepted',
        createdBy: 'user 1',
        decidedAt: sql<Date>`clock_timestamp()`,
        decidedBy: 'user 1',
      })
      .execute()
    expect(await kindsOf(me)).toEqual([`version ${document.id}`])
    await app.call(keepPlace, { as: me, params: { id: document.id }, body: { page: 1 } })
    await app.kysely
      .updateTable('readings')
      .set({ seenVersion: 2 })
      .where('userId', '=', me.id)
      .execute()
    expect(await kindsOf(me)).toEqual([])
  })

  test('name the paper whose awaited correction has come', async () => {
    const me = await app.aCustomer()
    const { id } = await app.aDocument({ categoryId: await paperCategory() })
    await app.call(waitForCorrection, { as: me, params: { id } })
    await app.change('documents', id, { correctionPage: 2 })
    await tellOfCorrections(app.deps)
    expect(await kindsOf(me)).toEqual([`correction ${id}`])
    await app.change('documents', id, { correctionPage: null })
    expect(await kindsOf(me)).toEqual([])
  })

  test(`are the latest ${NEWS_SHOWN}, and go when they are old`, async () => {
    const me = await app.aCustomer()
    const { teacherId, id } = await app.aDocument()
    await follow(me, { teacherId })
    await app.kysely
      .updateTable('follows')
      .set({ followedAt: new Date(0) })
      .execute()
    const documents = []
    for (let at = 0; at <= NEWS_SHOWN; at++) documents.push(await app.aDocument({ teacherId }))
    expect(await kindsOf(me)).toEqual(
      documents
        .slice(1)
        .toReversed()
        .map((document) => `published ${document.id}`),
    )
    await app.kysely
      .updateTable('documents')
      .set({ firstPublishedAt: new Date(Date.now() - NEWS_MS - 1000) })
      .where('teacherId', '=', teacherId)
      .where('id', '!=', id)
      .execute()
    expect(await kindsOf(me)).toEqual([`published ${id}`])
  })
})
