import { beforeAll, describe, expect, test } from 'vitest'
import { addToCart, getCart } from '../../../src/contract/carts.ts'
import * as list from '../../../src/contract/office-all-documents.ts'
import { createOrder } from '../../../src/contract/orders.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { daysAfter } from '../../../src/rules/tunisia-time.ts'
import { turnDiscounts } from '../../../src/server/documents/documents.ts'
import { apply, discount, preview, rowOf } from '../../support/admin/bulk-changes.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { today } from '../../support/dates.ts'
import { callByCommand } from '../../support/operator.ts'
import { type Person, withOfficeToken } from '../../support/people.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await testApp()
  const named = { firstName: 'Nadia', lastName: 'Gharbi' }
  admin = await withOfficeToken(app.deps, await app.anAdministrator(named))
  return app.stop
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
