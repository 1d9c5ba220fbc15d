import { type Kysely, sql } from 'kysely'
import type { StaffActionName } from '../../../rules/office-actions.ts'
import { RELATED_MS } from '../../../rules/two-people.ts'
import type { Schema } from '../../database/schema.ts'
import { COMMAND_LINE } from '../../staff-log/staff-log.ts'

/** What sets or resets the log-in of somebody else. */
const SETS_LOG_IN = [
  'invite administrator',
  'send password link',
  'reset second factor',
] as const satisfies readonly StaffActionName[]

/**
 * The administrators who are another person than `actor`: they can log in, and neither of the two
 * has set the other's log-in lately. The log of staff says so, which nobody can change.
 */
export async function secondsFor(
  db: Kysely<Schema>,
  { actor, at }: { actor: string; at: number },
): Promise<string[]> {
  const { rows } = await sql<{ second: string }>`
    WITH others AS (
      SELECT id, 'user ' || id AS name FROM users
      WHERE role = 'ADMIN' AND password_hash IS NOT NULL AND blocked_at IS NULL
    )
    SELECT name AS second FROM others WHERE name <> ${actor}
      AND NOT EXISTS (SELECT FROM staff_log l
        WHERE l.subject_kind = 'user' AND l.action = ANY (${SETS_LOG_IN}::text[])
          AND l.made_at > ${new Date(at - RELATED_MS)}
          AND ((l.actor = ${actor} AND l.subject_id = others.id)
            OR (l.actor = others.name AND 'user ' || l.subject_id = ${actor})))
    ORDER BY id`.execute(db)
  return rows.map(({ second }) => second)
}

/** Whether `second` confirms as another person what `actor` began. */
export async function isSecond(
  db: Kysely<Schema>,
  { actor, second, at }: { actor: string; second: string; at: number },
): Promise<boolean> {
  if (actor === second) return false
  // A shell has everything; whom it has just let in, it is no second for.
  if (second === COMMAND_LINE) {
    return !(await setLogInLately(db, { actor: second, of: actor, at }))
  }
  return (await secondsFor(db, { actor, at })).includes(second)
}

async function setLogInLately(
  db: Kysely<Schema>,
  { actor, of, at }: { actor: string; of: string; at: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('staffLog')
    .select('id')
    .where('actor', '=', actor)
    .where('action', 'in', SETS_LOG_IN)
    .where('subjectKind', '=', 'user')
    .where(sql<string>`'user ' || subject_id`, '=', of)
    .where('madeAt', '>', new Date(at - RELATED_MS))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
