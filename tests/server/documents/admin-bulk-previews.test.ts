import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as bulk from '../../../src/contract/office-bulk-changes.ts'
import { getOwnDocument } from '../../../src/contract/office-documents.ts'
import { BULK_PREVIEW_MS } from '../../../src/rules/bulk-change.ts'
import { dinars, inDinars } from '../../../src/rules/money.ts'
import { daysAfter } from '../../../src/rules/tunisia-time.ts'
import { apply, discount, preview, rowOf, shown, undo } from '../../support/admin/bulk-changes.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { today } from '../../support/dates.ts'
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
