import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { lockWallet, post } from './ledger.ts'
import { countSales, idsOf, readWanted, type SharedItem, type SoldItem, totalOf } from './sale.ts'
import { shareSale } from './shares.ts'
import { replaceOwned } from './waiting-orders.ts'

/** What a purchase did. Documents `owned` before are not paid again. */
export interface Purchase {
  /** null if there was nothing to buy. */
  readonly orderId: number | null
  readonly owned: readonly SoldItem[]
  readonly bought: readonly SoldItem[]
}

interface PurchaseRequest {
  readonly buyerId: number
  readonly documentIds: readonly number[]
  /** Runs in the transaction as soon as there is an order, before the rows where all buyers meet. */
  readonly onOrder?: (orderId: number) => Promise<void>
  /** When it happened, for demo data; now by default. */
  readonly at?: Date
}

/**
 * Pays documents from the buyer's wallet at the prices of this moment and grants them, all in the
 * caller's transaction. Throws `document_not_found` for one that is unknown or not
 * published, `insufficient_balance` when the wallet holds less than the new ones cost.
 */
export async function purchase(
  tx: Tx,
  { buyerId, documentIds, onOrder, at }: PurchaseRequest,
): Promise<Purchase> {
  // Locked before anything is read: what another purchase of the same buyer grants and spends is
  // either seen here or waits for this one.
  const wallet = await lockWallet(tx, buyerId)
  const wanted = await readWanted(tx, buyerId, documentIds)
  const owned = wanted.filter((document) => document.isOwned)
  const bought = wanted.filter((document) => !document.isOwned)
  if (wanted.length < documentIds.length || bought.some((document) => !document.isPublished)) {
    throw fault('document_not_found')
  }

  const total = totalOf(bought)
  if (total > wallet.balance) throw fault('insufficient_balance')

  let orderId: number | null = null
  if (bought.length > 0) {
    const { items, entries } = await shareSale(tx, bought)
    orderId = await writePaidOrder(tx, buyerId, items, at)
    await onOrder?.(orderId)
    entries.push({ accountId: wallet.accountId, amount: -total })
    await post(tx, { kind: 'purchase', orderId, entries, ...(at && { at }) })
    if (bought[0]?.hasOrders) await replaceOwned(tx, buyerId)
    await countSales(tx, bought)
  }
  return { orderId, owned, bought }
}

/** Writes an order that is paid from the wallet, with its items, and grants them. */
export async function writePaidOrder(
  tx: Tx,
  buyerId: number,
  items: readonly SharedItem[],
  at?: Date,
): Promise<number> {
  const moment = sql`coalesce(${at ?? null}::timestamptz, now())`
  const { rows } = await sql<{ id: number }>`
    WITH placed AS (
      INSERT INTO orders (buyer_id, status, method, total, created_at, paid_at)
      VALUES (${buyerId}, 'paid', 'wallet', ${totalOf(items)}, ${moment}, ${moment})
      RETURNING id
    ), lines AS (
      INSERT INTO order_items (order_id, document_id, price, sold_at, teacher_id, teacher_share)
      SELECT placed.id, item.document_id, item.price, ${moment}, item.teacher_id, item.share
      FROM placed, unnest(
        ${idsOf(items)}::integer[],
        ${items.map(({ price }) => price)}::bigint[],
        ${items.map(({ teacherId }) => teacherId)}::integer[],
        ${items.map(({ share }) => share)}::bigint[]
      ) AS item (document_id, price, teacher_id, share)
      RETURNING order_id, document_id, price
    ), granted AS (
      INSERT INTO purchases (user_id, document_id, order_id, price, purchased_at)
      SELECT ${buyerId}, document_id, order_id, price, ${moment} FROM lines
    )
    SELECT id FROM placed`.execute(tx)
  const [order] = rows
  if (!order) throw new Error('the order was not written')
  return order.id
}
