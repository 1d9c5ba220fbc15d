import { expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import * as bulk from '../../../src/contract/office-bulk-changes.ts'
import { getOwnDocument } from '../../../src/contract/office-documents.ts'
import { BULK_PREVIEW_MS } from '../../../src/rules/bulk-change.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { create } from '../../support/own-documents.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

// The facts that a teacher's own titles state: seen, accepted, and taken back.

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const { id: categoryId } = await app.kysely
  .selectFrom('categories')
  .select('id')
  .where('code', '=', 'exams')
  .executeTakeFirstOrThrow()

const preview = (as: Person, ids: number[] | null = null) =>
  app.call(bulk.previewOwnFacts, { as, body: { ids } })
const apply = (as: Person, id: number) => app.call(bulk.applyOwnFacts, { as, params: { id } })
const undo = (as: Person, id: number) => app.call(bulk.undoOwnFacts, { as, params: { id } })
const rowOf = (id: number) => app.row('documents', id)

async function aTeacherWithPapers() {
  const teacher = await app.anOfficeTeacher()
  const paper = async (title: string, isPublished = true) =>
    (await app.aDocument({ teacherId: teacher.teacherId, categoryId, title, isPublished })).id
  const onSale = await paper('Devoir de contrôle n°1 - 2023/2024')
  const draft = await paper('فرض تأليفي عدد 2', false)
  const silent = await paper('Le Petit Prince')
  return { teacher, paper, onSale, draft, silent }
}

test('a teacher sees what the own titles state, takes all of it, and takes it back', async () => {
  const { teacher, onSale, draft, silent } = await aTeacherWithPapers()
  await aTeacherWithPapers()
  // An untitled draft states nothing yet, and is not listed.
  const { id: untitled } = await create(app, teacher)
  await app.change('documents', untitled, { categoryId })
  const seen = await preview(teacher)
  expect(seen.rows.map(({ document, facts }) => [document.id, facts])).toMatchObject([
    [onSale, { paperKind: 'control', paperNumber: '1', schoolYear: 2023 }],
    [draft, { paperKind: 'synthesis', paperNumber: '2', trimester: 't2' }],
  ])
  expect(seen.keptRows).toMatchObject([{ document: { id: silent }, code: 'nothing_stated' }])
  expect(await rowOf(onSale)).toMatchObject({ paperKind: null })

  expect(await apply(teacher, seen.id)).toMatchObject({ changed: 2, state: 'done' })
  // As by the form, what is for sale shows them at once.
  const params = { id: onSale }
  expect(await app.call(getDocument, { params })).toMatchObject({ paperKind: 'control', price: 5 })
  const { document } = await app.call(getOwnDocument, { as: teacher, params })
  expect(document).toMatchObject({ state: 'published', waitingVersion: null })
  await apply(teacher, seen.id)
  expect(await app.call(bulk.listOwnFactChanges, { as: teacher })).toMatchObject([
    { id: seen.id, kind: 'facts', changed: 2, undoneBy: null },
  ])

  expect(await undo(teacher, seen.id)).toMatchObject({ changed: 2 })
  expect(await rowOf(onSale)).toMatchObject({ paperKind: null, schoolYear: null })
  await expectCode(undo(teacher, seen.id), 'done_before')
})

test('some are picked; what changed since stays, also what went to review', async () => {
  const { teacher, paper, onSale, draft } = await aTeacherWithPapers()
  const later = await paper('Devoir de synthèse n°3')
  const whole = await preview(teacher)
  const seen = await preview(teacher, [onSale, later])
  expect(seen.rows.map(({ document }) => document.id)).toEqual([onSale, later])
  // A preview takes the place of the former one.
  await expectCode(apply(teacher, whole.id), 'bulk_change_not_found')
  await app.change('documents', later, { revision: 5, title: 'Devoir de synthèse n°2' })
  expect(await apply(teacher, seen.id)).toMatchObject({
    changed: 1,
    kept: [{ code: 'changed_since', count: 1 }],
  })
  expect(await rowOf(draft)).toMatchObject({ paperKind: null })
  await app.change('documents', draft, { state: 'submitted' })
  const { kept } = await preview(teacher, [draft])
  expect(kept).toEqual([{ code: 'under_review', count: 1 }])
})

test('a teacher reaches no document and no change of another, nor a preview that is too old', async () => {
  const { teacher, onSale } = await aTeacherWithPapers()
  const { teacher: other, onSale: others } = await aTeacherWithPapers()
  await expectCode(preview(teacher, [others]), 'no_documents')
  const both = await preview(teacher, [onSale, others])
  expect(both).toMatchObject({ chosen: 1, rows: [{ document: { id: onSale } }] })
  await expectCode(apply(other, both.id), 'bulk_change_not_found')
  await apply(teacher, both.id)
  await expectCode(undo(other, both.id), 'bulk_change_not_found')
  expect(await app.call(bulk.listOwnFactChanges, { as: other })).toEqual([])
  // An administrator sees it among the changes of all, and may undo it.
  const admin = await app.anOfficeAdministrator()
  const body = { reason: 'خطأ' }
  const undone = await app.call(bulk.undoBulkChange, { as: admin, params: { id: both.id }, body })
  expect(undone).toMatchObject({ changed: 1 })
  const old = await preview(teacher, [onSale])
  app.travel(BULK_PREVIEW_MS + 1)
  await expectCode(apply(teacher, old.id), 'preview_expired')
})
