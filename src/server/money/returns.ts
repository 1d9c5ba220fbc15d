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
