import { type Kysely, sql } from 'kysely'
import type { MovementKind } from '../../rules/ledger.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

/** One side of a movement: the amount that an account gains; negative where it loses. */
export interface Entry {
  readonly accountId: number
  readonly amount: Millimes
}

export interface Movement {
  readonly kind: MovementKind
  readonly orderId?: number | null
  /** The payment that brought the money; the database refuses to book it twice. */
  readonly paymentId?: number | null
  /** The payout by which the money left; likewise booked once. */
  readonly payoutId?: number | null
  /** The adjustment that moved the money; likewise booked once. */
  readonly adjustmentId?: number | null
  /** The payment to the tax office; likewise booked once. */
  readonly taxPaymentId?: number | null
  readonly note?: string
  /** When it happened; now by default. */
  readonly at?: Date
  /** The entries sum to zero; the database checks that again. */
  readonly entries: readonly Entry[]
}

/**
 * Writes a movement; a trigger of the database updates the customers' balances. Entries of 0 are left
 * out, and a movement of nothing but zeros writes nothing. The caller holds the locks of the
 * customers' accounts. Throws `RangeError` when the entries do not sum to zero.
 */
export async function post(tx: Tx, movement: Movement): Promise<void> {
  const entries = withoutZeros(movement.entries)
  if (entries.length === 0) return
  const { kind, orderId = null, paymentId = null, payoutId = null, adjustmentId = null } = movement
  const { taxPaymentId = null, note = '', at = null } = movement
  await sql`
    WITH moved AS (
      INSERT INTO ledger_transactions
        (kind, order_id, payment_id, payout_id, adjustment_id, tax_payment_id, note, created_at)
      VALUES (${kind}, ${orderId}, ${paymentId}, ${payoutId}, ${adjustmentId},
        ${taxPaymentId}, ${note}, coalesce(${at}::timestamptz, now()))
      RETURNING id
    )
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, side.account_id, side.amount
    FROM moved, unnest(
      ${entries.map(({ accountId }) => accountId)}::integer[],
      ${entries.map(({ amount }) => amount)}::bigint[]
    ) AS side (account_id, amount)`.execute(tx)
}

function withoutZeros(given: readonly Entry[]): Entry[] {
  const entries = given.filter(({ amount }) => amount !== 0)
  const sum = entries.reduce((total, { amount }) => total + amount, 0)
  if (sum !== 0) throw new RangeError(`ledger entries must sum to zero, these to ${sum}`)
  return entries
}

/** A customer's wallet whose lock the transaction holds; `balance` in millimes. */
export interface LockedWallet {
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
 * Locks the wallet of a customer who acts for themselves. Throws `invalid_token`, as every later call
 * of theirs gets, where their account was merged or deleted meanwhile, however close the two came.
 */
export async function lockOwnWallet(tx: Tx, userId: number): Promise<LockedWallet> {
  // Waits for a deletion, and makes a later one wait.
  const { deletedAt } = await tx
    .selectFrom('users')
    .select('deletedAt')
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  const { isClosed, ...wallet } = await lockAnyWallet(tx, userId)
  if (isClosed || deletedAt) throw fault('invalid_token')
  return wallet
}

/**
 * Locks the wallet of the user that `readOwner` returns, such as a payment's payer. If a merge gives the
 * wallet and all that belongs to it to another account during the wait for the lock, that account's wallet is
 * locked.
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

async function lockAnyWallet(tx: Tx, userId: number): Promise<AnyWallet> {
  const wallet = await lockExisting(tx, userId)
  if (wallet) return wallet
  await openWallet(tx, userId)
  const opened = await lockExisting(tx, userId)
  if (!opened) throw new Error(`user ${userId} has no wallet`)
  return opened
}

interface AnyWallet extends LockedWallet {
  /** Another account has taken over the wallet. */
  readonly isClosed: boolean
}

async function lockExisting(tx: Tx, userId: number): Promise<AnyWallet | undefined> {
  const wallet = await tx
    .selectFrom('accounts')
    .select(['id as accountId', 'balance', 'isClosed'])
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return wallet && { ...wallet, balance: wallet.balance ?? 0 }
}

/** Gives a user an empty wallet; an existing one stays as it is. */
export async function openWallet(db: Kysely<Schema>, userId: number): Promise<void> {
  await db
    .insertInto('accounts')
    .values({ kind: 'customer', userId, balance: 0 })
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
  kind: 'gateway' | 'adjustments' | 'payouts' | 'withheld' | 'taxes' | 'returns',
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
