import type { Tx } from '../database/transaction.ts'

/** Who acts through `npm run office`. */
export const COMMAND_LINE = 'command line'

export interface StaffAction {
  /** Who does it, such as `COMMAND_LINE`. */
  readonly actor: string
  /** A verb: `block`, `invite administrator`. */
  readonly action: string
  /** What it is done to, such as `user 12`. */
  readonly subject: string
  readonly reason?: string | null
}

/** Notes what staff do, in the transaction that does it; the database refuses to change it later. */
export async function logStaff(tx: Tx, { actor, action, subject, reason }: StaffAction) {
  await tx
    .insertInto('staffLog')
    .values({ actor, action, subject, reason: reason ?? null })
    .execute()
}

/** How the log names an account. */
export function userSubject(id: number): string {
  return `user ${id}`
}

/** What the log holds of a change, in characters. */
const CHANGES_MAX_LENGTH = 1000

/** The new values of fields, as the reason of a change: `title="…" price=5000`. */
export function describeChanges(changes: readonly (readonly [field: string, value: unknown])[]) {
  return changes
    .map(([field, value]) => `${field}=${JSON.stringify(value)}`)
    .join(' ')
    .slice(0, CHANGES_MAX_LENGTH)
}
