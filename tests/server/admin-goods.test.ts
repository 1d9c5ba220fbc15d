import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { addToCart, getCart } from '../../src/contract/carts.ts'
import { getDocument } from '../../src/contract/catalogue.ts'
import * as list from '../../src/contract/office-all-documents.ts'
import * as moderation from '../../src/contract/office-all-ratings.ts'
import * as bulk from '../../src/contract/office-bulk-changes.ts'
import { getOwnDocument } from '../../src/contract/office-documents.ts'
import { createOrder } from '../../src/contract/orders.ts'
import * as ratings from '../../src/contract/ratings.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { BULK_CHANGE_MAX, BULK_PREVIEW_MS } from '../../src/rules/bulk-change.ts'
import { DAY_MS } from '../../src/rules/durations.ts'
import { dinars, inDinars } from '../../src/rules/money.ts'
import { daysAfter, tunisianDay } from '../../src/rules/tunisia-time.ts'
import { resumeBulkChanges, turnDiscounts } from '../../src/server/documents/documents.ts'
import { checkRatings } from '../../src/server/ratings/ratings.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { bothAtOnce, runCommand } from '../support/operator.ts'
import { inOffice, type Person } from '../support/people.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await testApp()
  const named = { firstName: 'Nadia', lastName: 'Gharbi' }
  admin = await inOffice(app.deps, await app.anAdministrator(named))
  other = await inOffice(app.deps, await app.anAdministrator())
  return app.stop
})

const refused = (code: string) => ({ code })
const today = () => tunisianDay(new Date(app.deps.now()))
const preview = (chosen: bulk.ChosenDocuments, change: bulk.BulkChangeForm, as = admin) =>
  app.call(bulk.previewBulkChange, { as, body: { chosen, change } })
const apply = (id: number, as = admin, reason = 'العودة المدرسية') =>
  app.call(bulk.applyBulkChange, { as, params: { id }, body: { reason } })
const undo = (id: number, as = admin) =>
  app.call(bulk.undoBulkChange, { as, params: { id }, body: { reason: 'خطأ' } })
const shown = (id: number) => app.call(getDocument, { params: { id } })
const rowOf = (id: number) =>
  app.deps.database.kysely
    .selectFrom('documents')
    .select(['price', 'priceDiscount', 'finalPrice', 'state', 'isTakenDown', 'revision'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const logged = (subject: string) =>
  app.deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', 'reason'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()
const discount = (percent: number, days = 7): bulk.BulkChangeForm => ({
  kind: 'discount',
  percent,
  until: daysAfter(today(), days),
})

/** What the clock does when so long has passed (ms). */
const turnAfter = (passed: number) =>
  turnDiscounts({ ...app.deps, now: () => app.deps.now() + passed })

/** The same call by two administrators at the same moment. */
const byTwo = (call: (as: Person) => Promise<unknown>) => bothAtOnce([admin, other], call)

const commandLine = (...typed: string[]) => runCommand(app, ...typed)

describe('a change of many documents', () => {
  test('is previewed with prices, earnings and what stays as it is, and then done and logged', async () => {
    const teacher = await app.anOfficeTeacher()
    const { teacherId } = teacher
    const dear = await app.aDocument({ teacherId, price: dinars(12.35) })
    const cheap = await app.aDocument({ teacherId, price: dinars(0.5) })
    const free = await app.aDocument({ teacherId, price: 0 })
    const away = await app.aDocument({ teacherId, isPublished: false })
    const chosen = { ids: [dear.id, cheap.id, free.id, away.id] }
    const seen = await preview(chosen, { kind: 'percent', percent: -10 })
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

    // Repeated, also at the same moment, it is done once.
    await Promise.all([apply(seen.id), apply(seen.id)])
    expect(await apply(seen.id)).toMatchObject({ state: 'done', changed: 1, by: 'Nadia Gharbi' })
    expect(await rowOf(dear.id)).toMatchObject({ price: 11_120, revision: 1 })
    expect(await shown(dear.id)).toMatchObject({ price: 11.12 })
    expect(app.published).toContain(`document:${dear.id}`)
    const actor = `user ${admin.id}`
    const reason = 'العودة المدرسية'
    expect(await logged(`bulk change ${seen.id}`)).toEqual([
      { actor, action: 'change documents', reason },
    ])
    expect(await logged(`document ${dear.id}`)).toEqual([
      { actor, action: 'document: change price', reason },
    ])
    expect(await logged(`document ${cheap.id}`)).toEqual([])

    // Its teacher reads what became of it and why, and not who of the shop it was.
    const { history } = await app.call(getOwnDocument, { as: teacher, params: { id: dear.id } })
    expect(history[0]).toMatchObject({
      action: 'change price',
      by: 'shop',
      reason,
      amounts: { before: 12.35, after: 11.12, from: null, until: null },
    })
    expect(JSON.stringify(history)).not.toContain('Nadia')
  })

  test('reaches all that pass the filters, up to its limit, and finds them in any state', async () => {
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

    const seen = await preview({ filters: { teacher } }, { kind: 'price', price: 5 })
    expect(seen).toMatchObject({ chosen: 3, changing: 3 })
    await apply(seen.id)
    expect(await found({ teacher, minPrice: 5, maxPrice: 5.01 })).toHaveLength(3)

    const { teacherId } = await app.aDocument()
    await app.deps.database.pool.query(
      `INSERT INTO documents (teacher_id, title) SELECT $1, 'x' FROM generate_series(1, $2)`,
      [teacherId, BULK_CHANGE_MAX],
    )
    const filters = { teacher: teacherId }
    const tooMany = preview({ filters }, { kind: 'full price' })
    await expect(tooMany).rejects.toMatchObject(refused('too_many_documents'))
  })

  test('leaves alone what has changed since it was previewed, and says so', async () => {
    const one = await app.aDocument({ price: dinars(10) })
    const two = await app.aDocument({ price: dinars(10) })
    const ids = [one.id, two.id]
    const [first, second] = await Promise.all([
      preview({ ids }, { kind: 'percent', percent: 50 }),
      preview({ ids }, { kind: 'percent', percent: 10 }, other),
    ])
    // Who was second has looked at prices that are no more.
    await apply(first.id)
    expect(await apply(second.id, other)).toMatchObject({
      state: 'done',
      changing: 0,
      changed: 0,
      kept: [{ code: 'changed_since', count: 2 }],
    })
    expect(await rowOf(one.id)).toMatchObject({ price: 15_000 })
    // At the same moment: each document by one of them.
    const previews = new Map<Person, number>()
    for (const [as, price] of [[admin, 3] as const, [other, 4] as const]) {
      previews.set(as, (await preview({ ids }, { kind: 'price', price }, as)).id)
    }
    const { done } = await byTwo((as) => apply(previews.get(as) ?? 0, as))
    expect(done).toBe(2)
    const views = await Promise.all(
      [...previews].map(([as, id]) => app.call(bulk.getBulkChange, { as, params: { id } })),
    )
    expect(views.reduce((sum, { changed }) => sum + changed, 0)).toBe(2)
    expect(await rowOf(one.id)).toMatchObject({ revision: 2 })
  })

  test('goes on where a shop that stopped had left it', async () => {
    const documents = await Promise.all([1, 2, 3].map(() => app.aDocument({ price: dinars(9) })))
    const ids = documents.map(({ id }) => id)
    const { id } = await preview({ ids }, { kind: 'price', price: 6 })
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
    const { id } = await preview({ ids }, discount(50))
    await apply(id)
    expect(await rowOf(kept.id)).toMatchObject({ priceDiscount: 5_000 })
    const later = await preview({ ids: [edited.id] }, { kind: 'price', price: 20 })
    await apply(later.id)

    const { done, refusals } = await byTwo((as) => undo(id, as))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([{ code: 'done_before' }])
    expect(await rowOf(kept.id)).toMatchObject({ price: 10_000, priceDiscount: 8_000 })
    expect(await rowOf(edited.id)).toMatchObject({ price: 20_000, priceDiscount: 5_000 })
    const [newest] = await app.call(bulk.listBulkChanges, { as: admin })
    expect(newest).toMatchObject({ undoes: id, changed: 1, isDone: true })
    await expect(undo(newest?.id ?? 0)).rejects.toMatchObject(refused('bulk_change_not_done'))
    expect((await logged(`bulk change ${id}`)).map(({ action }) => action)).toEqual([
      'change documents',
      'undo change of documents',
    ])
  })

  test('takes documents from sale and puts them back where nothing is missing', async () => {
    const teacher = await app.anOfficeTeacher()
    const document = await app.aDocument({ teacherId: teacher.teacherId })
    const ids = [document.id]
    const { id } = await preview({ ids }, { kind: 'unpublish' })
    await apply(id, admin, 'نسخة مسروقة')
    expect(await rowOf(document.id)).toMatchObject({ state: 'unpublished', isTakenDown: true })
    await expect(shown(document.id)).rejects.toMatchObject({ status: 404 })
    const { history } = await app.call(getOwnDocument, { as: teacher, params: { id: document.id } })
    expect(history[0]).toMatchObject({ action: 'unpublish', reason: 'نسخة مسروقة' })
    expect(await preview({ ids }, { kind: 'unpublish' })).toMatchObject({
      kept: [{ code: 'not_published', count: 1 }],
    })
    await apply((await preview({ ids }, { kind: 'publish' })).id)
    expect(await rowOf(document.id)).toMatchObject({ state: 'published', isTakenDown: false })
  })

  test('belongs to who previewed it, for an hour; garbage is refused by its field', async () => {
    const { id: documentId } = await app.aDocument({ price: dinars(10) })
    const ids = [documentId]
    const { id } = await preview({ ids }, { kind: 'price', price: 3 })
    await expect(apply(id, other)).rejects.toMatchObject(refused('bulk_change_not_found'))
    await expect(app.call(bulk.getBulkChange, { as: other, params: { id } })).rejects.toMatchObject(
      refused('bulk_change_not_found'),
    )
    await expect(undo(id)).rejects.toMatchObject(refused('bulk_change_not_found'))
    app.travel(BULK_PREVIEW_MS + 1000)
    await expect(apply(id)).rejects.toMatchObject(refused('preview_expired'))
    expect(await rowOf(documentId)).toMatchObject({ price: 10_000 })
    await expect(
      preview({ ids: [2_000_000_000] }, { kind: 'price', price: 3 }),
    ).rejects.toMatchObject(refused('no_documents'))

    const wrong: [object, string][] = [
      [{ kind: 'price' }, 'price'],
      [{ kind: 'price', price: 0.49 }, 'price'],
      [{ kind: 'price', price: 500.01 }, 'price'],
      [{ kind: 'price', price: 1.005 }, 'change.price'],
      [{ kind: 'percent', percent: 0 }, 'percent'],
      [{ kind: 'percent', percent: -91 }, 'percent'],
      [{ kind: 'discount', percent: 10 }, 'until'],
      [{ kind: 'discount', percent: 0, until: today() }, 'percent'],
      [{ kind: 'discount', percent: 96, until: today() }, 'percent'],
      [{ kind: 'discount', percent: 10, until: daysAfter(today(), -1) }, 'until'],
      [{ kind: 'discount', percent: 10, until: daysAfter(today(), 400) }, 'until'],
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
          const seen = await preview({ ids }, change)
          const end = await apply(seen.id)
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
            // What is for sale has a price that may be.
            if (state === 'published') expect(price === 0 || (price ?? 0) >= 500).toBe(true)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})

describe('a discount for a time', () => {
  test('begins and ends by the clock, with its pages, and gives back what was before', async () => {
    const document = await app.aDocument({ price: dinars(10), priceDiscount: dinars(9) })
    const change = { ...discount(40, 10), from: daysAfter(today(), 3) }
    await apply((await preview({ ids: [document.id] }, change)).id)
    expect(await rowOf(document.id)).toMatchObject({ priceDiscount: 9_000 })
    const listed = await app.call(list.listAllDocuments, {
      as: admin,
      query: { discount: 'timed', teacher: document.teacherId },
    })
    expect(listed.content).toMatchObject([{ priceDiscount: 9, timed: { priceDiscount: 6 } }])

    await turnAfter(2 * DAY_MS)
    expect(await rowOf(document.id)).toMatchObject({ priceDiscount: 9_000 })
    app.published.length = 0
    await turnAfter(3 * DAY_MS)
    expect(await rowOf(document.id)).toMatchObject({ finalPrice: 6_000 })
    expect(app.published).toContain(`document:${document.id}`)
    app.published.length = 0
    await turnAfter(3 * DAY_MS)
    expect(app.published).toEqual([])

    await Promise.all([turnAfter(11 * DAY_MS), turnAfter(11 * DAY_MS)])
    expect(await rowOf(document.id)).toMatchObject({ finalPrice: 9_000 })
    expect(app.published).toContain(`document:${document.id}`)
  })

  test('is never charged after its end, also before the shop has noticed that', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const [bought, ordered, waiting] = await Promise.all(
      [1, 2, 3].map(() => app.aDocument({ price: dinars(20) })),
    )
    const ids = [bought, ordered, waiting].map((document) => document?.id ?? 0)
    const [boughtId = 0, orderedId = 0, waitingId = 0] = ids
    await apply((await preview({ ids }, discount(50))).id)
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
    // What was ordered before keeps the price of its moment.
    expect(await total(earlier.id)).toBe(dinars(10))
    await turnDiscounts(app.deps)
    expect(await rowOf(boughtId)).toMatchObject({ finalPrice: 20_000 })
  })

  test('gives way to a discount that somebody sets, and is dropped where the price fell below it', async () => {
    const set = await app.aDocument({ price: dinars(10) })
    const fell = await app.aDocument({ price: dinars(10) })
    await apply((await preview({ ids: [set.id] }, discount(20))).id)
    const { exit } = await commandLine('document', String(set.id), 'set', 'discount=7')
    expect(exit).toBe(0)
    const change = { ...discount(20), from: daysAfter(today(), 1) }
    await apply((await preview({ ids: [fell.id] }, change)).id)
    await commandLine('document', String(fell.id), 'set', 'price=6')
    await turnAfter(30 * DAY_MS)
    expect(await rowOf(set.id)).toMatchObject({ priceDiscount: 7_000 })
    expect(await rowOf(fell.id)).toMatchObject({ price: 6_000, priceDiscount: null })
    const { rows } = await app.deps.database.pool.query('SELECT * FROM timed_discounts')
    expect(rows).toEqual([])
  })
})

describe('ratings', () => {
  const all = (query: moderation.ShopRatingFilters) =>
    app.call(moderation.listAllRatings, { as: admin, query })
  const hide = (id: number, as = admin, reason = 'شتيمة') =>
    app.call(moderation.hideRating, { as, params: { id }, body: { reason } })
  const show = (id: number, as = admin) => app.call(moderation.showRating, { as, params: { id } })

  async function aRating(stars = 1, comment = 'هزيل') {
    const author = await app.aCustomer({
      balance: dinars(20),
      firstName: 'Rached',
      lastName: 'Ouertani',
    })
    const document = await app.aDocument({ price: dinars(5), title: 'جذاذة القسمة' })
    const documentIds = [document.id]
    const paid = { userId: author.id, documentIds }
    await app.call(payFromWallet, { as: author, key: `rated ${document.id}`, body: paid })
    const body = { user: { id: author.id }, document: { id: document.id }, rating: stars, comment }
    const { id } = await app.call(ratings.addRating, { as: author, body })
    return { id, author, document }
  }

  test('are hidden for a reason that the author reads, and leave the average at once', async () => {
    const { id, author, document } = await aRating()
    const average = () => app.call(ratings.getDocumentAverage, { params: { id: document.id } })
    expect(await average()).toBe(1)
    app.published.length = 0
    expect(await hide(id)).toMatchObject({ state: 'hidden', hidden: { reason: 'شتيمة' } })
    expect(await average()).toBe(0)
    expect(app.published).toContain(`document:${document.id}`)
    const own = await app.call(ratings.getDocumentRatingOf, {
      as: author,
      params: { userId: author.id, documentId: document.id },
    })
    expect(own).toMatchObject({ hiddenReason: 'شتيمة' })
    expect(await app.call(ratings.listDocumentRatings, { params: { id: document.id } })).toEqual([])
    expect(await show(id)).toMatchObject({ state: 'counts', hidden: null })
    expect(await average()).toBe(1)
    const actor = `user ${admin.id}`
    expect(await logged(`rating ${id}`)).toEqual([
      { actor, action: 'hide', reason: 'شتيمة' },
      { actor, action: 'unhide', reason: null },
    ])
    expect(await checkRatings(app.deps.database.kysely)).toEqual([])
  })

  test('are hidden once: who comes second is told who was first', async () => {
    const { id } = await aRating()
    const { done, refusals } = await byTwo((as) => hide(id, as))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([{ code: 'done_before' }])
    expect(await byTwo((as) => show(id, as))).toMatchObject({
      done: 1,
      refusals: [{ code: 'done_before' }],
    })
    const fresh = await aRating(5, '')
    await expect(show(fresh.id)).rejects.toMatchObject(refused('rating_not_hidden'))
    await expect(hide(2_000_000_000)).rejects.toMatchObject({ status: 404 })
    await expect(hide(fresh.id, admin, ' ')).rejects.toMatchObject({ status: 400 })
  })

  test('are found by stars, state, words, person and document', async () => {
    const { id } = await aRating(2, 'عاديّ')
    const silent = await aRating(3, '')
    const ids = async (query: moderation.ShopRatingFilters) =>
      (await all({ size: 100, ...query })).content.map((rating) => rating.id)
    expect(await ids({ stars: 2 })).toEqual([id])
    expect(await ids({ q: 'ouertani', stars: 3 })).toEqual([silent.id])
    expect(await ids({ q: 'قسمه', stars: 2 })).toEqual([id])
    expect(await ids({ q: 'لا أحد', stars: 2 })).toEqual([])
    expect(await ids({ words: 'written' })).not.toContain(silent.id)
    expect(await ids({ words: 'unanswered', stars: 2 })).toEqual([id])
    expect(await ids({ of: 'teacher' })).toEqual([])
    await hide(id)
    expect(await ids({ state: 'hidden' })).toEqual([id])
    expect(await ids({ state: 'counts' })).not.toContain(id)
    expect((await ids({}))[0]).toBe(silent.id)
    expect(
      (await app.request('GET', '/api/office/admin/ratings?stars=6', { as: admin })).status,
    ).toBe(400)
  })
})

test('the command line previews, applies and undoes by the same functions', async () => {
  const document = await app.aDocument({ price: dinars(10) })
  const typed = [`--teacher=${document.teacherId}`, '--percent=20', '--json']
  const seen = await commandLine('documents', 'change', ...typed)
  expect(seen.exit).toBe(0)
  const { id, changing } = JSON.parse(seen.out)
  expect(changing).toBe(1)
  expect(await rowOf(document.id)).toMatchObject({ price: 10_000 })
  const applied = await commandLine('documents', 'apply', String(id), '--reason', 'Rentrée')
  expect(applied).toMatchObject({ exit: 0, out: expect.stringContaining('1') })
  expect(await rowOf(document.id)).toMatchObject({ price: 12_000 })
  await commandLine('documents', 'undo', String(id), '--reason', 'Erreur')
  expect(await rowOf(document.id)).toMatchObject({ price: 10_000 })
  const changes = JSON.parse((await commandLine('documents', 'changes', '--json')).out)
  expect(changes[0]).toMatchObject({ undoes: id })
  expect((await commandLine('documents', 'change', '--price=x')).exit).toBe(2)
})
