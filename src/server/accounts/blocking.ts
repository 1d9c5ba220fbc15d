import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { COMMAND_LINE, logStaff, userActor, userSubject } from '../staff-log/staff-log.ts'
import { announceEnded } from './ended-sessions.ts'

export interface Blocking {
  readonly userId: number
  readonly actor: string
  readonly reason: string | null
}

/**
 * Keeps an account from logging in and ends all its log-ins immediately, in every instance. Its
 * money stays, and payments under way still count. Returns false if it was blocked before. Throws
 * `account_closed`, `own_account` and, in the office, `last_administrator`: nobody could undo it there.
 */
export const blockUser = (
  deps: Pick<Deps, 'database' | 'now'>,
  blocking: Blocking,
): Promise<boolean> => transaction(deps.database, (tx) => blockWithin(tx, deps, blocking))

export async function blockWithin(
  tx: Tx,
  { now }: Pick<Deps, 'now'>,
  blocking: Blocking,
): Promise<boolean> {
  await requireAnotherAdministrator(tx, blocking)
  const blocked = await tx
    .updateTable('users')
    .set((row) => ({
      blockedAt: new Date(now()),
      blockedReason: blocking.reason,
      // Tokens issued so far stay invalid even after an unblocking.
      tokenGeneration: row('tokenGeneration', '+', 1),
    }))
    .where('id', '=', blocking.userId)
    .where('blockedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!blocked) {
    await refuseClosed(tx, blocking.userId)
    return false
  }
  await announceEnded(tx, { userId: blocked.id })
  // An intruder may have asked for it.
  await tx.deleteFrom('contactChanges').where('userId', '=', blocked.id).execute()
  await note(tx, 'block', blocking)
  return true
}

async function requireAnotherAdministrator(tx: Tx, { userId, actor }: Blocking): Promise<void> {
  if (actor === userActor(userId)) throw fault('own_account')
  // The command line can always create another administrator.
  if (actor === COMMAND_LINE) return
  // One at a time: two administrators who block each other at once would leave none.
  await lock(tx, 'administrators')
  const others = await tx
    .selectFrom('users')
    .select(['id', 'role'])
    .where('role', '=', 'ADMIN')
    .where((row) =>
      row.or([
        row('id', '=', userId),
        row.and([row('passwordHash', 'is not', null), row('blockedAt', 'is', null)]),
      ]),
    )
    .execute()
  const isAdministrator = others.some(({ id }) => id === userId)
  if (isAdministrator && others.length === 1) throw fault('last_administrator')
}

/** Lets an account log in again. Returns false if it was not blocked. Throws `account_closed`. */
export function unblockUser(
  { database }: Pick<Deps, 'database'>,
  blocking: Blocking,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const unblocked = await tx
      .updateTable('users')
      .set({ blockedAt: null, blockedReason: null })
      .where('id', '=', blocking.userId)
      .where('blockedAt', 'is not', null)
      .where('mergedInto', 'is', null)
      .where('deletedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!unblocked) {
      await refuseClosed(tx, blocking.userId)
      return false
    }
    await note(tx, 'unblock', blocking)
    return true
  })
}

async function refuseClosed(tx: Tx, userId: number): Promise<void> {
  const closed = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((row) => row.or([row('mergedInto', 'is not', null), row('deletedAt', 'is not', null)]))
    .executeTakeFirst()
  if (closed) throw fault('account_closed')
}

function note(
  tx: Tx,
  action: 'block' | 'unblock',
  { userId, actor, reason }: Blocking,
): Promise<void> {
  return logStaff(tx, { actor, action, subject: userSubject(userId), reason })
}
