import { expect, test } from 'vitest'
import { getDocument, searchDocuments } from '../../../src/contract/catalogue.ts'
import { previewOwnFacts } from '../../../src/contract/office-bulk-changes.ts'
import { getCalendar, saveCalendar } from '../../../src/contract/office-calendar.ts'
import * as office from '../../../src/contract/office-catalogue.ts'
import { proposeFacts, saveOwnDocument } from '../../../src/contract/office-documents.ts'
import { getClassProgramme, getSubjectProgramme } from '../../../src/contract/programme.ts'
import { listKinds } from '../../../src/contract/references.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { checkRows } from '../../../src/server/documents/import/check-rows.ts'
import { COLUMN_NAMES } from '../../../src/server/documents/import/columns.ts'
import { templateOf } from '../../../src/server/documents/import/export.ts'
import { readShop } from '../../../src/server/documents/import/known.ts'
import type { ListRow } from '../../../src/server/documents/import/read-list.ts'
import { ROW } from '../../support/office-import.ts'
import { readOwnDocument, save, textOfDocument } from '../../support/own-documents.ts'
import { expectCode, refused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

// Kinds of papers that administrators add, beside those that every shop has.

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const admin = await app.anOfficeAdministrator()
const teacher = await app.anOfficeTeacher()
const idOf = async (table: 'matieres' | 'niveaux' | 'categories', code: string) =>
  (
    await app.kysely
      .selectFrom(table)
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).id
const matiereId = await idOf('matieres', 'mathematics')
const niveauId = await idOf('niveaux', 'basic-9')
const categoryId = await idOf('categories', 'exams')

const oral = { ar: 'اختبار شفاهي', fr: 'Épreuve orale', en: 'Oral test' }
const params = { list: 'kinds' } as const
const add = (names: typeof oral) =>
  app.call(office.addEntry, { as: admin, params, body: { names } })
const kinds = async () => (await app.call(office.getLists, { as: admin })).kinds.entries
const retire = async (isRetired: boolean) => {
  const [{ id, revision } = { id: 0, revision: 0 }] = await kinds()
  const body = { revision, isRetired }
  await app.call(office.retireEntry, { as: admin, params: { ...params, id }, body })
}
await add(oral)

const aPaper = (title: string) =>
  app.aDocument({ title, matiereId, niveauId, categoryId, teacherId: teacher.teacherId })
const { id } = await aPaper('Les mesures')
const written = async (documentId: number, paperKind: string | null) => {
  const { document } = await readOwnDocument(app, teacher, documentId)
  const text = textOfDocument({ matiereId, niveauId, categoryId }, document.title, { paperKind })
  return save(app, teacher, document, text)
}
await written(id, 'oral-test')

test('a kind has a code that is no other’s, and names that are no shipped kind’s', async () => {
  expect(await kinds()).toMatchObject([{ code: 'oral-test', names: oral, documents: 1 }])
  await expectCode(add({ ...oral, fr: 'x' }), 'name_taken')
  await expectCode(add({ ar: 'أ', fr: 'devoir de synthese', en: 'a' }), 'name_taken')
  const lists = await add({ ar: 'امتحان آخر', fr: 'Autre examen', en: 'Control' })
  expect(lists.kinds.entries.at(-1)?.code).toBe('control-2')
})

test('a document of this kind says its names, is filtered and counted by it', async () => {
  const shown = await app.call(getDocument, { params: { id } })
  expect(shown).toMatchObject({ paperKind: 'oral-test', kindNames: oral })
  const { content, facets } = await app.call(searchDocuments, {
    query: { paperKind: 'oral-test' },
  })
  expect(content.map((each) => each.id)).toEqual([id])
  expect(facets?.paperKind).toMatchObject({ 'oral-test': 1 })
  const none = await app.call(searchDocuments, { query: { paperKind: 'nothing-like-it' } })
  expect(none.content).toEqual([])
  const { papers } = await app.call(getSubjectProgramme, {
    params: { classCode: 'basic-9', subjectCode: 'mathematics' },
  })
  expect(papers).toMatchObject([{ paperKind: 'oral-test', kindNames: oral, documents: 1 }])
})

test.each(['epreuve orale maths 9ème', 'Oral test 9ème', 'اختبار شفاهي رياضيات'])(
  'a search for %s is read as this kind',
  async (title) => {
    const { content, understood } = await app.call(searchDocuments, { query: { title } })
    expect(content[0]?.id).toBe(id)
    expect(understood).toContainEqual(
      expect.objectContaining({ filter: 'paperKind', value: 'oral-test' }),
    )
  },
)

test('a title that names it states it', async () => {
  const query = { written: 'Épreuve orale n°2 - Maths 9ème' }
  expect(await app.call(proposeFacts, { as: teacher, query })).toMatchObject({
    ...{ paperKind: 'oral-test', paperNumber: '2', matiereId, niveauId },
  })
  const titled = await aPaper('Épreuve orale n°3')
  const { rows } = await app.call(previewOwnFacts, { as: teacher, body: { ids: [titled.id] } })
  expect(rows[0]?.facts).toMatchObject({ paperKind: 'oral-test', paperNumber: '3' })
})

test('a list names it by its code or a name, and a template says so', async () => {
  const shop = await readShop(app.kysely)
  const empty = Object.fromEntries(COLUMN_NAMES.map((name) => [name, ''])) as ListRow['values']
  const check = (kind: string) =>
    checkRows([{ number: 2, values: { ...empty, ...ROW, reference: 'A', kind } }], shop)
  for (const kind of ['oral-test', 'Oral-Test', 'épreuve ORALE', 'اختبار شفاهي']) {
    expect(check(kind).problems.filter(({ column }) => column === 'kind')).toEqual([])
  }
  expect(check('oral-tests').problems).toMatchObject([{ column: 'kind', code: 'not_listed' }])
  expect(await templateOf(app.deps.database)).toContain('# kind: oral-test')
})

test('the calendar of tests takes it, and no code that is no kind', async () => {
  const today = tunisianDay(new Date(app.deps.now()))
  const save = async (kind: string) => {
    const { revision } = await app.call(getCalendar, { as: admin })
    const dates = { kind, trimester: null, from: today, to: today, source: 'x' }
    const entries = [{ ...dates, id: null, classes: ['basic-9'] }]
    return app.call(saveCalendar, { as: admin, body: { revision, entries } })
  }
  for (const kind of ['oral-tests', 'ordinary', 'series']) {
    expect(await refused(save(kind))).toMatchObject({ fields: { kind: 'invalid' } })
  }
  expect((await save('oral-test')).entries).toMatchObject([{ kind: 'oral-test' }])
  const params = { classCode: 'basic-9' }
  const { ahead, thisWeek } = await app.call(getClassProgramme, { params })
  const dates = { kind: 'oral-test', kindNames: oral }
  expect(ahead).toMatchObject([dates])
  expect(thisWeek).toMatchObject([
    {
      dates,
      subjects: [{ matiere: { code: 'mathematics' }, documents: 1, corrected: 0 }],
    },
  ])
})

test('a document takes no kind that is not in the list, and no retired one that it lacks', async () => {
  const another = await aPaper('Les angles')
  await expectCode(written(another.id, 'oral-tests'), 'invalid_input')
  await retire(true)
  expect((await app.call(listKinds, {}))[0]).toMatchObject({ code: 'oral-test', retired: 'in use' })
  await expectCode(written(another.id, 'oral-test'), 'invalid_input')
  await written(id, 'oral-test')
  expect(await app.call(getDocument, { params: { id } })).toMatchObject({ kindNames: oral })
  await retire(false)
  await written(another.id, 'oral-test')
  const garbage = { ...textOfDocument({ matiereId, niveauId, categoryId }, 'x'), paperKind: 'A B' }
  const body = { revision: 0, ...garbage }
  await expectCode(
    app.call(saveOwnDocument, { as: teacher, params: { id }, body }),
    'invalid_input',
  )
})

test('exercises of this kind are counted apart from its tests', async () => {
  const exercises = await idOf('categories', 'exercises')
  const arabic = await idOf('matieres', 'arabic')
  for (const category of [categoryId, exercises]) {
    const of = { matiereId: arabic, niveauId, categoryId: category }
    await app.change('documents', (await app.aDocument(of)).id, { paperKind: 'oral-test' })
  }
  const params = { classCode: 'basic-9', subjectCode: 'arabic' }
  const { papers } = await app.call(getSubjectProgramme, { params })
  expect(papers.map((paper) => [paper.categoryId, paper.documents]).sort()).toEqual(
    [
      [categoryId, 1],
      [exercises, 1],
    ].sort(),
  )
})
