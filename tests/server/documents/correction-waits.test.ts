import { beforeAll, describe, expect, test } from 'vitest'
import * as calls from '../../../src/contract/corrections.ts'
import { listWanted } from '../../../src/contract/office-corrections.ts'
import { createCorrection, getOwnDocument } from '../../../src/contract/office-documents.ts'
import { CORRECTION_WAITS_MAX } from '../../../src/rules/corrections.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { mergeWaits, tellOfCorrections } from '../../../src/server/documents/documents.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

let categoryId: number
beforeAll(async () => {
  const exams = app.kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
  categoryId = (await exams.executeTakeFirstOrThrow()).id
})

const aPaper = async (more: object = {}) => (await app.aDocument({ categoryId, ...more })).id
const wait = (as: Person, id: number) => app.call(calls.waitForCorrection, { as, params: { id } })
const stop = (as: Person, id: number) => app.call(calls.stopWaiting, { as, params: { id } })
const isWaiting = (as: Person, id: number) => app.call(calls.isWaiting, { as, params: { id } })
const listed = (as: Person) => app.call(calls.listWaits, { as })
const mailsTo = async ({ email }: Person) =>
  (await app.mails()).filter(({ headers }) => headers.includes(`To: ${email}`))

describe('a wait for a correction', () => {
  test('begins with one call, and ends with another', async () => {
    const [parent, other] = [await app.aCustomer(), await app.aCustomer()]
    const paper = await aPaper()
    expect(await isWaiting(parent, paper)).toBe(false)
    await wait(parent, paper)
    await wait(parent, paper)
    expect([await isWaiting(parent, paper), await isWaiting(other, paper)]).toEqual([true, false])
    await stop(other, paper)
    expect(await isWaiting(parent, paper)).toBe(true)
    const gone = await aPaper({ title: 'Retiré' })
    await wait(parent, gone)
    await app.change('documents', gone, { state: 'unpublished' })
    expect(await listed(parent)).toMatchObject([
      { id: gone, title: 'Retiré', isForSale: false },
      { id: paper, isForSale: true },
    ])
    expect(await listed(other)).toEqual([])
    await stop(parent, gone)
    await stop(parent, paper)
    await stop(parent, paper)
    expect(await isWaiting(parent, paper)).toBe(false)
  })

  test('is for papers for sale that have no correction', async () => {
    const parent = await app.aCustomer()
    await expectCode(wait(parent, 999_999), 'document_not_found')
    await expectCode(wait(parent, await aPaper({ isPublished: false })), 'document_not_found')
    const [inside, lesson] = [await aPaper(), (await app.aDocument()).id]
    await app.change('documents', inside, { correctionPage: 2 })
    const paper = await aPaper()
    const correction = await aPaper()
    await app.change('documents', correction, { correctionOf: paper })
    for (const id of [inside, lesson, paper, correction]) {
      await expectCode(wait(parent, id), 'correction_exists')
    }
  })

  test('has a bound of an account, under calls at the same time', async () => {
    const parent = await app.aCustomer()
    const papers = await Promise.all(
      Array.from({ length: CORRECTION_WAITS_MAX + 1 }, () => aPaper()),
    )
    const [first, second, ...others] = papers as [number, number, ...number[]]
    const waits = others.map((documentId) => ({ userId: parent.id, documentId }))
    await app.kysely.insertInto('correctionWaits').values(waits).execute()
    const results = await Promise.allSettled([wait(parent, first), wait(parent, second)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('ends when a correction is published or the paper has one inside; each is told once', async () => {
    const [parent, other] = [await app.aCustomer(), await app.aCustomer()]
    const [apart, inside, open] = [await aPaper(), await aPaper(), await aPaper()]
    await wait(parent, apart)
    await wait(other, apart)
    await wait(parent, inside)
    await wait(parent, open)
    const correction = await aPaper({ isPublished: false })
    await app.change('documents', correction, { correctionOf: apart })
    await tellOfCorrections(app.deps)
    expect(await mailsTo(parent)).toHaveLength(0)

    await app.change('documents', correction, { state: 'published', firstPublishedAt: new Date() })
    await app.change('documents', inside, { correctionPage: 2 })
    await Promise.all([tellOfCorrections(app.deps), tellOfCorrections(app.deps)])
    await tellOfCorrections(app.deps)
    expect(await mailsTo(parent)).toHaveLength(2)
    const [mail] = await mailsTo(other)
    expect(mail?.parts['text/plain']).toContain(`/shop-details/${apart}`)
    expect(await isWaiting(parent, apart)).toBe(false)
    expect(await isWaiting(parent, open)).toBe(true)
    // Published once more, it is no news to anybody.
    await app.change('documents', correction, { state: 'unpublished' })
    await app.change('documents', correction, { state: 'published' })
    await tellOfCorrections(app.deps)
    expect(await mailsTo(other)).toHaveLength(1)
  })

  test('moves with a merged account', async () => {
    const [from, into] = [await app.aCustomer(), await app.aCustomer()]
    const [both, one] = [await aPaper(), await aPaper()]
    await wait(from, both)
    await wait(into, both)
    await wait(from, one)
    await app.kysely
      .transaction()
      .execute((tx) => mergeWaits(tx, { fromId: from.id, intoId: into.id }))
    expect([await isWaiting(into, both), await isWaiting(into, one)]).toEqual([true, true])
    expect(await isWaiting(from, one)).toBe(false)
  })
})

test('the teacher of a paper is told once of each correction of another teacher', async () => {
  const teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  const other = await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi' })
  await app.change('users', teacher.id, { locale: 'fr' })
  const paper = await aPaper({ teacherId: teacher.teacherId, title: 'Devoir 1' })
  const correction = await aPaper({ teacherId: other.teacherId })
  const own = await aPaper({ teacherId: teacher.teacherId })
  await app.change('documents', correction, { correctionOf: paper })
  await app.change('documents', own, { correctionOf: paper })
  await Promise.all([tellOfCorrections(app.deps), tellOfCorrections(app.deps)])
  await tellOfCorrections(app.deps)
  const mails = await mailsTo(teacher)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.parts['text/plain']).toContain('Sami Trabelsi')
  expect(mails[0]?.parts['text/plain']).toContain(`/fr/shop-details/${correction}`)
  const next = await aPaper({ teacherId: teacher.teacherId })
  await app.change('documents', correction, { correctionOf: next })
  await tellOfCorrections(app.deps)
  expect(await mailsTo(teacher)).toHaveLength(2)
})

describe('the wanted list', () => {
  test('has the papers that most wait for, with counts alone, and leads to a new correction', async () => {
    const teacher = await app.anOfficeTeacher()
    const of = { niveauId: await app.aClass(), matiereId: await app.aMatiere() }
    const [one, two, solved] = [
      await aPaper({ ...of, teacherId: teacher.teacherId }),
      await aPaper({ ...of, title: 'Zéphyr' }),
      await aPaper(of),
    ]
    const elsewhere = await aPaper()
    await app.change('documents', two, { paperKind: 'control', paperNumber: '2', trimester: 't1' })
    const [parent, other] = [await app.aCustomer(), await app.aCustomer()]
    for (const id of [one, two, solved, elsewhere]) await wait(parent, id)
    await wait(other, two)
    await app.change('documents', solved, { correctionPage: 2 })
    const list = async (query: object = {}) =>
      (await app.call(listWanted, { as: teacher, query: { size: 50, ...query } })).content
    const found = await list(of)
    expect(found).toMatchObject([
      { id: two, waiting: 2, isOwn: false },
      { id: one, waiting: 1, isOwn: true },
    ])
    expect(JSON.stringify(found)).not.toContain(parent.email)
    expect(await list({ niveauId: await app.aClass() })).toEqual([])
    expect((await list({ ...of, q: 'zephyr' })).map(({ id }) => id)).toEqual([two])
    // Its own teacher sees the count, too.
    const own = await app.call(getOwnDocument, { as: teacher, params: { id: one } })
    expect(own.waiting).toBe(1)

    const params = { id: two }
    const begin = (key: string) => app.call(createCorrection, { as: teacher, key, params })
    const draft = await begin('offer')
    expect(draft).toMatchObject({
      correctionOf: two,
      paperKind: 'control',
      paperNumber: '2',
      trimester: 't1',
      classe: { id: of.niveauId },
      matiere: { id: of.matiereId },
      title: '',
    })
    expect((await begin('offer')).id).toBe(draft.id)
    const wrong = app.call(createCorrection, { as: teacher, key: 'no', params: { id: solved } })
    await expectCode(wrong, 'document_not_found')
  })
})
