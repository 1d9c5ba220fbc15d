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
import type { TestApp } from '../../support/app.ts'
import { today } from '../../support/dates.ts'
import { bothAtOnce, callByCommand } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

// Calls that change many documents, and the effects on one of them.

const preview = (
  app: TestApp,
  as: Person,
  chosen: bulk.ChosenDocuments,
  change: bulk.BulkChangeForm,
) => app.call(bulk.previewBulkChange, { as, body: { chosen, change } })
const apply = (app: TestApp, as: Person, id: number, reason = 'العودة المدرسية') =>
  app.call(bulk.applyBulkChange, { as, params: { id }, body: { reason } })
const undo = (app: TestApp, as: Person, id: number) =>
  app.call(bulk.undoBulkChange, { as, params: { id }, body: { reason: 'خطأ' } })
const shown = (app: TestApp, id: number) => app.call(getDocument, { params: { id } })
const rowOf = (app: TestApp, id: number) =>
  app.deps.database.kysely
    .selectFrom('documents')
    .select(['price', 'priceDiscount', 'finalPrice', 'state', 'isTakenDown', 'revision'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const discount = (app: TestApp, percent: number, days = 7): bulk.BulkChangeForm => ({
  kind: 'discount',
  percent,
  until: daysAfter(today(app), days),
})

const app = await sharedApp()
const named = { firstName: 'Nadia', lastName: 'Gharbi' }
const admin = await app.anOfficeAdministrator(named)
const other = await app.anOfficeAdministrator()

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

describe('the preview of a bulk change', () => {
  test('is previewed with prices, earnings and what stays unchanged, then applied and logged', async () => {
    const teacher = await app.anOfficeTeacher()
    const { teacherId } = teacher
    const dear = await app.aDocument({ teacherId, price: dinars(12.35) })
    const cheap = await app.aDocument({ teacherId, price: dinars(0.5) })
    const free = await app.aDocument({ teacherId, price: 0 })
    const away = await app.aDocument({ teacherId, isPublished: false })
    const chosen = { ids: [dear.id, cheap.id, free.id, away.id] }
    const seen = await preview(app, admin, chosen, { kind: 'percent', percent: -10 })
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
    expect(await rowOf(app, dear.id)).toMatchObject({ price: 12_350, revision: 0 })

    // Repeated, even concurrently, it is applied once.
    await Promise.all([apply(app, admin, seen.id), apply(app, admin, seen.id)])
    expect(await apply(app, admin, seen.id)).toMatchObject({
      state: 'done',
      changed: 1,
      by: 'Nadia Gharbi',
    })
    expect(await rowOf(app, dear.id)).toMatchObject({ price: 11_120, revision: 1 })
    expect(await shown(app, dear.id)).toMatchObject({ price: 11.12 })
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
    const { id } = await preview(app, admin, { ids }, { kind: 'price', price: 3 })
    await expect(apply(app, other, id)).rejects.toMatchObject(refused('bulk_change_not_found'))
    await expect(app.call(bulk.getBulkChange, { as: other, params: { id } })).rejects.toMatchObject(
      refused('bulk_change_not_found'),
    )
    await expect(undo(app, admin, id)).rejects.toMatchObject(refused('bulk_change_not_found'))
    app.travel(BULK_PREVIEW_MS + 1000)
    await expect(apply(app, admin, id)).rejects.toMatchObject(refused('preview_expired'))
    expect(await rowOf(app, documentId)).toMatchObject({ price: 10_000 })
    await expect(
      preview(app, admin, { ids: [2_000_000_000] }, { kind: 'price', price: 3 }),
    ).rejects.toMatchObject(refused('no_documents'))

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
    for (const [change, field] of wrong) {
      const answer = await app.request('POST', '/api/office/admin/bulk-changes', {
        as: admin,
        body: { chosen: { ids }, change },
      })
      expect(answer, JSON.stringify(change)).toMatchObject({ status: 400 })
      expect(Object.keys((answer.body as { fields: object }).fields), field).toEqual([field])
    }
    for (const chosen of [{}, { ids: [] }, { ids, filters: {} }, { ids: ['x'] }]) {
      const body = { chosen, change: { kind: 'full price' } }
      const answer = await app.request('POST', '/api/office/admin/bulk-changes', {
        as: admin,
        body,
      })
      expect(answer.status).toBe(400)
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
      fc.integer({ min: 1, max: 95 }).map((percent) => discount(app, percent)),
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
          const seen = await preview(app, admin, { ids }, change)
          const end = await apply(app, admin, seen.id)
          expect(end).toMatchObject({ changed: seen.changing, rows: seen.rows, kept: seen.kept })
          for (const { document, after } of seen.rows) {
            const row = await rowOf(app, document.id)
            expect({
              state: row.state,
              price: inDinars(row.price ?? 0),
              finalPrice: inDinars(row.finalPrice ?? 0),
            }).toEqual({ state: after.state, price: after.price, finalPrice: after.finalPrice })
          }
          for (const { document } of seen.keptRows) {
            const { price, state } = await rowOf(app, document.id)
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
    const change = { ...discount(app, 40, 10), from: daysAfter(today(app), 3) }
    await apply(app, admin, (await preview(app, admin, { ids: [document.id] }, change)).id)
    expect(await rowOf(app, document.id)).toMatchObject({ priceDiscount: 9_000 })
    const listed = await app.call(list.listAllDocuments, {
      as: admin,
      query: { discount: 'timed', teacher: document.teacherId },
    })
    expect(listed.content).toMatchObject([{ priceDiscount: 9, timed: { priceDiscount: 6 } }])

    await runDiscountsAfter(2 * DAY_MS)
    expect(await rowOf(app, document.id)).toMatchObject({ priceDiscount: 9_000 })
    app.published.length = 0
    await runDiscountsAfter(3 * DAY_MS)
    expect(await rowOf(app, document.id)).toMatchObject({ finalPrice: 6_000 })
    expect(app.published).toContain(`document:${document.id}`)
    app.published.length = 0
    await runDiscountsAfter(3 * DAY_MS)
    expect(app.published).toEqual([])

    await Promise.all([runDiscountsAfter(11 * DAY_MS), runDiscountsAfter(11 * DAY_MS)])
    expect(await rowOf(app, document.id)).toMatchObject({ finalPrice: 9_000 })
    expect(app.published).toContain(`document:${document.id}`)
  })

  test('is never charged after its end, even before the job has run', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const [bought, ordered, waiting] = await Promise.all(
      [1, 2, 3].map(() => app.aDocument({ price: dinars(20) })),
    )
    const ids = [bought, ordered, waiting].map((document) => document?.id ?? 0)
    const [boughtId = 0, orderedId = 0, waitingId = 0] = ids
    await apply(app, admin, (await preview(app, admin, { ids }, discount(app, 50))).id)
    const order = (id: number) =>
      app.call(createOrder, {
        as: buyer,
        key: `order ${id}`,
        body: { userId: buyer.id, orderDocs: [{ documentId: id }] },
      })
    const total = async (id: number) =>
      (
        await app.deps.database.kysely
          .selectFrom('orders')
          .select('total')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).total
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
    expect(await rowOf(app, boughtId)).toMatchObject({ finalPrice: 20_000 })
  })

  test('gives way to a discount that somebody sets, and is dropped when the price falls below it', async () => {
    const set = await app.aDocument({ price: dinars(10) })
    const fell = await app.aDocument({ price: dinars(10) })
    await apply(app, admin, (await preview(app, admin, { ids: [set.id] }, discount(app, 20))).id)
    const save = async ({ id, teacherId }: typeof set, ...typed: string[]) => {
      const { document } = await callByCommand(
        app,
        'getOwnDocument',
        `id=${id}`,
        `--teacher=${teacherId}`,
      )
      const { revision, title, price, description, matiere, classe, categorie, type } = document
      const names = { matiereId: matiere.id, niveauId: classe.id, categoryId: categorie.id, type }
      const fields = { revision, title, description, price, priceDiscount: null, ...names }
      const whole = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      await callByCommand(
        app,
        'saveOwnDocument',
        `id=${id}`,
        ...whole,
        ...typed,
        `--teacher=${teacherId}`,
      )
    }
    await save(set, 'priceDiscount=7')
    const change = { ...discount(app, 20), from: daysAfter(today(app), 1) }
    await apply(app, admin, (await preview(app, admin, { ids: [fell.id] }, change)).id)
    await save(fell, 'price=6')
    await runDiscountsAfter(30 * DAY_MS)
    expect(await rowOf(app, set.id)).toMatchObject({ priceDiscount: 7_000 })
    expect(await rowOf(app, fell.id)).toMatchObject({ price: 6_000, priceDiscount: null })
    const { rows } = await app.deps.database.pool.query('SELECT * FROM timed_discounts')
    expect(rows).toEqual([])
  })
})
