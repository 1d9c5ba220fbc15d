import { sql } from 'kysely'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import type { Database } from '../database/pool.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import {
  findRating,
  type RatingRow,
  ratingBy,
  requireSubject,
  type Subject,
  subjectOf,
} from './read-ratings.ts'

/** The content of a rating. */
export interface Opinion {
  readonly stars: number
  readonly comment: string
}

/** Writes a rating, which replaces an earlier one by the same user. Throws `…_not_found`. */
export async function rate(
  database: Database,
  userId: number,
  subject: Subject,
  { stars, comment }: Opinion,
): Promise<RatingRow> {
  return transaction(database, async (tx) => {
    await requireSubject(tx, subject)
    const target = sql.ref(`${subject.kind}_id`)
    // `hidden_at` stays: a rating that staff have hidden remains hidden.
    await sql`
      INSERT INTO ratings (user_id, ${target}, stars, comment)
      VALUES (${userId}, ${subject.id}, ${stars}, ${comment})
      ON CONFLICT (${target}, user_id) DO UPDATE SET stars = excluded.stars,
        comment = excluded.comment, created_at = now(), withdrawn_at = NULL,
        predates_confirmation = false`.execute(tx)
    return required(await ratingBy(tx, subject, userId))
  })
}

/** Changes a rating, for its author only. Throws `not_found`, `forbidden`. */
export async function changeRating(
  database: Database,
  userId: number,
  ratingId: number,
  { stars, comment }: Opinion,
): Promise<RatingRow> {
  return transaction(database, async (tx) => {
    await lockRater(tx, userId)
    const subject = subjectOf(await requireOwnRating(tx, userId, ratingId))
    await tx
      .updateTable('ratings')
      .set({ stars, comment, createdAt: sql<Date>`now()`, predatesConfirmation: false })
      .where('id', '=', ratingId)
      .execute()
    return required(await ratingBy(tx, subject, userId))
  })
}

/** Removes a rating, for its author only, and returns it. Throws `not_found`, `forbidden`. */
export async function removeRating(
  database: Database,
  userId: number,
  ratingId: number,
): Promise<RatingRow> {
  return transaction(database, async (tx) => {
    await lockRater(tx, userId)
    const rating = await requireOwnRating(tx, userId, ratingId)
    if (rating.hiddenAt === null) {
      await tx.deleteFrom('ratings').where('id', '=', ratingId).execute()
    } else {
      // The row stays, hidden: otherwise deleting the rating and writing it again would make it
      // visible.
      await tx.deleteFrom('ratingAnswers').where('ratingId', '=', ratingId).execute()
      await tx
        .updateTable('ratings')
        .set({ comment: '', withdrawnAt: sql<Date>`now()` })
        .where('id', '=', ratingId)
        .execute()
    }
    return rating
  })
}

/** The tags of the pages that show ratings of the subject, or their average. */
export function tagsOf({ kind, id }: Subject): string[] {
  return kind === 'document' ? [documentTag(id), CATALOGUE_TAG] : [teacherTag(id), TEACHERS_TAG]
}

/**
 * Lets only one transaction at a time decide which ratings of an author count. Call it before
 * locking the rating itself: purchases lock in this order, too.
 */
export async function lockRater(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT lock_rater(${userId})`.execute(tx)
}

async function requireOwnRating(tx: Tx, userId: number, id: number): Promise<RatingRow> {
  const rating = await findRating(tx, userId, id)
  if (!rating) throw fault('not_found')
  if (rating.userId !== userId) throw fault('forbidden')
  return rating
}

function required(row: RatingRow | undefined): RatingRow {
  if (!row) throw new Error('the rating was not written')
  return row
}
