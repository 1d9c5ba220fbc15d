import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

/** One side of a movement: what an account gains; negative where it gives. */
export interface Entry {
  readonly accountId: number
  readonly amount: Millimes
}

export interface Movement {
  readonly kind: 'purchase' | 'top_up' | 'refund' | 'adjustment' | 'payout' | 'merge'
  readonly orderId?: number | null
  /** The payment that brought the money; the database refuses to book it twice. */
  readonly paymentId?: number | null
  /** The payout that took the money out; likewise booked once. */
  readonly payoutId?: number | null
  /** The adjustment that moved it; likewise booked once. */
  readonly adjustmentId?: number | null
  readonly note?: string
  /** When it happened; now by default. */
  readonly at?: Date
  /** They sum to zero; the database checks it once more at the commit. */
  readonly entries: readonly Entry[]
}

/**
 * Writes a movement; a trigger of the database updates the customers' balances. Entries of 0 are left
 * out, and a movement of nothing but zeros writes nothing. The caller holds the locks of the
 * customers' accounts. Throws `RangeError` when the entries do not sum to zero.
 */
export async function post(tx: Tx, movement: Movement): Promise<void> {
  const entries = movement.entries.filter(({ amount }) => amount !== 0)
  const sum = entries.reduce((total, { amount }) => total + amount, 0)
  if (sum !== 0) throw new RangeError(`ledger entries must sum to zero, these to ${sum}`)
  if (entries.length === 0) return

  await sql`
    WITH written AS (
      INSERT INTO ledger_transactions 
        (kind, order_id, payment_id, payout_id, adjustment_id, note, created_at)
      VALUES (${movement.kind}, ${movement.orderId ?? null}, ${movement.paymentId ?? null},
        ${movement.payoutId ?? null}, ${movement.adjustmentId ?? null},
        ${movement.note ?? ''},
        coalesce(${movement.at ?? null}::timestamptz, now()))
      RETURNING id
    )
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT written.id, sides.account_id, sides.amount
    FROM written, unnest(
      ${entries.map(({ accountId }) => accountId)}::integer[],
      ${entries.map(({ amount }) => amount)}::bigint[]
    ) AS sides (account_id, amount)`.execute(tx)
}

/** A customer's wallet whose lock the transaction holds; `balance` in millimes. */
interface LockedWallet {
  readonly accountId: number
  readonly balance: Millimes
}

/**
 * Locks a customer's wallet until the transaction ends, and opens it at its first use. Throws
 * `account_merged` where another account has taken it over.
 */
export async function lockWallet(tx: Tx, userId: number): Promise<LockedWallet> {
  const { isClosed, ...wallet } = await lockAnyWallet(tx, userId)
  if (isClosed) throw fault('account_merged')
  return wallet
}

/**
 * Locks the wallet of whoever `readOwner` names, such as a payment's payer. Another account may take
 * over the wallet and what belongs to it while this waits for the lock: then that account's wallet
 * is locked.
 */
export async function lockWalletOf(
  tx: Tx,
  readOwner: () => Promise<number>,
): Promise<LockedWallet & { userId: number }> {
  const first = await readOwner()
  const { isClosed, ...wallet } = await lockAnyWallet(tx, first)
  if (!isClosed) return { userId: first, ...wallet }
  const userId = await readOwner()
  return { userId, ...(await lockWallet(tx, userId)) }
}

async function lockAnyWallet(tx: Tx, userId: number) {
  const lock = () =>
    tx
      .selectFrom('accounts')
      .select(['id', 'balance', 'isClosed'])
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirst()
  const row = (await lock()) ?? (await openWallet(tx, userId).then(lock))
  if (!row) throw new Error(`user ${userId} has no wallet`)
  return { accountId: row.id, balance: row.balance ?? 0, isClosed: row.isClosed }
}

/** Gives a user an empty wallet; an existing one stays as it is. */
export async function openWallet(tx: Kysely<Schema>, userId: number): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({ kind: 'customer', userId, teacherId: null, balance: 0 })
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute()
}

/**
 * Moves `amount` (negative: back) from the adjustments account into a customer's wallet. The database
 * refuses a balance below 0.
 */
export async function adjustWallet(
  tx: Tx,
  { userId, amount, note }: { userId: number; amount: Millimes; note: string },
): Promise<void> {
  const { accountId } = await lockWallet(tx, userId)
  const entries = [
    { accountId, amount },
    { accountId: await singleAccount(tx, 'adjustments'), amount: -amount },
  ]
  await post(tx, { kind: 'adjustment', note, entries })
}

/** The one account of its kind. */
export async function singleAccount(
  tx: Tx,
  kind: 'gateway' | 'adjustments' | 'payouts',
): Promise<number> {
  const { id } = await tx
    .selectFrom('accounts')
    .select('id')
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return id
}

/** A customer's balance; 0 before the wallet's first use. */
export async function walletBalance(db: Kysely<Schema>, userId: number): Promise<Millimes> {
  const row = await db
    .selectFrom('accounts')
    .select('balance')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.balance ?? 0
}
