import { type Kysely, sql } from 'kysely'
import type { Shelf } from '../../../contract/library.ts'
import * as calls from '../../../contract/library.ts'
import { isSameShelfName, SHELVES_MAX } from '../../../rules/library-list.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, type Tx, transaction } from '../../database/transaction.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'

export const shelfRoutes: Route[] = [
  route(calls.listShelves, ({ user, deps }) => shelvesOf(deps.database.kysely, user.id)),
  route(calls.addShelf, ({ input, user, deps }) =>
    createShelf(deps.database, { userId: user.id, name: input.body.name }),
  ),
  route(calls.renameShelf, ({ input, user, deps }) =>
    nameShelf(deps.database, { userId: user.id, id: input.params.id }, input.body.name),
  ),
  route(calls.removeShelf, ({ input, user, deps }) =>
    removeShelf(deps.database.kysely, { userId: user.id, id: input.params.id }),
  ),
  route(calls.arrangeShelf, ({ input, user, deps }) =>
    arrangeDocuments(deps.database, { userId: user.id, id: input.params.id }, input.body),
  ),
]

interface OwnedShelf {
  readonly userId: number
  readonly id: number
}

/** An account's shelves with the documents that it owns now, the oldest shelf first. */
async function shelvesOf(db: Kysely<Schema>, userId: number): Promise<Shelf[]> {
  const { rows } = await sql<Shelf>`
    SELECT s.id, s.name,
      coalesce(array_agg(p.document_id ORDER BY p.id) FILTER (WHERE p.id IS NOT NULL), '{}')
        AS document_ids
    FROM shelves s
    LEFT JOIN shelf_documents on_it ON on_it.shelf_id = s.id
    LEFT JOIN purchases p ON p.document_id = on_it.document_id AND p.user_id = s.user_id
    WHERE s.user_id = ${userId}
    GROUP BY s.id
    ORDER BY s.id`.execute(db)
  return rows
}

/** Throws `shelves_full`, `shelf_name_taken`. */
function createShelf(
  database: Database,
  { userId, name }: { userId: number; name: string },
): Promise<Shelf> {
  return transaction(database, async (tx) => {
    const shelves = await lockedShelves(tx, userId)
    requireFree(shelves, name)
    if (shelves.length >= SHELVES_MAX) throw fault('shelves_full')
    const { id } = await tx
      .insertInto('shelves')
      .values({ userId, name })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, name, documentIds: [] }
  })
}

/** Throws `shelf_not_found`, `shelf_name_taken`. */
function nameShelf(database: Database, { userId, id }: OwnedShelf, name: string): Promise<Shelf> {
  return transaction(database, async (tx) => {
    const shelves = await lockedShelves(tx, userId)
    const shelf = shelves.find((each) => each.id === id)
    if (!shelf) throw fault('shelf_not_found')
    requireFree(
      shelves.filter((each) => each !== shelf),
      name,
    )
    await tx.updateTable('shelves').set({ name }).where('id', '=', id).execute()
    return { ...shelf, name }
  })
}

/** Throws `shelf_not_found`. */
async function removeShelf(db: Kysely<Schema>, { userId, id }: OwnedShelf): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('shelves')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw fault('shelf_not_found')
}

/** Throws `shelf_not_found`, and `document_not_found` for an added one that is not owned. */
function arrangeDocuments(
  database: Database,
  { userId, id }: OwnedShelf,
  { put, take }: { put: readonly number[]; take: readonly number[] },
): Promise<Shelf> {
  return transaction(database, async (tx) => {
    const found = (await lockedShelves(tx, userId)).some((each) => each.id === id)
    if (!found) throw fault('shelf_not_found')
    const wanted = [...new Set(put)]
    const { rows: owned } = await sql<{ documentId: number }>`
      SELECT document_id FROM purchases
      WHERE user_id = ${userId} AND document_id = ANY (${wanted}::int[])`.execute(tx)
    if (owned.length < wanted.length) throw fault('document_not_found')
    await sql`
      DELETE FROM shelf_documents
      WHERE shelf_id = ${id} AND document_id = ANY (${[...take]}::int[])`.execute(tx)
    await sql`
      INSERT INTO shelf_documents (shelf_id, document_id)
      SELECT ${id}, unnest(${wanted}::int[]) ON CONFLICT DO NOTHING`.execute(tx)
    const shelf = (await shelvesOf(tx, userId)).find((each) => each.id === id)
    if (!shelf) throw fault('shelf_not_found')
    return shelf
  })
}

/** As far as there is room; two shelves with the same name become one. */
export async function mergeShelves(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  const gone = await shelvesOf(tx, fromId)
  const kept = await lockedShelves(tx, intoId)
  let room = SHELVES_MAX - kept.length
  for (const { id, name } of gone) {
    const same = kept.find((each) => isSameShelfName(each.name, name))
    if (same) {
      await sql`
        INSERT INTO shelf_documents (shelf_id, document_id)
        SELECT ${same.id}, document_id FROM shelf_documents WHERE shelf_id = ${id}
        ON CONFLICT DO NOTHING`.execute(tx)
    } else if (room > 0) {
      room -= 1
      await tx.updateTable('shelves').set({ userId: intoId }).where('id', '=', id).execute()
    }
  }
  await tx.deleteFrom('shelves').where('userId', '=', fromId).execute()
}

async function lockedShelves(tx: Tx, userId: number): Promise<Shelf[]> {
  await lock(tx, `shelves ${userId}`)
  return shelvesOf(tx, userId)
}

function requireFree(shelves: readonly Shelf[], name: string): void {
  if (shelves.some((each) => isSameShelfName(each.name, name))) throw fault('shelf_name_taken')
}
