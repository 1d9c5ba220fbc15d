import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { type LockedWallet, lockWallet, post, walletBalance } from './ledger.ts'
import { replaceOwned } from './waiting-orders.ts'

/** The user whose account is merged, and the one who takes it over. */
export interface Merging {
  readonly fromId: number
  readonly intoId: number
}

/** What another account takes over in a merge. */
export interface MergedMoney {
  readonly balance: Millimes
  readonly orders: number
  /** Payments that may still bring money. */
  readonly openPayments: number
  readonly documents: number
  /** Documents that both accounts have bought: one grant stays, and neither price is refunded. */
  readonly duplicates: { id: number; title: string; price: Millimes }[]
}

/** What `mergeMoney` would move now. */
export async function previewMoney(
  db: Kysely<Schema>,
  { fromId, intoId }: Merging,
): Promise<MergedMoney> {
  const { rows } = await sql<Omit<MergedMoney, 'balance' | 'duplicates'>>`
    SELECT
      (SELECT count(*)::integer FROM orders WHERE buyer_id = ${fromId}) AS orders,
      (SELECT count(*)::integer FROM payments
        WHERE user_id = ${fromId} AND status = 'pending') AS open_payments,
      (SELECT count(*)::integer FROM purchases WHERE user_id = ${fromId}) AS documents`.execute(db)
  const { rows: duplicates } = await sql<MergedMoney['duplicates'][number]>`
    SELECT d.id, d.title, least(gone.price, kept.price) AS price
    FROM purchases gone
    JOIN purchases kept ON kept.document_id = gone.document_id AND kept.user_id = ${intoId}
    JOIN documents d ON d.id = gone.document_id
    WHERE gone.user_id = ${fromId} ORDER BY d.id`.execute(db)
  const { orders = 0, openPayments = 0, documents = 0 } = rows[0] ?? {}
  return {
    balance: await walletBalance(db, fromId),
    orders,
    openPayments,
    documents: documents - duplicates.length,
    duplicates,
  }
}

/** The wallets of a merge, locked: until it ends, no money comes to them or leaves. */
export interface MergingWallets {
  readonly gone: LockedWallet
  readonly kept: LockedWallet
  /** What the other account gets: the wallet, and what payments may still bring to it. */
  readonly amount: Millimes
}

/** Locks both wallets. Throws `account_merged` where another account has taken one over. */
export async function lockWallets(tx: Tx, { fromId, intoId }: Merging): Promise<MergingWallets> {
  // Lower ids first, and wallets before payments and orders: all code locks in this order.
  const [firstId, secondId] = fromId < intoId ? [fromId, intoId] : [intoId, fromId]
  const first = await lockWallet(tx, firstId)
  const second = await lockWallet(tx, secondId)
  const [gone, kept] = fromId < intoId ? [first, second] : [second, first]
  // Transfers may be confirmed after they were refused or have expired.
  const { rows } = await sql<{ awaited: Millimes }>`
    SELECT coalesce(sum(amount), 0)::bigint AS awaited FROM payments
    WHERE user_id = ${fromId}
      AND (status = 'pending' OR (provider = 'manual' AND status <> 'paid'))`.execute(tx)
  return { gone, kept, amount: gone.balance + (rows[0]?.awaited ?? 0) }
}

/**
 * Gives one customer's wallet, payments, orders and documents to another, and closes the wallet: money that
 * its payments bring later goes to the other. Of two grants of one document, the dearer stays. The caller
 * makes sure that the account was not merged before.
 */
export async function mergeMoney(
  tx: Tx,
  { fromId, intoId }: Merging,
  { gone, kept }: MergingWallets,
): Promise<MergedMoney> {
  const merged = await previewMoney(tx, { fromId, intoId })

  await post(tx, {
    kind: 'merge',
    note: `account ${fromId} into ${intoId}`,
    entries: [
      { accountId: gone.accountId, amount: -gone.balance },
      { accountId: kept.accountId, amount: gone.balance },
    ],
  })
  await tx
    .updateTable('accounts')
    .set({ isClosed: true })
    .where('id', '=', gone.accountId)
    .execute()
  await tx.updateTable('payments').set({ userId: intoId }).where('userId', '=', fromId).execute()
  await tx.updateTable('orders').set({ buyerId: intoId }).where('buyerId', '=', fromId).execute()
  // Deleted and inserted, not updated: the triggers on both operations decide again which ratings count.
  await sql`
    DELETE FROM purchases kept USING purchases gone
    WHERE kept.user_id = ${intoId} AND gone.user_id = ${fromId}
      AND kept.document_id = gone.document_id AND gone.price > kept.price`.execute(tx)
  await sql`
    WITH gone AS (DELETE FROM purchases WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO purchases (user_id, document_id, order_id, price, is_freed, purchased_at)
    SELECT ${intoId}, document_id, order_id, price, is_freed, purchased_at FROM gone ORDER BY document_id
    ON CONFLICT (user_id, document_id) DO NOTHING`.execute(tx)
  await replaceOwned(tx, intoId)
  return merged
}
