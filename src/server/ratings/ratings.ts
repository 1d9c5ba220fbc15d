import { type Kysely, type RawBuilder, sql } from 'kysely'
import { RATINGS_MAX } from '../../contract/ratings.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import { averageOf as averageOfSum, RATING_MAX } from '../../rules/rating.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

// The database decides which ratings count, keeps the sums on documents and teachers, and notes the
// pages that change (`database/migrations/ratings.ts`).

export type Subject = { readonly kind: 'document' | 'teacher'; readonly id: number }

/** The reader of ratings: a user's id, staff, who see all, or undefined for a visitor. */
type Viewer = number | 'staff' | undefined

export interface RatingRow {
  id: number
  userId: number
  firstName: string
  lastName: string
  email: string | null
  phone: string | null
  documentId: number | null
  documentTitle: string | null
  teacherId: number | null
  teacherName: string | null
  stars: number
  comment: string
  /** Whether it counts towards the average: it is public and by a buyer. */
  counts: boolean
  /** Whether it is not hidden, and the address of its author is confirmed. */
  isPublic: boolean
  hiddenAt: Date | null
  hiddenReason: string | null
  createdAt: Date
  answer: string | null
  answeredAt: Date | null
  /** Whether the author has changed the rating since the answer. */
  isAnswerOutdated: boolean
}

const NEWEST = sql`r.created_at DESC, r.id DESC`

const FROM = sql`
  FROM ratings r
  JOIN users u ON u.id = r.user_id
  LEFT JOIN documents d ON d.id = r.document_id
  LEFT JOIN teachers t ON t.id = r.teacher_id
  LEFT JOIN rating_answers a ON a.rating_id = r.id`

/** The condition that the viewer may see a rating; viewers always see their own. */
function isSeenBy(viewer: Viewer): RawBuilder<unknown> {
  const isSeen =
    viewer === 'staff'
      ? sql`true`
      : sql`(r.counts OR r.user_id = ${viewer ?? null}::integer OR rating_is_public(r))`
  return sql`r.withdrawn_at IS NULL AND ${isSeen}`
}

interface Span {
  readonly order?: RawBuilder<unknown>
  readonly limit?: number
  readonly offset?: number
}

/** Ratings as the viewer sees them, newest first unless ordered otherwise. */
export async function readRatings(
  db: Kysely<Schema>,
  viewer: Viewer,
  where: RawBuilder<unknown>,
  { order = NEWEST, limit = RATINGS_MAX, offset = 0 }: Span = {},
): Promise<RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    SELECT r.id, r.user_id, u.first_name, u.last_name, u.email, u.phone, r.document_id,
      d.title AS document_title, r.teacher_id,
      ${fullNameIn('t')} AS teacher_name,
      r.stars, r.comment, r.counts, r.counts OR rating_is_public(r) AS is_public, r.hidden_at,
      r.hidden_reason, r.created_at, a.text AS answer, a.answered_at,
      coalesce(a.rated_at <> r.created_at, false) AS is_answer_outdated
    ${FROM}
    WHERE ${isSeenBy(viewer)} AND ${where}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function countRatings(
  db: Kysely<Schema>,
  viewer: Viewer,
  where: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count ${FROM} WHERE ${isSeenBy(viewer)} AND ${where}`.execute(db)
  return rows[0]?.count ?? 0
}

const of = ({ kind, id }: Subject) => sql`r.${sql.ref(`${kind}_id`)} = ${id}`

/** The newest ratings of the whole shop, without those of documents no longer published. */
export function newestRatings(db: Kysely<Schema>, viewer: Viewer): Promise<RatingRow[]> {
  return readRatings(db, viewer, sql`(r.document_id IS NULL OR d.is_published)`)
}

/** A rating; undefined if the viewer may not see it, or its document is no longer published. */
export async function findRating(
  db: Kysely<Schema>,
  viewer: Viewer,
  id: number,
): Promise<RatingRow | undefined> {
  const where = sql`r.id = ${id} AND (r.document_id IS NULL OR d.is_published)`
  return (await readRatings(db, viewer, where))[0]
}

/** The newest ratings of a subject; `commented`: only those with words, those of buyers first. */
export function ratingsOf(
  db: Kysely<Schema>,
  viewer: Viewer,
  subject: Subject,
  commented = false,
): Promise<RatingRow[]> {
  if (!commented) return readRatings(db, viewer, of(subject))
  const where = sql`${of(subject)} AND r.comment <> ''`
  return readRatings(db, viewer, where, { order: sql`r.counts DESC, ${NEWEST}` })
}

export async function ratingBy(
  db: Kysely<Schema>,
  subject: Subject,
  userId: number,
): Promise<RatingRow | undefined> {
  return (await readRatings(db, userId, sql`${of(subject)} AND r.user_id = ${userId}`))[0]
}

/** The average of the ratings that count, 0 without any. Throws `…_not_found`. */
export async function averageOf(db: Kysely<Schema>, subject: Subject): Promise<number> {
  const { sum, count } = await requireSubject(db, subject)
  return averageOfSum(sum, count)
}

/**
 * How many of a document's ratings that count have each number of stars, from 1 on. Throws
 * `document_not_found`.
 */
export async function starsOf(db: Kysely<Schema>, documentId: number): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    SELECT ARRAY(
      SELECT count(r.id)::integer FROM generate_series(1, ${RATING_MAX}::integer) AS number
      LEFT JOIN ratings r ON r.document_id = d.id AND r.counts AND r.stars = number
      GROUP BY number ORDER BY number
    ) AS counts
    FROM documents d WHERE d.id = ${documentId} AND d.is_published`.execute(db)
  const [found] = rows
  if (!found) throw fault('document_not_found')
  return found.counts
}

/** The sums of the ratings that count. Throws `document_not_found` or `teacher_not_found`. */
export async function requireSubject(
  db: Kysely<Schema>,
  { kind, id }: Subject,
): Promise<{ sum: number; count: number }> {
  const { rows } = await sql<{ sum: number; count: number }>`
    SELECT rating_sum AS sum, rating_count AS count
    FROM ${sql.table(`${kind}s`)}
    WHERE id = ${id} ${kind === 'document' ? sql`AND is_published` : sql``}`.execute(db)
  const [found] = rows
  if (!found) throw fault(`${kind}_not_found`)
  return found
}

export function subjectOf({
  documentId,
  teacherId,
}: Pick<RatingRow, 'documentId' | 'teacherId'>): Subject {
  return documentId === null
    ? { kind: 'teacher', id: teacherId ?? 0 }
    : { kind: 'document', id: documentId }
}

interface Opinion {
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

/**
 * Moves one customer's ratings to another, whose own rating of the same document or teacher stays.
 * The database decides again which of them count, by the purchases of their new author.
 */
export async function mergeRatings(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await lockRater(tx, Math.min(fromId, intoId))
  await lockRater(tx, Math.max(fromId, intoId))
  await sql`
    DELETE FROM ratings gone USING ratings kept
    WHERE gone.user_id = ${fromId} AND kept.user_id = ${intoId}
      AND (gone.document_id = kept.document_id OR gone.teacher_id = kept.teacher_id)`.execute(tx)
  await tx.updateTable('ratings').set({ userId: intoId }).where('userId', '=', fromId).execute()
}

/** Recounts all ratings; returns the documents and teachers whose stored sums are wrong. */
export async function checkRatings(db: Kysely<Schema>): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    SELECT 'document' AS kind, d.id
    FROM documents d LEFT JOIN recounted_ratings() r ON r.document_id = d.id
    WHERE (d.rating_sum, d.rating_count)
      <> (coalesce(r.rating_sum, 0), coalesce(r.rating_count, 0))
    UNION ALL
    SELECT 'teacher', t.id
    FROM teachers t LEFT JOIN recounted_ratings() r ON r.teacher_id = t.id
    WHERE (t.rating_sum, t.rating_count, t.review_count)
      <> (coalesce(r.rating_sum, 0), coalesce(r.rating_count, 0), coalesce(r.review_count, 0))
    UNION ALL
    SELECT CASE WHEN r.document_id IS NULL THEN 'teacher' ELSE 'document' END,
      coalesce(r.document_id, r.teacher_id)
    FROM ratings r WHERE r.counts <> rating_counts(r)
    ORDER BY 1, 2`.execute(db)
  return rows
}
