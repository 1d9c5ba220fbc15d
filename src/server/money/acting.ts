import type { AnyCall } from '../../contract/call.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type Intent, once } from '../http/idempotency.ts'
import { COMMAND_LINE, userSubject } from '../staff-log/staff-log.ts'

/** Who of the shop does something with money. */
export interface Acting {
  /** As the log names them. */
  readonly actor: string
  /** The request that it is, which is done once however often it is sent. */
  readonly intent?: Intent
}

/** Somebody who types commands. */
export const BY_COMMAND: Acting = { actor: COMMAND_LINE }

/** Runs in one transaction what staff do; a request that was done before answers what it answered. */
export function act<T>(
  { database }: Pick<Deps, 'database'>,
  { intent }: Acting,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return transaction(database, (tx) => (intent ? once(tx, intent, () => work(tx)) : work(tx)))
}

/** The administrator who makes a call of the office that moves money. */
export function actingOf(
  call: AnyCall,
  { user, key, input }: { user: { readonly id: number }; key: string; input: object },
): Acting {
  const request = [call.path, input]
  return { actor: userSubject(user.id), intent: { userId: user.id, key, request } }
}
