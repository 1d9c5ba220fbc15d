import { type Kysely, sql } from 'kysely'
import type { ReceivedRatingFilters } from '../../contract/office-ratings.ts'
import type { StaffActionName } from '../../rules/office-actions.ts'
import { documentTag, teacherTag } from '../../rules/page-tags.ts'
import { PAGE_SIZE_MAX } from '../../rules/pager.ts'
import type { Schema } from '../database/schema.ts'
import { inOrder } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { countRatings, type RatingRow, readRatings, subjectOf } from './ratings.ts'

const PAGE_SIZE = 10

/** Whether a rating is of the teacher, or of one of the teacher's documents. */
const isReceivedBy = (teacherId: number) => sql<boolean>`r.id IN (
  SELECT id FROM ratings WHERE teacher_id = ${teacherId}
  UNION ALL
  SELECT rated.id FROM ratings rated JOIN documents own ON own.id = rated.document_id
  WHERE own.teacher_id = ${teacherId}
)`

/** Whether a rating has words, and no answer or one from before its author changed it. */
export const AWAITS_ANSWER = sql<boolean>`(
  r.comment <> '' AND (a.rating_id IS NULL OR a.rated_at <> r.created_at)
)`

/**
 * A page of the public ratings of a teacher, newest first, and how many of all ratings await an
 * answer.
 */
export async function receivedRatings(
  db: Kysely<Schema>,
  teacherId: number,
  filters: ReceivedRatingFilters,
): Promise<{ rows: RatingRow[]; total: number; awaiting: number; page: number; size: number }> {
  const { page = 0, size = PAGE_SIZE, awaits, stars, of, documentId } = filters
  const received = isReceivedBy(teacherId)
  const where = sql.join(
    [
      received,
      ...(awaits ? [AWAITS_ANSWER] : []),
      ...(stars ? [sql`r.stars = ${stars}`] : []),
      ...(of ? [sql`r.${sql.ref(`${of}_id`)} IS NOT NULL`] : []),
      ...(documentId ? [sql`r.document_id = ${documentId}`] : []),
    ],
    sql` AND `,
  )
  return {
    rows: await readRatings(db, undefined, where, { limit: size, offset: page * size }),
    total: await countRatings(db, undefined, where),
    awaiting: await countRatings(db, undefined, sql`${received} AND ${AWAITS_ANSWER}`),
    page,
    size,
  }
}

/** The teacher's documents that have ratings, by title. */
export async function ratedDocuments(
  db: Kysely<Schema>,
  teacherId: number,
): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    SELECT d.id, d.title FROM documents d
    WHERE d.teacher_id = ${teacherId} AND EXISTS (
      SELECT FROM ratings r WHERE r.document_id = d.id AND (r.counts OR rating_is_public(r))
    )
    ORDER BY ${inOrder(sql`d.title`)}, d.id LIMIT ${PAGE_SIZE_MAX}`.execute(db)
  return rows
}

type Shop = Pick<Deps, 'database' | 'publisher'>

export interface Answerer {
  /** The person who acts, as the log names them: `user 12`, or the command line. */
  readonly actor: string
  readonly teacherId: number
}

/**
 * An answer; `read` contains the times of the rating and of the previous answer as its author has
 * seen them.
 */
interface Answer {
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
