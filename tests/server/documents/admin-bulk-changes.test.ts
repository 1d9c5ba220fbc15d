import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addToCart, getCart } from '../../../src/contract/carts.ts'
import { getDocument } from '../../../src/contract/catalogue.ts'
import * as list from '../../../src/contract/office-all-documents.ts'
import * as bulk from '../../../src/contract/office-bulk-changes.ts'
import { getOwnDocument } from '../../../src/contract/office-documents.ts'
import { createOrder } from '../../../src/contract/orders.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { BULK_CHANGE_MAX, BULK_PREVIEW_MS } from '../../../src/rules/bulk-change.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars, inDinars } from '../../../src/rules/money.ts'
import { daysAfter } from '../../../src/rules/tunisia-time.ts'
import { resumeBulkChanges, turnDiscounts } from '../../../src/server/documents/documents.ts'
import { today } from '../../support/dates.ts'
import { bothAtOnce } from '../../support/operator.ts'
import { save as saveOwn, textOfDocument } from '../../support/own-documents.ts'
import type { Person } from '../../support/people.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

// Calls that change many documents, and the effects on one of them.

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
const other = await app.anOfficeAdministrator()

const preview = (as: Person, chosen: bulk.ChosenDocuments, change: bulk.BulkChangeForm) =>
  app.call(bulk.previewBulkChange, { as, body: { chosen, change } })
const apply = (as: Person, id: number, reason = 'العودة المدرسية') =>
  app.call(bulk.applyBulkChange, { as, params: { id }, body: { reason } })
const undo = (as: Person, id: number) =>
  app.call(bulk.undoBulkChange, { as, params: { id }, body: { reason: 'خطأ' } })
/** Previews and applies a change; returns its number. */
async function applied(ids: number[], change: bulk.BulkChangeForm): Promise<number> {
  const { id } = await preview(admin, { ids }, change)
  await apply(admin, id)
  return id
}
const shown = (id: number) => app.call(getDocument, { params: { id } })
const rowOf = (id: number) => app.row('documents', id)
const discount = (percent: number, days = 7): bulk.BulkChangeForm => ({
  kind: 'discount',
  percent,
  until: daysAfter(today(app), days),
})

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
    const found = async (query: list.OfficeDocumentFilters & { sort?: list.AllDocumentSort }) =>
      (await app.call(list.listAllDocuments, { as: admin, query })).content.map(({ id }) => id)
    expect(await found({ teacher, sort: 'price' })).toEqual([low, middle, high])
    expect(await found({ q: 'ماجري خديجه', sort: '-price' })).toEqual([high, middle, low])
    expect(await found({ subject, minPrice: 4, maxPrice: 8 })).toEqual([middle])
    expect(await found({ teacher, state: 'draft' })).toEqual([])
    const choices = await app.call(list.getDocumentChoices, { as: admin })
    expect(choices.teachers).toContainEqual({
      id: teacher,
      name: 'خديجة الماجري',
      names: { ar: 'خديجة الماجري', fr: 'خديجة الماجري', en: 'خديجة الماجري' },
    })
    // For an office in any language.
    const names = { ar: 'رسم', fr: 'Dessin', en: 'Drawing' }
    await app.change('matieres', subject, { names: JSON.stringify(names) })
    const { content } = await app.call(list.listAllDocuments, { as: admin, query: { teacher } })
    expect(content[0]?.subjectNames).toEqual(names)
    const { subjects } = await app.call(list.getDocumentChoices, { as: admin })
    expect(subjects.find(({ id }) => id === subject)?.names).toEqual(names)

    const seen = await preview(admin, { filters: { teacher } }, { kind: 'price', price: 5 })
    expect(seen).toMatchObject({ chosen: 3, changing: 3 })
    await apply(admin, seen.id)
    expect(await found({ teacher, minPrice: 5, maxPrice: 5.01 })).toHaveLength(3)

    const { teacherId } = await app.aDocument()
    await app.deps.database.pool.query(
      `INSERT INTO documents (teacher_id, title) SELECT $1, 'x' FROM generate_series(1, $2)`,
      [teacherId, BULK_CHANGE_MAX],
    )
    const filters = { teacher: teacherId }
    const tooMany = preview(admin, { filters }, { kind: 'full price' })
    await expectCode(tooMany, 'too_many_documents')
  })

  test('skips what has changed since the preview, and says so', async () => {
    const one = await app.aDocument({ price: dinars(10) })
    const two = await app.aDocument({ price: dinars(10) })
    const ids = [one.id, two.id]
    const [first, second] = await Promise.all([
      preview(admin, { ids }, { kind: 'percent', percent: 50 }),
      preview(other, { ids }, { kind: 'percent', percent: 10 }),
    ])
    // The second administrator previewed prices that are outdated now.
    await apply(admin, first.id)
    expect(await apply(other, second.id)).toMatchObject({
      state: 'done',
      changing: 0,
      changed: 0,
      kept: [{ code: 'changed_since', count: 2 }],
    })
    expect(await rowOf(one.id)).toMatchObject({ price: 15_000 })
    // Concurrently: each document is changed by one of them.
    const previews = new Map<Person, number>()
    for (const [as, price] of [[admin, 3] as const, [other, 4] as const]) {
      previews.set(as, (await preview(as, { ids }, { kind: 'price', price })).id)
    }
    const { done } = await bothAtOnce([admin, other], (as) => apply(as, previews.get(as) ?? 0))
    expect(done).toBe(2)
    const views = await Promise.all(
      [...previews].map(([as, id]) => app.call(bulk.getBulkChange, { as, params: { id } })),
    )
    expect(views.reduce((sum, { changed }) => sum + changed, 0)).toBe(2)
    expect(await rowOf(one.id)).toMatchObject({ revision: 2 })
  })

  test('resumes where a stopped shop had left it', async () => {
    const documents = await Promise.all([1, 2, 3].map(() => app.aDocument({ price: dinars(9) })))
    const ids = documents.map(({ id }) => id)
    const { id } = await preview(admin, { ids }, { kind: 'price', price: 6 })
    await app.change('bulkChanges', id, { state: 'running', appliedAt: new Date(), reason: 'x' })
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
    const id = await applied(ids, discount(50))
    expect(await rowOf(kept.id)).toMatchObject({ priceDiscount: 5_000 })
    await applied([edited.id], { kind: 'price', price: 20 })

    const { done, refusals } = await bothAtOnce([admin, other], (as) => undo(as, id))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([{ code: 'done_before' }])
    expect(await rowOf(kept.id)).toMatchObject({ price: 10_000, priceDiscount: 8_000 })
    expect(await rowOf(edited.id)).toMatchObject({ price: 20_000, priceDiscount: 5_000 })
    const [newest] = await app.call(bulk.listBulkChanges, { as: admin })
    expect(newest).toMatchObject({ undoes: id, changed: 1, isDone: true })
    await expectCode(undo(admin, newest?.id ?? 0), 'bulk_change_not_done')
    expect((await logOf(app, `bulk change ${id}`)).map(({ action }) => action)).toEqual([
      'change documents',
      'undo change of documents',
    ])
  })

  test('takes documents down and publishes those again that are complete', async () => {
    const teacher = await app.anOfficeTeacher()
    const document = await app.aDocument({ teacherId: teacher.teacherId })
    const ids = [document.id]
    const { id } = await preview(admin, { ids }, { kind: 'unpublish' })
    await apply(admin, id, 'نسخة مسروقة')
    expect(await rowOf(document.id)).toMatchObject({ state: 'unpublished', isTakenDown: true })
    await expectRefused(shown(document.id), 404)
    const { history } = await app.call(getOwnDocument, { as: teacher, params: { id: document.id } })
    expect(history[0]).toMatchObject({ action: 'unpublish', reason: 'نسخة مسروقة' })
    expect(await preview(admin, { ids }, { kind: 'unpublish' })).toMatchObject({
      kept: [{ code: 'not_published', count: 1 }],
    })
    await applied(ids, { kind: 'publish' })
    expect(await rowOf(document.id)).toMatchObject({ state: 'published', isTakenDown: false })
  })
})

test('facts that titles state are added where they are missing, found by a filter, and taken back', async () => {
  const teacher = await app.anOfficeTeacher()
  const categoryId = await app.aCategory('فروض وامتحانات')
  await app.change('categories', categoryId, { code: 'exams' })
  const paper = (title: string, isPublished = true) =>
    app.aDocument({ teacherId: teacher.teacherId, categoryId, title, isPublished })
  const first = await paper('Devoir de contrôle n°1 - 2023/2024')
  const draft = await paper('فرض تأليفي عدد 2', false)
  const silent = await paper('Le Petit Prince')
  const lesson = await app.aDocument({
    teacherId: teacher.teacherId,
    categoryId: await app.aCategory('دروس'),
    title: 'Devoir de contrôle n°1',
  })
  const written = await paper('Devoir de synthèse n°3')
  await app.change('documents', written.id, { paperKind: 'mock', paperNumber: '7' })
  const filters = { teacher: teacher.teacherId, facts: 'missing' as const }
  const query = { ...filters, sort: 'price' as const }
  const missing = await app.call(list.listAllDocuments, { as: admin, query })
  expect(missing.content.map(({ id }) => id)).toEqual([first.id, draft.id, silent.id])

  const ids = [first, draft, silent, lesson, written].map(({ id }) => id)
  const seen = await preview(admin, { ids }, { kind: 'facts' })
  expect(seen).toMatchObject({ changing: 3, price: null })
  expect(seen.rows.map(({ document, facts }) => [document.id, facts])).toMatchObject([
    [first.id, { paperKind: 'control', paperNumber: '1', schoolYear: 2023, school: null }],
    [draft.id, { paperKind: 'synthesis', paperNumber: '2', trimester: 't2' }],
    // What is written stays, and is not shown as a change.
    [written.id, { paperKind: null, paperNumber: null, trimester: 't3' }],
  ])
  expect(seen.kept).toEqual([{ code: 'nothing_stated', count: 2 }])
  expect(await apply(admin, seen.id)).toMatchObject({ changed: 3 })
  expect(await shown(first.id)).toMatchObject({ paperKind: 'control', paperNumber: '1', price: 5 })
  expect(await rowOf(written.id)).toMatchObject({
    paperKind: 'mock',
    paperNumber: '7',
    trimester: 't3',
  })
  expect(await rowOf(lesson.id)).toMatchObject({ paperKind: null, revision: 0 })
  expect(await logOf(app, `document ${first.id}`)).toMatchObject([{ action: 'document: change' }])
  const { history } = await app.call(getOwnDocument, { as: teacher, params: { id: first.id } })
  expect(history.map(({ action }) => action)).not.toContain('change discount')

  await app.change('documents', draft.id, { school: 'Lycée Carnot', revision: 9 })
  expect(await undo(admin, seen.id)).toMatchObject({
    changed: 2,
    kept: [{ code: 'changed_since', count: 1 }],
  })
  expect(await rowOf(first.id)).toMatchObject({ paperKind: null, schoolYear: null })
  expect(await rowOf(draft.id)).toMatchObject({ paperKind: 'synthesis', school: 'Lycée Carnot' })
  expect(await rowOf(written.id)).toMatchObject({ paperKind: 'mock', trimester: null })
})

test('facts of a document in review stay as they are', async () => {
  const { id } = await app.aDocument({ title: 'Devoir de contrôle n°1', isPublished: false })
  await app.change('documents', id, { state: 'submitted' })
  const seen = await preview(admin, { ids: [id] }, { kind: 'facts' })
  expect(seen.kept).toEqual([{ code: 'under_review', count: 1 }])
})

describe('the preview of a bulk change', () => {
  test('is previewed with prices, earnings and what stays unchanged, then applied and logged', async () => {
    const teacher = await app.anOfficeTeacher()
    const { teacherId } = teacher
    const dear = await app.aDocument({ teacherId, price: dinars(12.35) })
    const cheap = await app.aDocument({ teacherId, price: dinars(0.5) })
    const free = await app.aDocument({ teacherId, price: 0 })
    const away = await app.aDocument({ teacherId, isPublished: false })
    const chosen = { ids: [dear.id, cheap.id, free.id, away.id] }
    const seen = await preview(admin, chosen, { kind: 'percent', percent: -10 })
    expect(seen).toMatchObject({
      state: 'previewed',
      chosen: 4,
      changing: 1,
      changed: 0,
      rows: [
        {
          document: { id: dear.id },
          before: { price: 12.35, finalPrice: 12.35, earns: 8.64 },
          // Rounded to a hundredth, halves up: 11.115.
          after: { price: 11.12, finalPrice: 11.12, earns: 7.78 },
        },
      ],
    })
    expect(new Map(seen.keptRows.map(({ document, code }) => [document.id, code]))).toEqual(
      new Map([
        [cheap.id, 'price_min'],
        [free.id, 'unchanged'],
        [away.id, 'not_published'],
      ]),
    )
    expect(await rowOf(dear.id)).toMatchObject({ price: 12_350, revision: 0 })

    // Repeated, even concurrently, it is applied once.
    await Promise.all([apply(admin, seen.id), apply(admin, seen.id)])
    expect(await apply(admin, seen.id)).toMatchObject({
      state: 'done',
      changed: 1,
      by: 'Nadia Gharbi',
    })
    expect(await rowOf(dear.id)).toMatchObject({ price: 11_120, revision: 1 })
    expect(await shown(dear.id)).toMatchObject({ price: 11.12 })
    expect(app.published).toContain(`document:${dear.id}`)
    const actor = `user ${admin.id}`
    const reason = 'العودة المدرسية'
    expect(await logOf(app, `bulk change ${seen.id}`)).toEqual([
      { actor, action: 'change documents', reason },
    ])
    expect(await logOf(app, `document ${dear.id}`)).toEqual([
      { actor, action: 'document: change price', reason },
    ])
    expect(await logOf(app, `document ${cheap.id}`)).toEqual([])

    // Its teacher reads the outcome and the reason, but not which administrator it was.
    const { history } = await app.call(getOwnDocument, { as: teacher, params: { id: dear.id } })
    expect(history[0]).toMatchObject({
      action: 'change price',
      by: 'shop',
      reason,
      amounts: { before: 12.35, after: 11.12, from: null, until: null },
    })
    expect(JSON.stringify(history)).not.toContain('Nadia')
  })

  test('belongs to its creator for an hour; invalid input is reported by field', async () => {
    const { id: documentId } = await app.aDocument({ price: dinars(10) })
    const ids = [documentId]
    const { id } = await preview(admin, { ids }, { kind: 'price', price: 3 })
    await expectCode(apply(other, id), 'bulk_change_not_found')
    await expectCode(
      app.call(bulk.getBulkChange, { as: other, params: { id } }),
      'bulk_change_not_found',
    )
    await expectCode(undo(admin, id), 'bulk_change_not_found')
    app.travel(BULK_PREVIEW_MS + 1000)
    await expectCode(apply(admin, id), 'preview_expired')
    expect(await rowOf(documentId)).toMatchObject({ price: 10_000 })
    await expectCode(
      preview(admin, { ids: [2_000_000_000] }, { kind: 'price', price: 3 }),
      'no_documents',
    )

    const wrong: [object, string][] = [
      [{ kind: 'price' }, 'price'],
      [{ kind: 'price', price: 0.49 }, 'price'],
      [{ kind: 'price', price: 500.01 }, 'price'],
      [{ kind: 'price', price: 1.005 }, 'change.price'],
      [{ kind: 'percent', percent: 0 }, 'percent'],
      [{ kind: 'percent', percent: -91 }, 'percent'],
      [{ kind: 'discount', percent: 10 }, 'until'],
      [{ kind: 'discount', percent: 0, until: today(app) }, 'percent'],
      [{ kind: 'discount', percent: 96, until: today(app) }, 'percent'],
      [{ kind: 'discount', percent: 10, until: daysAfter(today(app), -1) }, 'until'],
      [{ kind: 'discount', percent: 10, until: daysAfter(today(app), 400) }, 'until'],
      [{ kind: 'discount', percent: 10, until: '2026-02-31' }, 'change.until'],
      [{ kind: 'free' }, 'change.kind'],
    ]
    const refusedFields = async (chosen: unknown, change: unknown) => {
      const body = { chosen, change }
      const answer = await app.request('POST', '/api/office/admin/bulk-changes', {
        as: admin,
        body,
      })
      expect(answer.status, JSON.stringify(body)).toBe(400)
      return Object.keys((answer.body as { fields: object }).fields)
    }
    for (const [change, field] of wrong) {
      expect(await refusedFields({ ids }, change)).toEqual([field])
    }
    for (const chosen of [{}, { ids: [] }, { ids, filters: {} }, { ids: ['x'] }]) {
      await refusedFields(chosen, { kind: 'full price' })
    }
  })

  test('does exactly what its preview said', { timeout: 60_000 }, async () => {
    const form = fc.oneof(
      fc.record({
        kind: fc.constant('price' as const),
        price: fc.integer({ min: 50, max: 2000 }).map((n) => n / 100),
      }),
      fc.record({
        kind: fc.constant('percent' as const),
        percent: fc.integer({ min: -90, max: 300 }).filter((n) => n !== 0),
      }),
      fc.integer({ min: 1, max: 95 }).map((percent) => discount(percent)),
      fc.constantFrom(
        { kind: 'full price' } as const,
        { kind: 'unpublish' } as const,
        { kind: 'publish' } as const,
      ),
    )
    const documents = await Promise.all(
      [0, 0.5, 7.77, 499.99].map((price, at) =>
        app.aDocument({ price: dinars(price), isPublished: at !== 2 }),
      ),
    )
    const ids = documents.map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(fc.array(form, { minLength: 1, maxLength: 4 }), async (forms) => {
        for (const change of forms) {
          const seen = await preview(admin, { ids }, change)
          const end = await apply(admin, seen.id)
          expect(end).toMatchObject({ changed: seen.changing, rows: seen.rows, kept: seen.kept })
          for (const { document, after } of seen.rows) {
            const row = await rowOf(document.id)
            expect({
              state: row.state,
              price: inDinars(row.price ?? 0),
              finalPrice: inDinars(row.finalPrice ?? 0),
            }).toEqual({ state: after.state, price: after.price, finalPrice: after.finalPrice })
          }
          for (const { document } of seen.keptRows) {
            const { price, state } = await rowOf(document.id)
            // A published document keeps a valid price.
            if (state === 'published') expect(price === 0 || (price ?? 0) >= 500).toBe(true)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})

/** Runs the scheduled job as if this much time had passed (ms). */
const runDiscountsAfter = (passed: number) =>
  turnDiscounts({ ...app.deps, now: () => app.deps.now() + passed })

describe('a scheduled discount', () => {
  test('starts and ends on time, updates its pages, and restores what was before', async () => {
    const document = await app.aDocument({ price: dinars(10), priceDiscount: dinars(9) })
    const change = { ...discount(40, 10), from: daysAfter(today(app), 3) }
    await applied([document.id], change)
    expect(await rowOf(document.id)).toMatchObject({ priceDiscount: 9_000 })
    const listed = await app.call(list.listAllDocuments, {
      as: admin,
      query: { discount: 'timed', teacher: document.teacherId },
    })
    expect(listed.content).toMatchObject([{ priceDiscount: 9, timed: { priceDiscount: 6 } }])

    await runDiscountsAfter(2 * DAY_MS)
    expect(await rowOf(document.id)).toMatchObject({ priceDiscount: 9_000 })
    app.published.length = 0
    await runDiscountsAfter(3 * DAY_MS)
    expect(await rowOf(document.id)).toMatchObject({ finalPrice: 6_000 })
    expect(app.published).toContain(`document:${document.id}`)
    app.published.length = 0
    await runDiscountsAfter(3 * DAY_MS)
    expect(app.published).toEqual([])

    await Promise.all([runDiscountsAfter(11 * DAY_MS), runDiscountsAfter(11 * DAY_MS)])
    expect(await rowOf(document.id)).toMatchObject({ finalPrice: 9_000 })
    expect(app.published).toContain(`document:${document.id}`)
  })

  test('is never charged after its end, even before the job has run', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const [bought, ordered, waiting] = await Promise.all(
      [1, 2, 3].map(() => app.aDocument({ price: dinars(20) })),
    )
    const ids = [bought, ordered, waiting].map((document) => document?.id ?? 0)
    const [boughtId = 0, orderedId = 0, waitingId = 0] = ids
    await applied(ids, discount(50))
    const order = (id: number) =>
      app.call(createOrder, {
        as: buyer,
        key: `order ${id}`,
        body: { userId: buyer.id, orderDocs: [{ documentId: id }] },
      })
    const total = async (id: number) => {
      const ofOrder = app.kysely.selectFrom('orders').select('total').where('id', '=', id)
      return (await ofOrder.executeTakeFirstOrThrow()).total
    }
    const earlier = await order(waitingId)
    await app.call(addToCart, { as: buyer, query: { userId: buyer.id, documentId: boughtId } })

    await app.deps.database.pool.query(
      `UPDATE timed_discounts SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 second'
       WHERE document_id = ANY ($1)`,
      [ids],
    )
    const cart = await app.call(getCart, { as: buyer, params: { userId: buyer.id } })
    expect(cart).toMatchObject([{ document: { price: 20, priceDiscount: null } }])
    const body = { userId: buyer.id, documentIds: [boughtId] }
    await app.call(payFromWallet, { as: buyer, key: 'late', body })
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    expect(await total((await order(orderedId)).id)).toBe(dinars(20))
    // Earlier orders keep the price of their time.
    expect(await total(earlier.id)).toBe(dinars(10))
    await turnDiscounts(app.deps)
    expect(await rowOf(boughtId)).toMatchObject({ finalPrice: 20_000 })
  })

  test('gives way to a discount that somebody sets, and is dropped when the price falls below it', async () => {
    const teacher = await app.anOfficeTeacher()
    const [set, fell] = [0, 1].map(() =>
      app.aDocument({ price: dinars(10), teacherId: teacher.teacherId }),
    )
    const [setId = 0, fellId = 0] = (await Promise.all([set, fell])).map((made) => made?.id ?? 0)
    const save = async (id: number, prices: object) => {
      const { document } = await app.call(getOwnDocument, { as: teacher, params: { id } })
      const { title, price, matiere, classe, categorie } = document
      const names = { matiereId: matiere?.id, niveauId: classe?.id, categoryId: categorie?.id }
      const text = textOfDocument(names as Parameters<typeof textOfDocument>[0], title, {
        price,
        ...prices,
      })
      await saveOwn(app, teacher, document, text)
    }
    await applied([setId], discount(20))
    await save(setId, { priceDiscount: 7 })
    await applied([fellId], { ...discount(20), from: daysAfter(today(app), 1) })
    await save(fellId, { price: 6 })
    await runDiscountsAfter(30 * DAY_MS)
    expect(await rowOf(setId)).toMatchObject({ priceDiscount: 7_000 })
    expect(await rowOf(fellId)).toMatchObject({ price: 6_000, priceDiscount: null })
    const { rows } = await app.deps.database.pool.query('SELECT * FROM timed_discounts')
    expect(rows).toEqual([])
  })
})
