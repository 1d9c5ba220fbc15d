import { type Kysely, sql } from 'kysely'
import { HOUR_MS } from '../../rules/durations.ts'
import { type StaffActionName, userSubject } from '../../rules/office-actions.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { type ApiFault, fault } from '../http/errors.ts'

export { COMMAND_LINE, userSubject } from '../../rules/office-actions.ts'

export interface StaffAction {
  /** The actor: `user 12`, or `COMMAND_LINE`. */
  readonly actor: string
  readonly action: StaffActionName
  /** The subject of the action, such as `user 12`. */
  readonly subject: string
  readonly reason?: string | null
}

/** Logs actions of staff in the transaction of the actions; the database refuses later changes. */
export async function logStaff(tx: Tx, ...actions: readonly StaffAction[]) {
  const rows = actions.map(({ actor, action, subject, reason = null }) => {
    return { actor, action, subject, reason }
  })
  await tx.insertInto('staffLog').values(rows).execute()
}

/** How long, in milliseconds, one logged view of a customer's data covers further views. */
const SIGHT_MS = HOUR_MS

/** Logs that a member of staff saw a customer's data, at most once an hour. */
export async function logSight(
  { kysely }: Pick<Database, 'kysely'>,
  { actor, subject }: Pick<StaffAction, 'actor' | 'subject'>,
  now: number,
): Promise<void> {
  await sql`
    INSERT INTO staff_log (made_at, actor, action, subject)
    SELECT ${new Date(now)}, ${actor}, ${SEE}, ${subject}
    WHERE NOT EXISTS (SELECT FROM staff_log WHERE subject = ${subject} AND actor = ${actor}
      AND action = ${SEE} AND made_at > ${new Date(now - SIGHT_MS)})`.execute(kysely)
}

/** The action of a row that logs a view and no change. */
export const SEE = 'see' satisfies StaffActionName

/**
 * The fault `done_before` for a caller after whom nothing is left to do: it names who last did one
 * of these actions to a subject, and when. Undefined if the log contains none of them.
 */
export async function doneBefore(
  db: Kysely<Schema>,
  { subject, actions }: { subject: string; actions: readonly StaffActionName[] },
): Promise<ApiFault | undefined> {
  const row = await db
    .selectFrom('staffLog')
    .select(['actor', 'madeAt'])
    .where('subject', '=', subject)
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const names = await actorNames(db, [row.actor])
  const by = names.get(row.actor) ?? row.actor
  return fault('done_before', { done: { by, at: row.madeAt.toISOString() } })
}

/** The names of actors in the log: a staff member's name, else the e-mail address. */
export async function actorNames(
  db: Kysely<Schema>,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const ids = actors.flatMap((actor) => /^user (\d+)$/.exec(actor)?.[1] ?? [])
  const users =
    ids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'firstName', 'lastName', 'email'])
          .where('id', 'in', ids.map(Number))
          .execute()
  return new Map(
    users.map(({ id, firstName, lastName, email }) => [
      userSubject(id),
      `${firstName} ${lastName}`.trim() || email,
    ]),
  )
}

/** How many characters of a change the log holds. */
const CHANGES_MAX_LENGTH = 1000

/** The new values of fields as one line for the log: `title="…" price=5000`. */
export function describeChanges(changes: readonly (readonly [field: string, value: unknown])[]) {
  return changes
    .map(([field, value]) => `${field}=${JSON.stringify(value)}`)
    .join(' ')
    .slice(0, CHANGES_MAX_LENGTH)
}
