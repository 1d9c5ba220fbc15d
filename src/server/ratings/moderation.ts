import { sql } from 'kysely'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { noteChanges } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { lockRater, tagsOf } from './rate.ts'
import { type RatingRow, readRatings, subjectOf } from './read-ratings.ts'

/** The longest reason, in characters. */
export const REASON_MAX_LENGTH = 500

/**
 * Hides a rating from everybody but its author, who reads the reason, or with `null` shows it
 * again. Returns the changed rating, null if there is none.
 */
export async function setHidden(
  deps: Pick<Deps, 'database' | 'publisher'>,
  ratingId: number,
  { actor, reason }: { actor: string; reason: string | null },
): Promise<RatingRow | null> {
  const one = sql`r.id = ${ratingId}`
  const action = reason === null ? 'unhide' : 'hide'
  const hidden = await transaction(deps.database, async (tx) => {
    const [found] = await readRatings(tx, 'staff', one)
    if (!found) return null
    await lockRater(tx, found.userId)
    await tx
      .updateTable('ratings')
      .set({ hiddenAt: reason === null ? null : sql<Date>`now()`, hiddenReason: reason })
      .where('id', '=', ratingId)
      .where('withdrawnAt', 'is', null)
      .execute()
    await logStaff(tx, { actor, action, subject: `rating ${ratingId}`, reason })
    // At once: an insult must not stay for another minute.
    await noteChanges(tx, tagsOf(subjectOf(found)))
    const [row] = await readRatings(tx, 'staff', one)
    return row ?? null
  })
  if (hidden) deps.publisher.changed(tagsOf(subjectOf(hidden)))
  return hidden
}
