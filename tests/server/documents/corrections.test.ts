import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { getDocument, searchDocuments } from '../../../src/contract/catalogue.ts'
import { getCorrections } from '../../../src/contract/corrections.ts'
import { findPapers } from '../../../src/contract/office-corrections.ts'
import * as office from '../../../src/contract/office-documents.ts'
import { getReview } from '../../../src/contract/office-review.ts'
import { CORRECTIONS_OF_PAPER_MAX } from '../../../src/rules/corrections.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import {
  act,
  create,
  readOwnDocument,
  save,
  setFile,
  textOfDocument,
} from '../../support/own-documents.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

type Teacher = Awaited<ReturnType<typeof app.anOfficeTeacher>>
let teacher: Teacher
let other: Teacher
let names: { matiereId: number; niveauId: number; categoryId: number }
beforeAll(async () => {
  teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  other = await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi' })
  const exams = app.kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
  names = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: (await exams.executeTakeFirstOrThrow()).id,
  }
})

const aPaper = (of: Teacher, more: object = {}) =>
  app.aDocument({ teacherId: of.teacherId, ...names, ...more })
const text = (correctionOf: number | null, more: object = {}) =>
  textOfDocument(names, 'Corrigé du devoir', { correctionOf, ...more })

/** A document of a teacher that is the correction of a paper. */
async function aCorrection(of: Teacher, paper: number | null) {
  return await save(app, of, await create(app, of), text(paper))
}

async function published(of: Teacher, { id }: { id: number }) {
  await setFile(app, of, id, 2)
  await act(app, of, office.submitOwnDocument, id)
  await app.kysely
    .updateTable('documents')
    .set({ state: 'published', firstPublishedAt: new Date(), uploadedAt: new Date() })
    .where('id', '=', id)
    .execute()
  return id
}

const INVALID = { status: 400, body: { fields: { correctionOf: 'invalid' } } }

test('a teacher finds own papers first, and those of others that are for sale', async () => {
  const own = await aPaper(teacher, { isPublished: false })
  const theirs = await aPaper(other)
  const [draft, inside, fixed] = [
    await aPaper(other, { isPublished: false }),
    await aPaper(other),
    await aPaper(other),
  ]
  await app.change('documents', inside.id, { correctionPage: 2 })
  await app.change('documents', fixed.id, { correctionOf: theirs.id })
  const elsewhere = await aPaper(other, { niveauId: await app.aClass() })
  const lesson = app.kysely.selectFrom('categories').select('id').where('code', '=', 'lessons')
  const noPaper = await aPaper(other, { categoryId: (await lesson.executeTakeFirstOrThrow()).id })
  const { niveauId, matiereId } = names
  const find = async (query: object = {}) =>
    (await app.call(findPapers, { as: teacher, query: { niveauId, matiereId, ...query } })).map(
      ({ id }) => id,
    )
  const found = await find()
  expect(found[0]).toBe(own.id)
  expect(found).toContain(theirs.id)
  for (const { id } of [draft, inside, fixed, elsewhere, noPaper]) expect(found).not.toContain(id)
  expect(await find({ not: own.id })).not.toContain(own.id)
  expect(await find({ q: 'nothing is called this' })).toEqual([])
})

test('the correction names its paper, and its review shows the paper', async () => {
  const paper = await aPaper(other)
  const { id } = await aCorrection(teacher, paper.id)
  const page = await readOwnDocument(app, teacher, id)
  expect(page).toMatchObject({
    document: { correctionOf: paper.id },
    paper: { id: paper.id, teacher: 'Sami Trabelsi', isOwn: false },
  })
  await setFile(app, teacher, id, 2)
  await act(app, teacher, office.submitOwnDocument, id)
  const admin = await app.anOfficeAdministrator()
  expect(await app.call(getReview, { as: admin, params: { id } })).toMatchObject({
    document: { correctionOf: paper.id },
    paper: { id: paper.id, teacher: 'Sami Trabelsi' },
  })
})

test('what cannot be a paper is refused', async () => {
  const draft = await aPaper(other, { isPublished: false })
  const inside = await aPaper(other)
  await app.change('documents', inside.id, { correctionPage: 2 })
  const paper = await aPaper(other)
  const correction = await aCorrection(teacher, paper.id)
  const begun = await create(app, teacher)
  for (const wrong of [draft.id, inside.id, correction.id, begun.id, 999_999]) {
    await expect(save(app, teacher, begun, text(wrong))).rejects.toMatchObject(INVALID)
  }
  const both = text(paper.id, { correctionPage: 3 })
  await expect(save(app, teacher, begun, both)).rejects.toMatchObject(INVALID)
  // A paper that has a correction is no correction itself.
  const own = await aPaper(teacher)
  await aCorrection(teacher, own.id)
  const { document } = await readOwnDocument(app, teacher, own.id)
  await expect(save(app, teacher, document, text(paper.id))).rejects.toMatchObject(INVALID)
})

test('a document that was for sale is tied to no paper of another teacher, which nobody would review', async () => {
  const [theirs, own] = [await aPaper(other), await aPaper(teacher)]
  const id = await published(teacher, await aCorrection(teacher, null))
  const tie = async (paper: { id: number }) =>
    save(app, teacher, (await readOwnDocument(app, teacher, id)).document, text(paper.id))
  await expect(tie(theirs)).rejects.toMatchObject(INVALID)
  const offered = await app.call(findPapers, {
    as: teacher,
    query: { niveauId: names.niveauId, not: id },
  })
  expect(offered.map((each) => each.isOwn)).not.toContain(false)
  expect(offered.map((each) => each.id)).toContain(own.id)
  const take = { as: teacher, params: { id }, body: { reason: null } }
  await app.call(office.unpublishOwnDocument, take)
  await expect(tie(theirs)).rejects.toMatchObject(INVALID)
  expect((await tie(own)).correctionOf).toBe(own.id)
})

test('the database refuses it as well, and counts a teacher’s corrections of a paper', async () => {
  const [one, two, three] = [await aPaper(other), await aPaper(other), await aPaper(other)]
  const set = (id: number, correctionOf: number) =>
    app.kysely.updateTable('documents').set({ correctionOf }).where('id', '=', id).execute()
  const refused = { constraint: 'documents_correction_of' }
  await expect(set(one.id, one.id)).rejects.toMatchObject(refused)
  await set(one.id, two.id)
  await expect(set(three.id, one.id)).rejects.toMatchObject(refused)
  await expect(set(two.id, three.id)).rejects.toMatchObject(refused)
  const paper = await aPaper(other)
  for (let at = 0; at < CORRECTIONS_OF_PAPER_MAX; at++) await aCorrection(teacher, paper.id)
  const full = { body: { error: 'corrections_full' } }
  await expect(aCorrection(teacher, paper.id)).rejects.toMatchObject(full)
  const begin = { as: teacher, key: 'sixth', params: { id: paper.id } }
  await expect(app.call(office.createCorrection, begin)).rejects.toMatchObject(full)
  const more = await aPaper(teacher)
  await expect(set(more.id, paper.id)).rejects.toMatchObject(refused)
  await aCorrection(other, paper.id)
})

test('of two papers that become each other’s correction at once, one does', async () => {
  for (let round = 0; round < 4; round++) {
    const [one, two] = [await aPaper(teacher), await aPaper(teacher)]
    const read = async (id: number) => (await readOwnDocument(app, teacher, id)).document
    const [first, second] = [await read(one.id), await read(two.id)]
    const results = await Promise.allSettled([
      save(app, teacher, first, text(two.id)),
      save(app, teacher, second, text(one.id)),
    ])
    const failed = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(failed).toMatchObject([INVALID])
  }
})

test('a paper has a correction as long as one is for sale, in lists and counts', async () => {
  const paper = await aPaper(teacher)
  const solved = async () =>
    (
      await app.call(searchDocuments, {
        query: { teacherId: teacher.teacherId, withCorrection: 'true', size: 50 },
      })
    ).content.some(({ id }) => id === paper.id)
  const hasCorrection = async () =>
    (await app.call(getDocument, { params: { id: paper.id } })).hasCorrection
  expect([await hasCorrection(), await solved()]).toEqual([undefined, false])

  const id = await published(teacher, await aCorrection(teacher, paper.id))
  expect([await hasCorrection(), await solved()]).toEqual([true, true])
  const body = { reason: null }
  await app.call(office.unpublishOwnDocument, { as: teacher, params: { id }, body })
  expect([await hasCorrection(), await solved()]).toEqual([undefined, false])
  await act(app, teacher, office.publishOwnDocument, id)
  expect([await hasCorrection(), await solved()]).toEqual([true, true])

  // Another paper takes its place.
  const next = await aPaper(teacher)
  const { document } = await readOwnDocument(app, teacher, id)
  await save(app, teacher, document, text(next.id))
  expect([await hasCorrection(), await solved()]).toEqual([undefined, false])
  const { rows } = await sql<{ tags: string[] }>`
    SELECT tags FROM page_changes ORDER BY id DESC LIMIT 10`.execute(app.kysely)
  const tags = rows.flatMap((row) => row.tags)
  expect(tags).toEqual(expect.arrayContaining([`document:${paper.id}`, `document:${next.id}`]))
})

test('a paper leads to its corrections, and they to it, as far as both are for sale', async () => {
  const paper = await aPaper(other)
  const id = await published(teacher, await aCorrection(teacher, paper.id))
  await aCorrection(teacher, paper.id)
  const read = (of: number) => app.call(getCorrections, { params: { id: of } })
  expect(await read(paper.id)).toMatchObject({ paper: null, corrections: [{ id }] })
  expect(await read(id)).toMatchObject({ paper: { id: paper.id }, corrections: [] })
  await app.change('documents', paper.id, { state: 'unpublished' })
  // A withdrawn paper takes the link with it; its correction goes on selling.
  expect(await read(id)).toEqual({ paper: null, corrections: [] })
  await expect(read(paper.id)).rejects.toMatchObject({ status: 404 })
})

test('a deleted draft is no longer the paper of its correction, which stays as it is', async () => {
  const draft = await save(app, teacher, await create(app, teacher), text(null))
  const { id } = await aCorrection(teacher, draft.id)
  await app.call(office.deleteOwnDocument, { as: teacher, params: { id: draft.id } })
  expect(await readOwnDocument(app, teacher, id)).toMatchObject({
    document: { correctionOf: null, title: 'Corrigé du devoir' },
    paper: null,
  })
})
