import { type Kysely, sql } from 'kysely'
import type { MovementKind } from '../../rules/ledger.ts'
import type { Millimes } from '../../rules/money.ts'
import { idList } from '../database/id-list.ts'
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
export function post(tx: Tx, movement: Movement): Promise<void> {
  return postAll(tx, [movement])
}

/** Writes movements like `post`, all by one statement. */
export async function postAll(tx: Tx, all: readonly Movement[]): Promise<void> {
  const movements = all
    .map((movement) => ({ ...movement, entries: withoutZeros(movement.entries) }))
    .filter(({ entries }) => entries.length > 0)
  if (movements.length === 0) return
  const sides = movements.flatMap(({ entries }, at) =>
    entries.map((entry) => ({ ...entry, place: at + 1 })),
  )

  await sql`
    WITH moved AS MATERIALIZED (
      SELECT nextval('ledger_transactions_id_seq') AS id, given.*
      FROM unnest(
        ${movements.map(({ kind }) => kind)}::text[],
        ${movements.map(({ orderId }) => orderId ?? null)}::integer[],
        ${movements.map(({ paymentId }) => paymentId ?? null)}::integer[],
        ${movements.map(({ payoutId }) => payoutId ?? null)}::integer[],
        ${movements.map(({ adjustmentId }) => adjustmentId ?? null)}::integer[],
        ${movements.map(({ note }) => note ?? '')}::text[],
        ${movements.map(({ at }) => at ?? null)}::timestamptz[]
      ) WITH ORDINALITY
        AS given (kind, order_id, payment_id, payout_id, adjustment_id, note, made_at, place)
    ), written AS (
      INSERT INTO ledger_transactions
        (id, kind, order_id, payment_id, payout_id, adjustment_id, note, created_at)
      SELECT id, kind, order_id, payment_id, payout_id, adjustment_id, note,
        coalesce(made_at, now())
      FROM moved
    )
    INSERT INTO ledger_entries (transaction_id, account_id, amount)
    SELECT moved.id, side.account_id, side.amount
    FROM moved JOIN unnest(
      ${sides.map(({ place }) => place)}::integer[],
      ${sides.map(({ accountId }) => accountId)}::integer[],
      ${sides.map(({ amount }) => amount)}::bigint[]
    ) AS side (place, account_id, amount) ON side.place = moved.place`.execute(tx)
}

function withoutZeros(given: readonly Entry[]): Entry[] {
  const entries = given.filter(({ amount }) => amount !== 0)
  const sum = entries.reduce((total, { amount }) => total + amount, 0)
  if (sum !== 0) throw new RangeError(`ledger entries must sum to zero, these to ${sum}`)
  return entries
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
  const wallet = (await lockWallets(tx, [userId])).get(userId)
  if (!wallet) throw new Error(`user ${userId} has no wallet`)
  return wallet
}

/** A locked wallet that may be closed. */
export interface AnyWallet extends LockedWallet {
  /** Another account has taken over the wallet. */
  readonly isClosed: boolean
}

/** Locks the wallets of several customers like `lockWallet`, by the ids of the wallets. */
export async function lockWallets(
  tx: Tx,
  userIds: readonly number[],
): Promise<Map<number, AnyWallet>> {
  const wallets = await lockThose(tx, userIds)
  const without = userIds.filter((userId) => !wallets.has(userId))
  if (without.length === 0) return wallets
  await openWallets(tx, without)
  return new Map([...wallets, ...(await lockThose(tx, without))])
}

async function lockThose(tx: Tx, userIds: readonly number[]): Promise<Map<number, AnyWallet>> {
  const { rows } = await sql<AnyWallet & { userId: number }>`
    SELECT user_id, id AS account_id, balance, is_closed FROM accounts
    WHERE user_id = ANY (${idList(userIds)}) ORDER BY id FOR UPDATE`.execute(tx)
  return new Map(
    rows.map(({ userId, balance, ...wallet }) => [userId, { ...wallet, balance: balance ?? 0 }]),
  )
}

/** Gives a user an empty wallet; an existing one stays as it is. */
export function openWallet(tx: Kysely<Schema>, userId: number): Promise<void> {
  return openWallets(tx, [userId])
}

// In the order of ids, so that two transactions that open the same two never deadlock.
async function openWallets(tx: Kysely<Schema>, userIds: readonly number[]): Promise<void> {
  await sql`
    INSERT INTO accounts (kind, user_id, balance)
    SELECT 'customer', id, 0 FROM unnest(${userIds}::integer[]) AS owners (id) ORDER BY id
    ON CONFLICT (user_id) DO NOTHING`.execute(tx)
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
