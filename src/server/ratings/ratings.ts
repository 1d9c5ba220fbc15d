import { type Kysely, type RawBuilder, sql } from 'kysely'
import { RATINGS_MAX } from '../../contract/ratings.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

// The database decides which ratings count, keeps the sums on documents and teachers, and notes the
// pages that change (migration 0010).

/** What is rated. */
export type Subject = { readonly kind: 'document' | 'teacher'; readonly id: number }

/** Who looks: others' ratings are shown to all once they are public, and all of them to staff. */
export type Viewer = number | 'staff' | undefined

export interface RatingRow {
  id: number
  user_id: number
  first_name: string
  last_name: string
  email: string
  document_id: number | null
  document_title: string | null
  teacher_id: number | null
  teacher_name: string | null
  stars: number
  comment: string
  /** By a buyer, and public: part of the average. */
  counts: boolean
  /** Not hidden, and its author's address is confirmed. */
  is_public: boolean
  hidden_at: Date | null
  hidden_reason: string | null
  created_at: Date
}

/** A rating as it is written. */
export interface Opinion {
  readonly stars: number
  readonly comment: string
}

const NEWEST = sql`r.created_at DESC, r.id DESC`

/** Ratings as the viewer sees them; their own are always among them. */
export async function readRatings(
  db: Kysely<Schema>,
  viewer: Viewer,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown> = NEWEST,
): Promise<RatingRow[]> {
  const isSeen =
    viewer === 'staff'
      ? sql`true`
      : sql`(r.counts OR r.user_id = ${viewer ?? null}::integer OR rating_is_public(r))`
  const { rows } = await sql<RatingRow>`
    SELECT r.id, r.user_id, u.first_name, u.last_name, u.email, r.document_id,
      d.title AS document_title, r.teacher_id,
      trim(t.first_name || ' ' || t.last_name) AS teacher_name,
      r.stars, r.comment, r.counts, r.counts OR rating_is_public(r) AS is_public, r.hidden_at,
      r.hidden_reason, r.created_at
    FROM ratings r
    JOIN users u ON u.id = r.user_id
    LEFT JOIN documents d ON d.id = r.document_id
    LEFT JOIN teachers t ON t.id = r.teacher_id
    WHERE r.withdrawn_at IS NULL AND ${isSeen} AND ${where}
    ORDER BY ${order} LIMIT ${RATINGS_MAX}`.execute(db)
  return rows
}

const of = ({ kind, id }: Subject) => sql`r.${sql.ref(`${kind}_id`)} = ${id}`

/** The newest ratings of the whole shop; not of what is no longer published. */
export function newestRatings(db: Kysely<Schema>, viewer: Viewer): Promise<RatingRow[]> {
  return readRatings(db, viewer, sql`(r.document_id IS NULL OR d.is_published)`)
}

/** One rating; undefined when the viewer has none of it, or it is of what is no longer published. */
export async function findRating(
  db: Kysely<Schema>,
  viewer: Viewer,
  id: number,
): Promise<RatingRow | undefined> {
  const where = sql`r.id = ${id} AND (r.document_id IS NULL OR d.is_published)`
  return (await readRatings(db, viewer, where))[0]
}

/** The newest ratings of a subject. */
export function ratingsOf(
  db: Kysely<Schema>,
  viewer: Viewer,
  subject: Subject,
): Promise<RatingRow[]> {
  return readRatings(db, viewer, of(subject))
}

/** Those with words, buyers' first. */
export function commentsOn(
  db: Kysely<Schema>,
  viewer: Viewer,
  subject: Subject,
): Promise<RatingRow[]> {
  const where = sql`${of(subject)} AND r.comment <> ''`
  return readRatings(db, viewer, where, sql`r.counts DESC, ${NEWEST}`)
}

/** A user's rating of a subject; undefined when there is none. */
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
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100
}

/** Throws `document_not_found` or `teacher_not_found`; gives the sums of the ratings that count. */
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

/** Rates; an earlier rating by the same user is replaced. Throws `…_not_found`. */
export async function rate(
  database: Database,
  userId: number,
  subject: Subject,
  { stars, comment }: Opinion,
): Promise<RatingRow> {
  return transaction(database, async (tx) => {
    await requireSubject(tx, subject)
    const target = sql.ref(`${subject.kind}_id`)
    // One that staff have hidden stays so.
    await sql`
      INSERT INTO ratings (user_id, ${target}, stars, comment)
      VALUES (${userId}, ${subject.id}, ${stars}, ${comment})
      ON CONFLICT (${target}, user_id) DO UPDATE SET stars = excluded.stars,
        comment = excluded.comment, created_at = now(), withdrawn_at = NULL,
        predates_confirmation = false`.execute(tx)
    return required(await ratingBy(tx, subject, userId))
  })
}

/** Changes a rating, by its author only. Throws `not_found`, `forbidden`. */
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
      .set({ stars, comment, created_at: sql<Date>`now()`, predates_confirmation: false })
      .where('id', '=', ratingId)
      .execute()
    return required(await ratingBy(tx, subject, userId))
  })
}

/** Removes a rating, by its author only, and gives what it was. Throws `not_found`, `forbidden`. */
export async function removeRating(
  database: Database,
  userId: number,
  ratingId: number,
): Promise<RatingRow> {
  return transaction(database, async (tx) => {
    await lockRater(tx, userId)
    const rating = await requireOwnRating(tx, userId, ratingId)
    if (rating.hidden_at === null) {
      await tx.deleteFrom('ratings').where('id', '=', ratingId).execute()
    } else {
      // That it was hidden is kept, or deleting and writing it again would show it.
      await tx
        .updateTable('ratings')
        .set({ comment: '', withdrawn_at: sql<Date>`now()` })
        .where('id', '=', ratingId)
        .execute()
    }
    return rating
  })
}

/** What a rating is of. */
export function subjectOf({
  document_id,
  teacher_id,
}: Pick<RatingRow, 'document_id' | 'teacher_id'>): Subject {
  return document_id === null
    ? { kind: 'teacher', id: teacher_id ?? 0 }
    : { kind: 'document', id: document_id }
}

/** The tags of the pages that show ratings of the subject, or their average. */
export function tagsOf({ kind, id }: Subject): string[] {
  return kind === 'document' ? [documentTag(id), CATALOGUE_TAG] : [teacherTag(id), TEACHERS_TAG]
}

/**
 * Lets one transaction at a time decide which ratings of an author count. Before the rating itself
 * is locked: purchases lock in this order, too.
 */
export async function lockRater(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT lock_rater(${userId})`.execute(tx)
}

async function requireOwnRating(tx: Tx, userId: number, id: number): Promise<RatingRow> {
  const rating = await findRating(tx, userId, id)
  if (!rating) throw fault('not_found')
  if (rating.user_id !== userId) throw fault('forbidden')
  return rating
}

function required(row: RatingRow | undefined): RatingRow {
  if (!row) throw new Error('the rating was not written')
  return row
}
