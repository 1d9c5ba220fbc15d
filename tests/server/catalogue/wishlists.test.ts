import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  addToWishlist,
  getWishlist,
  isInWishlist,
  removeFromWishlist,
} from '../../../src/contract/carts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { mergeWishes, WISHLIST_MAX_DOCUMENTS } from '../../../src/server/wishlists/wishlists.ts'
import { insert } from '../../support/database.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const add = (as: Person, documentId: number, userId = as.id) =>
  app.call(addToWishlist, { as, query: { userId, documentId } })
const idsOf = async (as: Person) =>
  (await app.call(getWishlist, { as, params: { userId: as.id } })).map(
    ({ document }) => document.id,
  )

describe('a wishlist', () => {
  test('contains each document once, the newest wish first, with the data of its card', async () => {
    const me = await app.aCustomer()
    const teacher = await app.aTeacher({ firstName: 'Leïla', lastName: 'Haddad' })
    const first = await app.aDocument({ teacherId: teacher.id, price: dinars(7.5) })
    const second = await app.aDocument({ price: dinars(8), priceDiscount: dinars(6) })
    for (const { id } of [first, second, first]) await add(me, id)
    const list = await app.call(getWishlist, { as: me, params: { userId: me.id } })
    expect(list.map(({ document }) => document.id)).toEqual([second.id, first.id])
    expect(list[0]?.document).toMatchObject({ price: 8, priceDiscount: 6, filePath: null })
    expect(list[1]?.document).toMatchObject({ price: 7.5, teacher: { username: 'Leïla Haddad' } })
    expect(Date.parse(list[1]?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  test('reports whether it contains a document, and removes it, even repeatedly', async () => {
    const me = await app.aCustomer()
    const { id: documentId } = await app.aDocument()
    const request = { as: me, query: { userId: me.id, documentId } }
    expect(await app.call(isInWishlist, request)).toBe(false)
    await add(me, documentId)
    expect(await app.call(isInWishlist, request)).toBe(true)
    const body = { userId: me.id, documentId }
    await app.call(removeFromWishlist, { as: me, body })
    await app.call(removeFromWishlist, { as: me, body })
    expect(await app.call(isInWishlist, request)).toBe(false)
    expect(await idsOf(me)).toEqual([])
  })

  test('is nobody else’s', async () => {
    const me = await app.aCustomer()
    const other = await app.aCustomer()
    const { id: documentId } = await app.aDocument()
    await add(other, documentId)
    await expectCode(add(me, documentId, other.id), 'forbidden')
    const body = { userId: other.id, documentId }
    await expectCode(app.call(removeFromWishlist, { as: me, body }), 'forbidden')
    expect(await idsOf(other)).toEqual([documentId])
    expect(await idsOf(me)).toEqual([])
  })

  test('accepts no unknown or unpublished document, and hides one that is unpublished later', async () => {
    const me = await app.aCustomer()
    const hidden = await app.aDocument({ isPublished: false })
    for (const id of [hidden.id, 2_000_000]) {
      await expectCode(add(me, id), 'document_not_found')
    }
    const { id } = await app.aDocument()
    await add(me, id)
    await app.change('documents', id, { state: 'unpublished' })
    expect(await idsOf(me)).toEqual([])
  })

  test('is limited, also when two add at once', async () => {
    const me = await app.aCustomer()
    const { id: sample } = await app.aDocument()
    const { rows: made } = await sql<{ id: number }>`
      INSERT INTO documents (teacher_id, title, price, category_id, matiere_id, niveau_id, level,
        audience, file_id, state, first_published_at)
      SELECT teacher_id, title, price, category_id, matiere_id, niveau_id, level,
        audience, file_id, state, first_published_at
      FROM documents, generate_series(2, ${WISHLIST_MAX_DOCUMENTS}) WHERE documents.id = ${sample}
      RETURNING documents.id`.execute(app.kysely)
    await app.kysely
      .insertInto('wishlistItems')
      .values(made.map(({ id }) => ({ userId: me.id, documentId: id })))
      .execute()
    const others = [sample, (await app.aDocument()).id, (await app.aDocument()).id]
    const outcomes = await Promise.allSettled(others.map((id) => add(me, id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await idsOf(me)).toHaveLength(WISHLIST_MAX_DOCUMENTS)
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'wishlist_full', status: 409 })

    // One more, as from before the limit was lowered: nothing is moved there, and nothing fails.
    const missing = others.filter((_, at) => outcomes[at]?.status === 'rejected')
    const [first = 0, second = 0] = missing
    await insert(app.kysely, 'wishlistItems', { userId: me.id, documentId: first })
    const relative = await app.aCustomer()
    await add(relative, second)
    const both = { fromId: relative.id, intoId: me.id }
    await transaction(app.deps.database, (tx) => mergeWishes(tx, both))
    expect(await idsOf(me)).toHaveLength(WISHLIST_MAX_DOCUMENTS + 1)
    expect(await idsOf(relative)).toEqual([])
  })
})
