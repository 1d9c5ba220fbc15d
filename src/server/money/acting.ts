import type { AnyCall } from '../../contract/call.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type Intent, once } from '../http/idempotency.ts'
import type { User } from '../http/route.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'

export interface Acting {
  /** Their subject in the staff log. */
  readonly actor: string
  /** The request behind the movement; it takes effect once, however often it is sent. */
  readonly intent?: Intent
  /** A command by hand in a shell, which no bound holds: a shell has everything. */
  readonly isOperator?: true
}

/** An operator at the command line. */
export const BY_COMMAND: Acting = { actor: COMMAND_LINE, isOperator: true }

/** Runs `work` in one transaction; a repeated request gets the stored result of the first. */
export function act<T>(
  { database }: Pick<Deps, 'database'>,
  { intent }: Acting,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return transaction(database, (tx) => (intent ? once(tx, intent, () => work(tx)) : work(tx)))
}

/** The administrator behind an office call that moves money, with the call's idempotency key. */
export function actingOf(
  call: AnyCall,
  { user, key, input }: { user: Pick<User, 'id' | 'actor'>; key: string; input: object },
): Acting {
  const request = [call.path, input]
  return { actor: user.actor, intent: { userId: user.id, key, request } }
}
