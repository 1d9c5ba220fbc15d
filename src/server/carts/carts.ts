import { type Kysely, sql } from 'kysely'
import type { BundlePart } from '../../contract/bundle-part.ts'
import { ORDER_MAX_DOCUMENTS } from '../../rules/cart.ts'
import { partsOf } from '../bundles/bundles.ts'
import {
  KEPT_COLUMNS,
  KEPT_TABLES,
  type KeptDocument,
  requirePublished,
} from '../catalogue/catalogue.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { idList } from '../database/sql-parts.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

export type Owner = { readonly userId: number } | { readonly sessionId: string }

export type CartDocument = KeptDocument & { bundle: BundlePart | undefined }

/** The published documents of a cart, in the order in which they were added. */
export async function readCart(db: Kysely<Schema>, owner: Owner): Promise<CartDocument[]> {
  const { rows } = await sql<KeptDocument & { bundleId: number | null }>`
    SELECT ${KEPT_COLUMNS}, item.bundle_id FROM ${tableOf(owner)} AS item ${KEPT_TABLES}
    WHERE ${isOwners(owner)}
    ORDER BY item.added_at, d.id`.execute(db)
  const parts = await partsOf(db, rows)
  return rows.map((row, at) => ({ ...row, bundle: parts[at] }))
}

/**
 * Puts a published document into a cart; a document that is already there keeps its place, and becomes part of
 * the bundle if there is one that has it. Throws `document_not_found`, and `cart_full` if one purchase could not
 * hold them all.
 */
export async function addToCart(
  database: Database,
  owner: Owner,
  documentId: number,
  bundleId?: number,
): Promise<{ cart: CartDocument[]; isNew: boolean }> {
  return transaction(database, async (tx) => {
    await requirePublished(tx, documentId)
    await lockCart(tx, owner)
    const cart = await readCart(tx, owner)
    const isNew = !cart.some(({ id }) => id === documentId)
    if (!isNew && bundleId === undefined) return { cart, isNew }
    if (isNew && cart.length >= ORDER_MAX_DOCUMENTS) throw fault('cart_full')
    await sql`
      INSERT INTO ${tableOf(owner)} AS item (${ownerColumn(owner)}, document_id, bundle_id)
      VALUES (${ownerId(owner)}, ${documentId}, (SELECT bundle_id FROM bundle_documents
        WHERE bundle_id = ${bundleId ?? null}::integer AND document_id = ${documentId}))
      ON CONFLICT (${ownerColumn(owner)}, document_id)
        DO UPDATE SET bundle_id = coalesce(EXCLUDED.bundle_id, item.bundle_id)`.execute(tx)
    return { cart: await readCart(tx, owner), isNew }
  })
}

export async function removeFromCart(
  db: Kysely<Schema>,
  owner: Owner,
  documentId: number,
): Promise<CartDocument[]> {
  await sql`
    DELETE FROM ${tableOf(owner)} AS item
    WHERE ${isOwners(owner)} AND item.document_id = ${documentId}`.execute(db)
  return readCart(db, owner)
}

export async function clearCart(db: Kysely<Schema>, owner: Owner): Promise<void> {
  await sql`DELETE FROM ${tableOf(owner)} AS item WHERE ${isOwners(owner)}`.execute(db)
}

/** Moves an anonymous cart into a customer's, each document once, as far as there is room. */
export async function moveAnonymousCart(tx: Tx, sessionId: string, userId: number): Promise<void> {
  await lockCart(tx, { userId })
  await sql`
    INSERT INTO cart_items (user_id, document_id, added_at, bundle_id)
    SELECT ${userId}, item.document_id, item.added_at, item.bundle_id
    FROM anonymous_cart_items AS item
    JOIN documents d ON d.id = item.document_id AND d.is_published
    WHERE item.session_id = ${sessionId}
    ORDER BY item.added_at
    LIMIT ${ORDER_MAX_DOCUMENTS} - (SELECT count(*) FROM cart_items WHERE user_id = ${userId})
    ON CONFLICT DO NOTHING`.execute(tx)
  await clearCart(tx, { sessionId })
}

/**
 * Moves a customer's cart into another's, as far as there is room, without documents that the
 * latter owns.
 */
export async function mergeCarts(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await lockCart(tx, { userId: Math.min(fromId, intoId) })
  await lockCart(tx, { userId: Math.max(fromId, intoId) })
  await sql`
    DELETE FROM cart_items item USING purchases p
    WHERE item.user_id IN (${fromId}, ${intoId})
      AND p.user_id = ${intoId} AND p.document_id = item.document_id`.execute(tx)
  await sql`
    WITH gone AS (DELETE FROM cart_items WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO cart_items (user_id, document_id, added_at, bundle_id)
    SELECT ${intoId}, document_id, added_at, bundle_id FROM gone
    WHERE document_id NOT IN (SELECT document_id FROM cart_items WHERE user_id = ${intoId})
    ORDER BY added_at
    LIMIT ${ORDER_MAX_DOCUMENTS} - (SELECT count(*) FROM cart_items WHERE user_id = ${intoId})
    ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Without the lock, two simultaneous requests would both find room, or both find the document
 * missing.
 */
const lockCart = (tx: Tx, owner: Owner) => lock(tx, `cart ${ownerId(owner)}`)

function tableOf(owner: Owner) {
  return sql.table('userId' in owner ? 'cartItems' : 'anonymousCartItems')
}

function ownerColumn(owner: Owner) {
  return sql.ref('userId' in owner ? 'userId' : 'sessionId')
}

function ownerId(owner: Owner): number | string {
  return 'userId' in owner ? owner.userId : owner.sessionId
}

function isOwners(owner: Owner) {
  return sql`item.${ownerColumn(owner)} = ${ownerId(owner)}`
}

/** Removes bought documents from their buyer's cart. */
export async function takeOutOfCart(
  tx: Tx,
  userId: number,
  documentIds: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM cart_items
    WHERE user_id = ${userId} AND document_id = ANY (${idList(documentIds)})`.execute(tx)
}
