import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'
import { lockRater, tagsOf } from './rate.ts'
import { type RatingRow, readRatings, subjectOf } from './read-ratings.ts'

/**
 * Hides a rating from everyone but its author, who reads the reason, or with `null` shows it again.
 * Returns the changed rating, or null if there is none. Throws `done_before` if somebody else did
 * the same first, and `rating_not_hidden`.
 */
export async function setHidden(
  deps: Pick<Deps, 'database' | 'publisher'>,
  ratingId: number,
  { actor, reason }: { actor: string; reason: string | null },
): Promise<RatingRow | null> {
  const find = async (tx: Tx) => (await readRatings(tx, 'staff', sql`r.id = ${ratingId}`))[0]
  const action = reason === null ? 'unhide' : 'hide'
  const subject = { kind: 'rating', id: ratingId }
  return await changePages(deps, async (tx, markStale) => {
    const found = await find(tx)
    if (!found) return null
    await lockRater(tx, found.userId)
    const { numUpdatedRows } = await tx
      .updateTable('ratings')
      .set({ hiddenAt: reason === null ? null : sql<Date>`now()`, hiddenReason: reason })
      .where('id', '=', ratingId)
      .where('withdrawnAt', 'is', null)
      .where('hiddenAt', reason === null ? 'is not' : 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      // Its author may have deleted it meanwhile.
      if (!(await find(tx))) return null
      throw (await doneBefore(tx, { subject, actions: [action] })) ?? fault('rating_not_hidden')
    }
    await logStaff(tx, { actor, action, subject, reason })
    // Rendered immediately: an insult must not stay for another minute.
    markStale(tagsOf(subjectOf(found)))
    return (await find(tx)) ?? null
  })
}
