import { type Kysely, sql } from 'kysely'
import {
  KEPT_COLUMNS,
  KEPT_TABLES,
  type KeptDocument,
  requirePublished,
} from '../catalogue/catalogue.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

/** How many documents a wishlist may hold. */
export const WISHLIST_MAX_DOCUMENTS = 200

export interface WishRow extends KeptDocument {
  addedAt: Date
  teacherName: string
  teacherLatinName: string
}

/** The published documents of a wishlist, the newest wish first. */
export async function readWishlist(db: Kysely<Schema>, userId: number): Promise<WishRow[]> {
  const { rows } = await sql<WishRow>`
    SELECT item.added_at, ${fullNameIn('t')} AS teacher_name,
      t.latin_name AS teacher_latin_name, ${KEPT_COLUMNS}
    FROM wishlist_items item ${KEPT_TABLES} JOIN teachers t ON t.id = d.teacher_id
    WHERE item.user_id = ${userId}
    ORDER BY item.added_at DESC, d.id DESC`.execute(db)
  return rows
}

/** Adds a published document to a wishlist, once. Throws `document_not_found`, `wishlist_full`. */
export async function addWish(
  database: Database,
  userId: number,
  documentId: number,
): Promise<void> {
  await transaction(database, async (tx) => {
    await requirePublished(tx, documentId)
    // Without the lock, two simultaneous requests would both find room.
    await lock(tx, `wishlist ${userId}`)
    if (await isWished(tx, userId, documentId)) return
    const { count } = await tx
      .selectFrom('wishlistItems')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= WISHLIST_MAX_DOCUMENTS) throw fault('wishlist_full')
    await tx.insertInto('wishlistItems').values({ userId, documentId }).execute()
  })
}

export async function removeWish(
  db: Kysely<Schema>,
  userId: number,
  documentId: number,
): Promise<void> {
  await db
    .deleteFrom('wishlistItems')
    .where('userId', '=', userId)
    .where('documentId', '=', documentId)
    .execute()
}

export async function isWished(
  db: Kysely<Schema>,
  userId: number,
  documentId: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('wishlistItems')
    .select('documentId')
    .where('userId', '=', userId)
    .where('documentId', '=', documentId)
    .executeTakeFirst()
  return found !== undefined
}

/** Moves a customer's wishes to another's list, as far as there is room. */
export async function mergeWishes(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await lock(tx, `wishlist ${Math.min(fromId, intoId)}`)
  await lock(tx, `wishlist ${Math.max(fromId, intoId)}`)
  await sql`
    WITH gone AS (DELETE FROM wishlist_items WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO wishlist_items (user_id, document_id, added_at)
    SELECT ${intoId}, document_id, added_at FROM gone
    WHERE document_id NOT IN (SELECT document_id FROM wishlist_items WHERE user_id = ${intoId})
    ORDER BY added_at DESC
    LIMIT greatest(0, ${WISHLIST_MAX_DOCUMENTS}
      - (SELECT count(*) FROM wishlist_items WHERE user_id = ${intoId}))
    ON CONFLICT DO NOTHING`.execute(tx)
}
