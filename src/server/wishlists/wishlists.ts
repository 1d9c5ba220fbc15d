import { type Kysely, sql } from 'kysely'
import {
  KEPT_COLUMNS,
  KEPT_TABLES,
  type KeptDocument,
  requirePublished,
} from '../catalogue/catalogue.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

/** Documents that a wishlist may hold. */
export const WISHLIST_MAX_DOCUMENTS = 200

export interface WishRow extends KeptDocument {
  addedAt: Date
  teacherName: string
  teacherLatinName: string
}

/** The published documents of a wishlist, the newest wish first. */
export async function readWishlist(db: Kysely<Schema>, userId: number): Promise<WishRow[]> {
  const { rows } = await sql<WishRow>`
    SELECT item.added_at, trim(t.first_name || ' ' || t.last_name) AS teacher_name,
      t.latin_name AS teacher_latin_name, ${KEPT_COLUMNS}
    FROM wishlist_items item ${KEPT_TABLES} JOIN teachers t ON t.id = d.teacher_id
    WHERE item.user_id = ${userId}
    ORDER BY item.added_at DESC, d.id DESC`.execute(db)
  return rows
}

/** Puts a published document on a wishlist, once. Throws `document_not_found`, `wishlist_full`. */
export async function addWish(
  database: Database,
  userId: number,
  documentId: number,
): Promise<void> {
  await transaction(database, async (tx) => {
    await requirePublished(tx, documentId)
    // Two that add at once would both find room.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`wishlist ${userId}`}, 0))`.execute(
      tx,
    )
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

/** Takes a document off a wishlist; one that is not there is no error. */
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

/** Whether a document is on a wishlist. */
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
