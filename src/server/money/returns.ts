import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Tx } from '../database/transaction.ts'
import { lockWallet, post, singleAccount } from './ledger.ts'

/**
 * Empties the wallet of somebody who leaves: into `returns`, what was sent to their bank account, or
 * into `adjustments`, what they gave up. Returns the amount.
 */
export async function emptyWallet(
  tx: Tx,
  { userId, into, note }: { userId: number; into: 'returns' | 'adjustments'; note: string },
): Promise<Millimes> {
  const { accountId, balance } = await lockWallet(tx, userId)
  const entries = [
    { accountId, amount: -balance },
    { accountId: await singleAccount(tx, into), amount: balance },
  ]
  await post(tx, { kind: 'return', note, entries })
  return balance
}

/** Locks the ledger's accounts of a customer or a teacher, as everything does that moves their money. */
export async function lockMoney(tx: Tx, userId: number): Promise<void> {
  await sql`
    SELECT FROM accounts
    WHERE user_id = ${userId} OR teacher_id IN (SELECT id FROM teachers WHERE user_id = ${userId})
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
}
