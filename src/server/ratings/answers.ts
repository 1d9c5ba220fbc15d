import { sql } from 'kysely'
import type { StaffActionName } from '../../rules/office-actions.ts'
import { documentTag, teacherTag } from '../../rules/page-tags.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { type RatingRow, readRatings, subjectOf } from './read-ratings.ts'
import { isReceivedBy } from './received.ts'

type Shop = Pick<Deps, 'database' | 'publisher'>

/** The teacher who answers. */
export interface Answerer {
  /** Who acts, as the log names them: `user 12`, or the command line. */
  readonly actor: string
  readonly teacherId: number
}

/**
 * An answer; `read` contains the times of the rating and of the previous answer as its author has
 * seen them.
 */
export interface Answer {
  readonly text: string
  readonly read?: { readonly ratedAt: string; readonly answeredAt: string | null }
}

/**
 * Writes or changes the only answer to a rating; an identical answer changes nothing. Throws
 * `not_found`, `rating_without_words`, `rating_changed`.
 */
export function answerRating(
  shop: Shop,
  ratingId: number,
  by: Answerer,
  { text, read }: Answer,
): Promise<RatingRow> {
  return changeAnswer(shop, ratingId, by, async (tx, rating) => {
    if (rating.comment === '') throw fault('rating_without_words')
    if (rating.answer === text && !rating.isAnswerOutdated) return null
    if (read && !isAsRead(rating, read)) throw fault('rating_changed')
    await sql`
      INSERT INTO rating_answers (rating_id, text, rated_at)
      SELECT id, ${text}, created_at FROM ratings WHERE id = ${ratingId}
      ON CONFLICT (rating_id) DO UPDATE
      SET text = excluded.text, rated_at = excluded.rated_at, answered_at = now()`.execute(tx)
    return rating.answer === null ? 'answer' : 'change answer'
  })
}

/** Removes an answer. Throws `not_found`. */
export function removeAnswer(shop: Shop, ratingId: number, by: Answerer): Promise<RatingRow> {
  return changeAnswer(shop, ratingId, by, async (tx, { answer }) => {
    if (answer === null) return null
    await tx.deleteFrom('ratingAnswers').where('ratingId', '=', ratingId).execute()
    return 'remove answer'
  })
}

/**
 * Runs `change` with the rating locked; it returns its action for the log, or null if nothing
 * changed.
 */
async function changeAnswer(
  shop: Shop,
  ratingId: number,
  { actor, teacherId }: Answerer,
  change: (tx: Tx, rating: RatingRow) => Promise<StaffActionName | null>,
): Promise<RatingRow> {
  return await changePages(shop, async (tx, markStale) => {
    await sql`SELECT FROM ratings WHERE id = ${ratingId} FOR NO KEY UPDATE`.execute(tx)
    const isTheirs = isReceivedBy(teacherId)
    // A rating that only its author sees is hidden from the teacher, too.
    const find = () => readRatings(tx, undefined, sql`r.id = ${ratingId} AND ${isTheirs}`)
    const [found] = await find()
    if (!found) throw fault('not_found')
    const action = await change(tx, found)
    if (action === null) return found
    await logStaff(tx, { actor, action, subject: { kind: 'rating', id: ratingId } })
    const { kind, id } = subjectOf(found)
    markStale([kind === 'document' ? documentTag(id) : teacherTag(id)])
    const [changed] = await find()
    return changed ?? found
  })
}

function isAsRead(
  { createdAt, answeredAt }: RatingRow,
  read: { ratedAt: string; answeredAt: string | null },
): boolean {
  const written = answeredAt?.toISOString() ?? null
  return createdAt.toISOString() === read.ratedAt && written === read.answeredAt
}
