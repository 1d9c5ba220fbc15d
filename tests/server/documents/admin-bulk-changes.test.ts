import { beforeAll, describe, expect, test } from 'vitest'
import * as list from '../../../src/contract/office-all-documents.ts'
import * as bulk from '../../../src/contract/office-bulk-changes.ts'
import { getOwnDocument } from '../../../src/contract/office-documents.ts'
import { BULK_CHANGE_MAX } from '../../../src/rules/bulk-change.ts'
import { dinars } from '../../../src/rules/money.ts'
import { resumeBulkChanges } from '../../../src/server/documents/documents.ts'
import { apply, discount, preview, rowOf, shown, undo } from '../../support/admin/bulk-changes.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { bothAtOnce, callByCommand } from '../../support/operator.ts'
import { type Person, withOfficeToken } from '../../support/people.ts'
import { logOf } from '../../support/staff-log.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await testApp()
  const named = { firstName: 'Nadia', lastName: 'Gharbi' }
  admin = await withOfficeToken(app.deps, await app.anAdministrator(named))
  other = await withOfficeToken(app.deps, await app.anAdministrator())
  return app.stop
})

const refused = (code: string) => ({ code })

describe('a bulk change of documents', () => {
  test('applies to all that match the filters, up to its limit, and finds them in any state', async () => {
    const { id: teacher } = await app.aTeacher({ firstName: 'خديجة', lastName: 'الماجري' })
    const subject = await app.aMatiere('Histoire')
    const documents = []
    for (const price of [2, 4, 8]) {
      documents.push(
        await app.aDocument({ teacherId: teacher, matiereId: subject, price: dinars(price) }),
      )
    }
    const [low, middle, high] = documents.map(({ id }) => id)
    const found = async (query: list.DocumentFilters & { sort?: list.AllDocumentSort }) =>
      (await app.call(list.listAllDocuments, { as: admin, query })).content.map(({ id }) => id)
    expect(await found({ teacher, sort: 'price' })).toEqual([low, middle, high])
    expect(await found({ q: 'ماجري خديجه', sort: '-price' })).toEqual([high, middle, low])
    expect(await found({ subject, minPrice: 4, maxPrice: 8 })).toEqual([middle])
    expect(await found({ teacher, state: 'draft' })).toEqual([])
    const choices = await app.call(list.getDocumentChoices, { as: admin })
    expect(choices.teachers).toContainEqual({ id: teacher, name: 'خديجة الماجري' })

    const seen = await preview(app, admin, { filters: { teacher } }, { kind: 'price', price: 5 })
    expect(seen).toMatchObject({ chosen: 3, changing: 3 })
    await apply(app, admin, seen.id)
    expect(await found({ teacher, minPrice: 5, maxPrice: 5.01 })).toHaveLength(3)

    const { teacherId } = await app.aDocument()
    await app.deps.database.pool.query(
      `INSERT INTO documents (teacher_id, title) SELECT $1, 'x' FROM generate_series(1, $2)`,
      [teacherId, BULK_CHANGE_MAX],
    )
    const filters = { teacher: teacherId }
    const tooMany = preview(app, admin, { filters }, { kind: 'full price' })
    await expect(tooMany).rejects.toMatchObject(refused('too_many_documents'))
  })

  test('skips what has changed since the preview, and says so', async () => {
    const one = await app.aDocument({ price: dinars(10) })
    const two = await app.aDocument({ price: dinars(10) })
    const ids = [one.id, two.id]
    const [first, second] = await Promise.all([
      preview(app, admin, { ids }, { kind: 'percent', percent: 50 }),
      preview(app, other, { ids }, { kind: 'percent', percent: 10 }),
    ])
    // The second administrator previewed prices that are outdated now.
    await apply(app, admin, first.id)
    expect(await apply(app, other, second.id)).toMatchObject({
      state: 'done',
      changing: 0,
      changed: 0,
      kept: [{ code: 'changed_since', count: 2 }],
    })
    expect(await rowOf(app, one.id)).toMatchObject({ price: 15_000 })
    // Concurrently: each document is changed by one of them.
    const previews = new Map<Person, number>()
    for (const [as, price] of [[admin, 3] as const, [other, 4] as const]) {
      previews.set(as, (await preview(app, as, { ids }, { kind: 'price', price })).id)
    }
    const { done } = await bothAtOnce([admin, other], (as) => apply(app, as, previews.get(as) ?? 0))
    expect(done).toBe(2)
    const views = await Promise.all(
      [...previews].map(([as, id]) => app.call(bulk.getBulkChange, { as, params: { id } })),
    )
    expect(views.reduce((sum, { changed }) => sum + changed, 0)).toBe(2)
    expect(await rowOf(app, one.id)).toMatchObject({ revision: 2 })
  })

  test('resumes where a stopped shop had left it', async () => {
    const documents = await Promise.all([1, 2, 3].map(() => app.aDocument({ price: dinars(9) })))
    const ids = documents.map(({ id }) => id)
    const { id } = await preview(app, admin, { ids }, { kind: 'price', price: 6 })
    await app.deps.database.kysely
      .updateTable('bulkChanges')
      .set({ state: 'running', appliedAt: new Date(), reason: 'x' })
      .where('id', '=', id)
      .execute()
    await resumeBulkChanges(app.deps)
    expect(await app.call(bulk.getBulkChange, { as: other, params: { id } })).toMatchObject({
      state: 'done',
      changed: 3,
    })
  })

  test('is undone once, where nothing else has changed the document since', async () => {
    const { teacherId } = await app.aDocument()
    const kept = await app.aDocument({ teacherId, price: dinars(10), priceDiscount: dinars(8) })
    const edited = await app.aDocument({ teacherId, price: dinars(10) })
    const ids = [kept.id, edited.id]
    const { id } = await preview(app, admin, { ids }, discount(app, 50))
    await apply(app, admin, id)
    expect(await rowOf(app, kept.id)).toMatchObject({ priceDiscount: 5_000 })
    const later = await preview(app, admin, { ids: [edited.id] }, { kind: 'price', price: 20 })
    await apply(app, admin, later.id)

    const { done, refusals } = await bothAtOnce([admin, other], (as) => undo(app, as, id))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([{ code: 'done_before' }])
    expect(await rowOf(app, kept.id)).toMatchObject({ price: 10_000, priceDiscount: 8_000 })
    expect(await rowOf(app, edited.id)).toMatchObject({ price: 20_000, priceDiscount: 5_000 })
    const [newest] = await app.call(bulk.listBulkChanges, { as: admin })
    expect(newest).toMatchObject({ undoes: id, changed: 1, isDone: true })
    await expect(undo(app, admin, newest?.id ?? 0)).rejects.toMatchObject(
      refused('bulk_change_not_done'),
    )
    expect((await logOf(app, `bulk change ${id}`)).map(({ action }) => action)).toEqual([
      'change documents',
      'undo change of documents',
    ])
  })

  test('takes documents down and publishes those again that are complete', async () => {
    const teacher = await app.anOfficeTeacher()
    const document = await app.aDocument({ teacherId: teacher.teacherId })
    const ids = [document.id]
    const { id } = await preview(app, admin, { ids }, { kind: 'unpublish' })
    await apply(app, admin, id, 'نسخة مسروقة')
    expect(await rowOf(app, document.id)).toMatchObject({ state: 'unpublished', isTakenDown: true })
    await expect(shown(app, document.id)).rejects.toMatchObject({ status: 404 })
    const { history } = await app.call(getOwnDocument, { as: teacher, params: { id: document.id } })
    expect(history[0]).toMatchObject({ action: 'unpublish', reason: 'نسخة مسروقة' })
    expect(await preview(app, admin, { ids }, { kind: 'unpublish' })).toMatchObject({
      kept: [{ code: 'not_published', count: 1 }],
    })
    await apply(app, admin, (await preview(app, admin, { ids }, { kind: 'publish' })).id)
    expect(await rowOf(app, document.id)).toMatchObject({ state: 'published', isTakenDown: false })
  })
})

test('the command line previews, applies and undoes by the same functions', async () => {
  const document = await app.aDocument({ price: dinars(10) })
  const chosen = [`chosen.ids=${document.id}`, 'change.kind=percent', 'change.percent=20']
  const { id, changing } = await callByCommand(app, 'previewBulkChange', ...chosen)
  expect(changing).toBe(1)
  expect(await rowOf(app, document.id)).toMatchObject({ price: 10_000 })
  await callByCommand(app, 'applyBulkChange', `id=${id}`, 'reason=Rentrée')
  expect(await rowOf(app, document.id)).toMatchObject({ price: 12_000 })
  await callByCommand(app, 'undoBulkChange', `id=${id}`, 'reason=Erreur')
  expect(await rowOf(app, document.id)).toMatchObject({ price: 10_000 })
  const [last] = await callByCommand(app, 'listBulkChanges')
  expect(last).toMatchObject({ undoes: id, by: 'command line' })
})
