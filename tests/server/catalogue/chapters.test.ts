import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-chapters.ts'
import { submitOwnDocument } from '../../../src/contract/office-documents.ts'
import { getReview } from '../../../src/contract/office-review.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as references from '../../../src/contract/references.ts'
import { CHAPTERS_MAX } from '../../../src/rules/chapters.ts'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../../src/rules/page-tags.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { accept } from '../../../src/server/documents/documents.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { office as command, importIt, put, list as writeList } from '../../support/office-import.ts'
import {
  ACTOR,
  act,
  create,
  save as saveOwn,
  setFile,
  textOfDocument,
} from '../../support/own-documents.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode, refused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })

const entry = async (table: 'matieres' | 'niveaux', code: string) => {
  const rows = app.kysely.selectFrom(table).select('id').where('code', '=', code)
  return (await rows.executeTakeFirstOrThrow()).id
}
const listOf = async (classCode: string, subjectCode = 'mathematics') => ({
  classId: await entry('niveaux', classCode),
  subjectId: await entry('matieres', subjectCode),
})
type ListOf = Awaited<ReturnType<typeof listOf>>
const read = (params: ListOf) => app.call(office.getChapters, { as: admin, params })

async function save(params: ListOf, chapters: readonly object[], revision?: number) {
  const body = {
    revision: revision ?? (await read(params)).revision,
    chapters: chapters.map((each) => {
      const given = {
        id: null,
        ar: '',
        fr: '',
        aliases: [],
        trimester: null,
        isHidden: false,
        ...each,
      }
      const { id, ar, fr, aliases, trimester, isHidden } = given
      return { id, ar, fr, aliases, trimester, isHidden }
    }),
  }
  return await app.call(office.saveChapters, { as: admin, params, body })
}

async function aDocument(of: ListOf, ...chapterIds: number[]) {
  const { id } = await app.aDocument({ niveauId: of.classId, matiereId: of.subjectId })
  await app.change('documents', id, { chapterIds })
  return id
}

describe('the chapters of a class and subject', () => {
  test('begin with those that are known, and are not filled in again once they were changed', async () => {
    const ninth = await listOf('basic-9')
    const { chapters, revision, changed } = await read(ninth)
    expect({ revision, changed }).toEqual({ revision: 0, changed: null })
    expect(chapters).toHaveLength(16)
    expect(chapters[4]).toMatchObject({ ar: 'المعادلات', fr: 'Équations', trimester: null })
    const named = async (...of: [string, string?]) => (await read(await listOf(...of))).chapters
    expect(await named('basic-9', 'physics')).toHaveLength(8)
    expect((await named('bac-letters', 'english')).map(({ fr }) => fr)).toEqual([
      'Lecture',
      'Langue',
      'Expression écrite',
    ])
    // Nothing is known of them.
    expect(await named('secondary-3-math')).toEqual([])
    expect(await named('prep-mp-1')).toEqual([])

    await save(ninth, [])
    await fillSchoolLists(app.deps.database)
    expect((await read(ninth)).chapters).toEqual([])
    const subject = `chapters ${ninth.classId} ${ninth.subjectId}` as const
    const body = { subject, revision: 1, to: 0 }
    await app.call(versions.restoreSiteVersion, { as: admin, body })
    expect((await read(ninth)).chapters).toEqual(chapters)
  })

  test('are added, named, ordered, hidden, and deleted while no document has them', async () => {
    const list = await listOf('secondary-3-math')
    const added = await save(list, [
      { ar: 'الأعداد' },
      { fr: 'Suites', aliases: ['Suites réelles'] },
    ])
    const [numbers, suites] = added.chapters as [office.OfficeChapter, office.OfficeChapter]
    app.published.length = 0
    const hidden = { ...numbers, isHidden: true, trimester: 't1', fr: 'Nombres' }
    const saved = await save(list, [suites, hidden])
    expect(saved).toMatchObject({ revision: 2, changed: { by: 'Hajer Mansouri' } })
    expect(saved.chapters).toEqual([suites, hidden])
    expect(app.published).toEqual(expect.arrayContaining([REFERENCE_TAG, CATALOGUE_TAG]))
    // The same again is no change, whatever was read.
    expect((await save(list, [suites, hidden], 0)).revision).toBe(2)
    expect(await refused(save(list, [suites], 0))).toMatchObject({ code: 'done_before' })

    const document = await aDocument(list, suites.id)
    await expectCode(save(list, [hidden]), 'chapter_in_use')
    expect((await save(list, [suites])).chapters).toEqual([{ ...suites, documents: 1 }])
    const log = await logOf(app, `chapters ${list.classId} ${list.subjectId}`)
    expect(log).toHaveLength(3)
    expect(log[1]?.reason).toContain(`chapters.${numbers.id}.fr: "" → "Nombres"`)
    await app.change('documents', document, { chapterIds: [] })
  })

  test('are refused with a name twice, without a name, beyond their number, and of another list', async () => {
    const list = await listOf('bac-science')
    await expectCode(
      save(list, [{ fr: 'Limites' }, { ar: 'النهايات', fr: 'LIMITES' }]),
      'name_taken',
    )
    await expectCode(save(list, [{ aliases: ['x'] }]), 'invalid_input')
    await expectCode(save(list, [{ fr: '<b>' }]), 'invalid_input')
    await expectCode(save(list, [{ fr: 'x'.repeat(121) }]), 'invalid_input')
    const many = Array.from({ length: CHAPTERS_MAX + 1 }, (_, at) => ({ fr: `Chapitre ${at}` }))
    await expectCode(save(list, many), 'invalid_input')
    const [other] = (await read(await listOf('bac-math'))).chapters
    await expectCode(save(list, [{ ...other }]), 'invalid_input')
    await expectCode(read({ ...list, subjectId: 999_999 }), 'not_found')
  })

  test('are merged: documents and names follow, and come apart again', async () => {
    const list = await listOf('bac-economics')
    const { chapters, revision } = await read(list)
    const [limits, derivation] = chapters as [office.OfficeChapter, office.OfficeChapter]
    const one = await aDocument(list, limits.id)
    const both = await aDocument(list, derivation.id, limits.id)
    const body = { revision, from: limits.id, into: derivation.id }
    const merged = await app.call(office.mergeChapters, { as: admin, params: list, body })
    expect(merged.chapters[0]).toEqual({
      ...derivation,
      aliases: [limits.ar, limits.fr],
      documents: 2,
    })
    expect(merged.chapters).toHaveLength(chapters.length - 1)
    expect((await app.row('documents', one)).chapterIds).toEqual([derivation.id])
    expect((await app.row('documents', both)).chapterIds).toEqual([derivation.id])
    // Another administrator, who still sees both: asked to merge, to save or to move the one that is gone.
    const merge = (more: object) =>
      app.call(office.mergeChapters, { as: admin, params: list, body: { ...body, ...more } })
    await expectCode(merge({}), 'done_before')
    await expectCode(save(list, [limits], revision), 'done_before')
    const { classId: toClassId } = await listOf('bac-letters')
    const to = { revision, id: limits.id, toClassId, toSubjectId: list.subjectId }
    const move = app.call(office.moveChapter, { as: admin, params: list, body: to })
    await expectCode(move, 'done_before')
    await expectCode(merge({ revision: merged.revision }), 'not_found')

    const subject = `chapters ${list.classId} ${list.subjectId}` as const
    const back = { subject, revision: 1, to: 0 }
    await app.call(versions.restoreSiteVersion, { as: admin, body: back })
    const restored = (await read(list)).chapters
    expect(restored.map(({ id }) => id)).toEqual(chapters.map(({ id }) => id))
    expect(restored.slice(0, 2).map(({ documents }) => documents)).toEqual([0, 2])
  })

  test('of a document are those of its class and subject, offered ones, in their order', async () => {
    const list = await listOf('basic-8')
    const [first, second, third] = (await read(list)).chapters as office.OfficeChapter[]
    const [one, two, three] = [first?.id ?? 0, second?.id ?? 0, third?.id ?? 0]
    const [foreign] = (await read(await listOf('basic-7'))).chapters
    const document = await aDocument(list, two, foreign?.id ?? 0, one, two)
    const chapters = async () => (await app.row('documents', document)).chapterIds
    expect(await chapters()).toEqual([one, two])
    await save(list, [{ ...first, isHidden: true }, { ...second }, { ...third, isHidden: true }])
    await app.change('documents', document, { chapterIds: [one, three] })
    expect(await chapters()).toEqual([one])
    await app.change('documents', document, { niveauId: (await listOf('basic-7')).classId })
    expect(await chapters()).toEqual([])
  })

  test('are written by a teacher, and seen by the reviewer and buyers, in lists and in an export', async () => {
    const list = await listOf('basic-7')
    const [first, second] = (await read(list)).chapters as office.OfficeChapter[]
    const [one, two] = [first?.id ?? 0, second?.id ?? 0]
    const query = { niveauId: list.classId, matiereId: list.subjectId }
    const offered = await app.call(references.listChapters, { query })
    expect(offered[0]).toEqual({
      id: one,
      name: 'علم الحساب والتعداد',
      names: {
        ar: 'علم الحساب والتعداد',
        fr: 'Arithmétique et dénombrement',
        en: 'Arithmétique et dénombrement',
      },
    })
    const teacher = await app.anOfficeTeacher()
    const draft = await create(app, teacher)
    expect(draft.chapters).toEqual([])
    const names = { ...query, categoryId: await app.aCategory() }
    const text = (chapterIds: number[]) => textOfDocument(names, 'Série', { chapterIds })
    const saved = await saveOwn(app, teacher, draft, text([two, 999_999, one]))
    expect(saved.chapters.map(({ id }) => id)).toEqual([one, two])
    // Left out, they stay; the same in another order are no change.
    const kept = await saveOwn(app, teacher, saved, textOfDocument(names, 'Série'))
    expect((await saveOwn(app, teacher, kept, text([two, one]))).revision).toBe(kept.revision)

    await setFile(app, teacher, draft.id, 3)
    await act(app, teacher, submitOwnDocument, draft.id)
    const params = { id: draft.id }
    const { document } = await app.call(getReview, { as: admin, params })
    expect(document.chapters).toEqual(saved.chapters)
    await accept(app.deps, { id: draft.id, actor: ACTOR })
    expect((await app.call(getDocument, { params })).chapters).toEqual(saved.chapters)

    const { revision } = await read(list)
    app.published.length = 0
    const body = { revision, from: one, into: two }
    await app.call(office.mergeChapters, { as: admin, params: list, body })
    expect(app.published).toContain(REFERENCE_TAG)
    expect((await app.call(getDocument, { params })).chapters?.map(({ id }) => id)).toEqual([two])
  })

  test('are named by lists, of the class and subject that the row names, and exported', async () => {
    const list = await listOf('basic-9', 'physics')
    const folder = temporaryDirectory()
    await put(folder, 'a.pdf', aPdf('chapters', 3))
    const imported = async (chapters: string, more: object = {}) => {
      const row = { reference: 'chapters-1', subject: 'physics', class: 'basic-9', chapters }
      await writeList(folder, [{ ...row, ...more }])
      return await importIt(app, folder)
    }
    const wrong = {
      exit: 1,
      json: { problems: [{ row: 2, column: 'chapters', detail: 'Suites' }] },
    }
    expect(await imported('الضوء | Suites')).toMatchObject(wrong)
    expect(await imported('الضوء | l’atome et les symboles')).toMatchObject({
      json: { created: 1 },
    })
    expect(await imported('')).toMatchObject({ json: { unchanged: 1 } })
    expect(await imported('Light | الضوء')).toMatchObject({ exit: 1 })
    const out = join(folder, 'out')
    expect(await command(app, 'export', out)).toMatchObject({ exit: 0 })
    expect(await readFile(join(out, 'catalogue.csv'), 'utf8')).toContain(';الذرة والرموز | الضوء;')
    // Another class has none of them.
    expect(await imported('', { class: 'basic-8' })).toMatchObject({ json: { changed: 1 } })
    const { chapters } = await read(list)
    expect(chapters.every(({ documents }) => documents === 0)).toBe(true)
  })

  test('are moved with their documents to another class and subject', async () => {
    const [from, to] = [await listOf('secondary-1'), await listOf('secondary-1-sport')]
    const [angles, thales] = (await read(from)).chapters as office.OfficeChapter[]
    const [one, two] = [angles?.id ?? 0, thales?.id ?? 0]
    const document = await aDocument(from, one, two)
    const { revision } = await read(from)
    const move = (given: object = {}) => {
      const body = { revision, id: one, toClassId: to.classId, toSubjectId: to.subjectId, ...given }
      return app.call(office.moveChapter, { as: admin, params: from, body })
    }
    await expectCode(move({ id: 999_999 }), 'not_found')
    await expectCode(move({ toClassId: 999_999 }), 'not_found')
    expect((await move()).chapters.some(({ id }) => id === one)).toBe(false)
    expect((await read(to)).chapters).toMatchObject([{ id: one, documents: 1 }])
    expect(await app.row('documents', document)).toMatchObject({
      niveauId: to.classId,
      matiereId: to.subjectId,
      chapterIds: [one],
      revision: 1,
    })
    await expectCode(move({ id: two }), 'done_before')
    // What is in another list now stays there.
    const subject = `chapters ${from.classId} ${from.subjectId}` as const
    const back = { subject, revision: 1, to: 0 }
    await app.call(versions.restoreSiteVersion, { as: admin, body: back })
    expect((await read(to)).chapters).toMatchObject([{ id: one }])
  })
})
