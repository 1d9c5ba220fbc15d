import { type Kysely, sql } from 'kysely'
import { HOUR_MS } from '../../rules/durations.ts'
import { nameOrContact } from '../../rules/full-name.ts'
import { type StaffActionName, userActor } from '../../rules/office-actions.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'

export { COMMAND_LINE, userActor } from '../../rules/office-actions.ts'

/**
 * What an action was done to: a row by its kind and id, or by its name what has no id, such as
 * `page faq`.
 */
export interface LogSubject {
  readonly kind: string
  readonly id?: number
}

export const userSubject = (id: number): LogSubject => ({ kind: 'user', id })

interface StaffAction {
  /** The actor: `user 12`, or `COMMAND_LINE`. */
  readonly actor: string
  readonly action: StaffActionName
  readonly subject: LogSubject
  readonly reason?: string | null
}

/** Logs actions of staff in the transaction of the actions; the database refuses later changes. */
export async function logStaff(tx: Tx, ...actions: readonly StaffAction[]) {
  const rows = actions.map(({ actor, action, subject, reason = null }) => {
    return { actor, action, subjectKind: subject.kind, subjectId: subject.id ?? null, reason }
  })
  await tx.insertInto('staffLog').values(rows).execute()
}

/** Logs what a member of staff did to the own account. */
export function logOwn(tx: Tx, userId: number, action: StaffActionName): Promise<void> {
  return logStaff(tx, { actor: userActor(userId), action, subject: userSubject(userId) })
}

/** How long, in milliseconds, one logged view of a customer's data covers further views. */
const SIGHT_MS = HOUR_MS

/** Logs that a member of staff saw a customer's data, at most once an hour. */
export async function logSight(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  actor: string,
  userId: number,
): Promise<void> {
  const at = now()
  await sql`
    INSERT INTO staff_log (made_at, actor, action, subject_kind, subject_id)
    SELECT ${new Date(at)}, ${actor}, ${SEE}, 'user', ${userId}::integer
    WHERE NOT EXISTS (SELECT FROM staff_log
      WHERE subject_kind = 'user' AND subject_id = ${userId} AND actor = ${actor}
        AND action = ${SEE} AND made_at > ${new Date(at - SIGHT_MS)})`.execute(database.kysely)
}

/** The action of a row that logs a view and no change. */
export const SEE = 'see' satisfies StaffActionName

/**
 * The fault `done_before` for a caller after whom nothing is left to do: it names who last did one
 * of these actions to a subject, and when. Undefined if the log contains none of them.
 */
export async function doneBefore(
  db: Kysely<Schema>,
  { subject, actions }: { subject: LogSubject; actions: readonly StaffActionName[] },
): Promise<ApiFault | undefined> {
  const row = await db
    .selectFrom('staffLog')
    .select(['actor', 'madeAt'])
    .where('subjectKind', '=', subject.kind)
    .where('subjectId', subject.id === undefined ? 'is' : '=', subject.id ?? null)
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const names = await actorNames(db, [row.actor])
  const by = names.get(row.actor) ?? row.actor
  return fault('done_before', { done: { by, at: row.madeAt.toISOString() } })
}

/** The names of actors in the log: a staff member's name, else the contact. */
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
          .select(['id', 'firstName', 'lastName', 'email', 'phone'])
          .where('id', 'in', ids.map(Number))
          .execute()
  return new Map(users.map((user) => [userActor(user.id), nameOrContact(user)]))
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
