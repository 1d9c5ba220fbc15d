import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** Records that these users are online; `now` in milliseconds since 1970. */
export async function notePresence(
  db: Kysely<Schema>,
  userIds: readonly number[],
  now: number,
): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    INSERT INTO chat_presence AS known (user_id, seen_at)
    SELECT id, ${new Date(now)}::timestamptz FROM unnest(${userIds}::integer[]) AS seen (id)
    ORDER BY id
    ON CONFLICT (user_id) DO UPDATE SET seen_at = greatest(known.seen_at, excluded.seen_at)`.execute(
    db,
  )
}
