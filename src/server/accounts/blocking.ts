import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { logStaff, userSubject } from '../staff-log/staff-log.ts'
import { announceEnded } from './ended-sessions.ts'

/** Who blocks or unblocks whom, and why. */
export interface Blocking {
  readonly userId: number
  readonly actor: string
  readonly reason: string | null
}

/**
 * Keeps an account from logging in and ends all its log-ins at once, in every instance. Its money
 * stays, and payments on their way still count. False when it was blocked before.
 */
export function blockUser(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  blocking: Blocking,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const blocked = await tx
      .updateTable('users')
      .set((row) => ({
        blockedAt: new Date(now()),
        // The tokens given out so far stay dead after an unblocking, too.
        tokenGeneration: row('tokenGeneration', '+', 1),
      }))
      .where('id', '=', blocking.userId)
      .where('blockedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!blocked) return false
    await announceEnded(tx, { userId: blocked.id })
    await note(tx, 'block', blocking)
    return true
  })
}

/** Lets an account log in again. False when it was not blocked. */
export function unblockUser(
  { database }: Pick<Deps, 'database'>,
  blocking: Blocking,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const unblocked = await tx
      .updateTable('users')
      .set({ blockedAt: null })
      .where('id', '=', blocking.userId)
      .where('blockedAt', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (!unblocked) return false
    await note(tx, 'unblock', blocking)
    return true
  })
}

function note(tx: Tx, action: string, { userId, actor, reason }: Blocking): Promise<void> {
  return logStaff(tx, { actor, action, subject: userSubject(userId), reason })
}
