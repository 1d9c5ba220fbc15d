import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { CoverMappingRow } from '../catalogue/catalogue.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

/** Documents that a wishlist may hold. */
export const WISHLIST_MAX_DOCUMENTS = 200

export interface WishRow extends CoverMappingRow {
  addedAt: Date
  id: number
  title: string
  price: Millimes
  priceDiscount: Millimes | null
  coverPath: string | null
  teacherName: string
  matiereCode: string | null
}

/** The published documents of a wishlist, the newest wish first. */
export async function readWishlist(db: Kysely<Schema>, userId: number): Promise<WishRow[]> {
  const { rows } = await sql<WishRow>`
    SELECT item.added_at, d.id, d.title, d.price, d.price_discount, d.cover_path,
      d.cover_mapping_id, k.cover_path AS mapping_cover_path,
      k.livre_path AS mapping_livre_path, k.color AS mapping_color,
      trim(t.first_name || ' ' || t.last_name) AS teacher_name, m.code AS matiere_code
    FROM wishlist_items item
    JOIN documents d ON d.id = item.document_id AND d.is_published
    JOIN teachers t ON t.id = d.teacher_id
    JOIN matieres m ON m.id = d.matiere_id
    LEFT JOIN cover_mappings k ON k.id = d.cover_mapping_id
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
    const document = await tx
      .selectFrom('documents')
      .select('id')
      .where('id', '=', documentId)
      .where('isPublished', '=', true)
      .executeTakeFirst()
    if (!document) throw fault('document_not_found')
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
