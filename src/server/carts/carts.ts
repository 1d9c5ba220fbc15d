import { type Kysely, sql } from 'kysely'
import { ORDER_MAX_DOCUMENTS } from '../../rules/cart.ts'
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

/** The published documents of a cart, in the order in which they were added. */
export async function readCart(db: Kysely<Schema>, owner: Owner): Promise<KeptDocument[]> {
  const { rows } = await sql<KeptDocument>`
    SELECT ${KEPT_COLUMNS} FROM ${tableOf(owner)} AS item ${KEPT_TABLES}
    WHERE ${isOwners(owner)}
    ORDER BY item.added_at, d.id`.execute(db)
  return rows
}

/**
 * Puts a published document into a cart; a document that is already there keeps its place. Throws
 * `document_not_found`, and `cart_full` if one purchase could not hold them all.
 */
export async function addToCart(
  database: Database,
  owner: Owner,
  documentId: number,
): Promise<{ cart: KeptDocument[]; isNew: boolean }> {
  return transaction(database, async (tx) => {
    await requirePublished(tx, documentId)
    await lockCart(tx, owner)
    const cart = await readCart(tx, owner)
    if (cart.some(({ id }) => id === documentId)) return { cart, isNew: false }
    if (cart.length >= ORDER_MAX_DOCUMENTS) throw fault('cart_full')
    await sql`
      INSERT INTO ${tableOf(owner)} (${ownerColumn(owner)}, document_id)
      VALUES (${ownerId(owner)}, ${documentId})`.execute(tx)
    return { cart: await readCart(tx, owner), isNew: true }
  })
}

export async function removeFromCart(
  db: Kysely<Schema>,
  owner: Owner,
  documentId: number,
): Promise<KeptDocument[]> {
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
    INSERT INTO cart_items (user_id, document_id, added_at)
    SELECT ${userId}, item.document_id, item.added_at
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
    INSERT INTO cart_items (user_id, document_id, added_at)
    SELECT ${intoId}, document_id, added_at FROM gone
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
