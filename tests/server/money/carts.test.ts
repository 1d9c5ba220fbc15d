import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addToCart,
  clearAnonymousCart,
  clearCart,
  getAnonymousCart,
  getCart,
  removeFromCart,
} from '../../../src/contract/carts.ts'
import { ORDER_MAX_DOCUMENTS } from '../../../src/rules/cart.ts'
import { dinars } from '../../../src/rules/money.ts'
import { moveAnonymousCart } from '../../../src/server/carts/carts.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { insert } from '../../support/database.ts'
import type { Person } from '../../support/factories.ts'
import { bought } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const aSession = () => `anon-${crypto.randomUUID()}`
const idsOf = (cart: { document: { id: number } }[] | null) =>
  cart?.map(({ document }) => document.id)
const cartOf = (person: Person) => app.call(getCart, { as: person, params: { userId: person.id } })
const add = (person: Person, documentId: number) =>
  app.call(addToCart, { as: person, query: { userId: person.id, documentId } })

describe("a customer's cart", () => {
  test('contains documents in the order they were added, prices in dinars', async () => {
    const customer = await app.aCustomer()
    const first = await app.aDocument({ title: 'كراس', price: dinars(12.5) })
    const second = await app.aDocument({ price: dinars(8), priceDiscount: dinars(6.4) })
    await add(customer, second.id)
    expect(await add(customer, first.id)).toMatchObject([
      { document: { id: second.id, title: second.title, price: 8, priceDiscount: 6.4 } },
      { document: { id: first.id, title: 'كراس', price: 12.5, priceDiscount: null } },
    ])
    expect(idsOf(await cartOf(customer))).toEqual([second.id, first.id])
  })

  test('has the fields of the covers', async () => {
    const customer = await app.aCustomer()
    const { id } = await app.aDocument({ cover: '/pictures/own.webp' })
    const coverMapping = { coverPath: null, livrePath: '/pictures/book.webp', color: '#123456' }
    const mapping = await insert(app.kysely, 'coverMappings', coverMapping)
    await app.change('documents', id, { coverMappingId: mapping.id })
    const own = { coverPath: '/pictures/own.webp', livrePath: null, coverMapping }
    const document = { ...own, matiereCode: expect.any(String) }
    expect(await add(customer, id)).toMatchObject([{ document }])
    const plain = await app.aDocument()
    expect((await add(customer, plain.id))?.[1]?.document.coverMapping).toBeNull()
  })

  test('contains a document once, at its first position, also when it is added twenty times at once', async () => {
    const customer = await app.aCustomer()
    const [a, b] = await app.documentsAt(5, 5)
    await Promise.all(Array.from({ length: 20 }, () => add(customer, a.id)))
    for (const { id } of [b, a]) await add(customer, id)
    expect(idsOf(await cartOf(customer))).toEqual([a.id, b.id])
  })

  test('refuses documents that are unknown or not published', async () => {
    const customer = await app.aCustomer()
    const { id } = await app.aDocument({ isPublished: false })
    for (const documentId of [id, 2 ** 31 - 1]) {
      await expectCode(add(customer, documentId), 'document_not_found')
    }
  })

  test('no longer shows an unpublished document', async () => {
    const customer = await app.aCustomer()
    const { id } = await app.aDocument()
    await add(customer, id)
    await app.change('documents', id, { state: 'unpublished' })
    expect(await cartOf(customer)).toEqual([])
  })

  test('may contain documents that its customer owns already', async () => {
    const customer = await app.aCustomer()
    const { id } = await app.aDocument({ price: 0 })
    await bought(app, customer, [{ id }])
    expect(idsOf(await add(customer, id))).toEqual([id])
  })

  test('is full at the limit of one purchase, also under concurrent additions', async () => {
    const customer = await app.aCustomer()
    const { id, teacherId } = await app.aDocument()
    // Copies, which are faster than documents with parents of their own.
    const { pool } = app.deps.database
    const shared = `teacher_id, title, price, category_id, matiere_id, niveau_id, level, audience,
      search_text, file_id, state, first_published_at`
    await pool.query(
      `INSERT INTO documents (${shared})
       SELECT ${shared} FROM documents, generate_series(1, $2) WHERE id = $1`,
      [id, ORDER_MAX_DOCUMENTS],
    )
    const { rows } = await pool.query<{ id: number }>(
      `SELECT id FROM documents WHERE teacher_id = ${teacherId} ORDER BY id`,
    )
    const ids = rows.map((row) => row.id)
    await pool.query(
      'INSERT INTO cart_items (user_id, document_id) SELECT $1, unnest($2::integer[])',
      [customer.id, ids.slice(0, ORDER_MAX_DOCUMENTS - 1)],
    )
    const late = await Promise.allSettled(
      ids.slice(ORDER_MAX_DOCUMENTS - 1).map((documentId) => add(customer, documentId)),
    )
    expect(late.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(late.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, code: 'cart_full' },
    })
    expect(await add(customer, ids[0] ?? 0)).toHaveLength(ORDER_MAX_DOCUMENTS)
  })

  test('loses removed items, and all of them when it is cleared', async () => {
    const customer = await app.aCustomer()
    const [a, b, c] = await app.documentsAt(5, 5, 5)
    for (const { id } of [a, b, c]) await add(customer, id)
    const query = { userId: customer.id, documentId: b.id }
    expect(idsOf(await app.call(removeFromCart, { as: customer, query }))).toEqual([a.id, c.id])
    expect(idsOf(await app.call(removeFromCart, { as: customer, query }))).toEqual([a.id, c.id])
    await app.call(clearCart, { as: customer, params: { userId: customer.id } })
    expect(await cartOf(customer)).toEqual([])
  })

  test('cannot be filled without a token', async () => {
    const { id: documentId } = await app.aDocument()
    const attempt = app.call(addToCart, { query: { userId: 1, documentId } })
    await expectCode(attempt, 'authentication_required')
  })
})

describe('an anonymous cart', () => {
  test('belongs to any browser that knows its session id', async () => {
    const [mine, theirs] = [aSession(), aSession()]
    const [a, b] = await app.documentsAt(5, 5)
    for (const { id: documentId } of [a, b, a]) {
      await app.call(addToCart, { query: { sessionId: mine, documentId } })
    }
    const read = (sessionId: string) => app.call(getAnonymousCart, { params: { sessionId } })
    expect(idsOf(await read(mine))).toEqual([a.id, b.id])
    expect(await read(theirs)).toEqual([])
    await app.call(clearAnonymousCart, { params: { sessionId: theirs } })
    expect(idsOf(await read(mine))).toEqual([a.id, b.id])
    await app.call(clearAnonymousCart, { params: { sessionId: mine } })
    expect(await read(mine)).toEqual([])
  })

  test('takes exactly one of user and session', async () => {
    const customer = await app.aCustomer()
    const { id: documentId } = await app.aDocument()
    const both = { userId: customer.id, sessionId: aSession(), documentId }
    for (const query of [both, { documentId }]) {
      await expectRefused(app.call(addToCart, { as: customer, query }), 400, 'invalid_input', {
        fields: { userId: expect.any(String) },
      })
    }
  })

  test('outlives the carts of others: only the clean-up of abandoned ones ends it', async () => {
    const [old, young] = [aSession(), aSession()]
    const [a, b] = await app.documentsAt(5, 5)
    await app.call(addToCart, { query: { sessionId: old, documentId: a.id } })
    await app.deps.database.pool.query(
      `UPDATE anonymous_cart_items SET added_at = now() - interval '31 days' WHERE session_id = $1`,
      [old],
    )
    await app.call(addToCart, { query: { sessionId: young, documentId: b.id } })
    expect(await app.call(getAnonymousCart, { params: { sessionId: old } })).toHaveLength(1)
    expect(await app.call(getAnonymousCart, { params: { sessionId: young } })).toHaveLength(1)
  })

  test('moves into a customer’s cart: the union of both, and ends empty', async () => {
    const documents = await app.documentsAt(1, 2, 3, 4, 5, 6)
    const some = fc.uniqueArray(fc.constantFrom(...documents.map(({ id }) => id)))
    await fc.assert(
      fc.asyncProperty(some, some, async (mine, anonymous) => {
        const customer = await app.aCustomer()
        const sessionId = aSession()
        for (const documentId of anonymous) {
          await app.call(addToCart, { query: { sessionId, documentId } })
        }
        for (const id of mine) await add(customer, id)
        await transaction(app.deps.database, (tx) => moveAnonymousCart(tx, sessionId, customer.id))
        const cart = idsOf(await cartOf(customer))
        expect([...(cart ?? [])].sort()).toEqual([...new Set([...mine, ...anonymous])].sort())
        expect(await app.call(getAnonymousCart, { params: { sessionId } })).toEqual([])
      }),
      { numRuns: 15 },
    )
  })
})
