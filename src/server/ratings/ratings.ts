import { type Kysely, type RawBuilder, sql } from 'kysely'
import { RATINGS_MAX } from '../../contract/ratings.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

// The sums on documents and teachers follow by themselves (migration 0002).

/** What is rated. */
export type Subject = { readonly kind: 'document' | 'teacher'; readonly id: number }

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
  is_verified: boolean
  created_at: Date
}

/** A rating as it is written. */
export interface Opinion {
  readonly stars: number
  readonly comment: string
}

const NEWEST = sql`r.created_at DESC, r.id DESC`

async function read(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown> = NEWEST,
): Promise<RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    SELECT r.id, r.user_id, u.first_name, u.last_name, u.email, r.document_id,
      d.title AS document_title, r.teacher_id,
      trim(t.first_name || ' ' || t.last_name) AS teacher_name,
      r.stars, r.comment, r.is_verified, r.created_at
    FROM ratings r
    JOIN users u ON u.id = r.user_id
    LEFT JOIN documents d ON d.id = r.document_id
    LEFT JOIN teachers t ON t.id = r.teacher_id
    WHERE ${where} ORDER BY ${order} LIMIT ${RATINGS_MAX}`.execute(db)
  return rows
}

const of = ({ kind, id }: Subject) => sql`r.${sql.ref(`${kind}_id`)} = ${id}`

/** The newest ratings of the whole shop; not of what is no longer published. */
export function newestRatings(db: Kysely<Schema>): Promise<RatingRow[]> {
  return read(db, sql`(r.document_id IS NULL OR d.is_published)`)
}

/** One rating; undefined when there is none, or it is of what is no longer published. */
export async function findRating(db: Kysely<Schema>, id: number): Promise<RatingRow | undefined> {
  return (await read(db, sql`r.id = ${id} AND (r.document_id IS NULL OR d.is_published)`))[0]
}

/** The newest ratings of a subject. */
export function ratingsOf(db: Kysely<Schema>, subject: Subject): Promise<RatingRow[]> {
  return read(db, of(subject))
}

/** Those with words, owners' first. */
export function commentsOn(db: Kysely<Schema>, subject: Subject): Promise<RatingRow[]> {
  return read(db, sql`${of(subject)} AND r.comment <> ''`, sql`r.is_verified DESC, ${NEWEST}`)
}

/** A user's rating of a subject; undefined when there is none. */
export async function ratingBy(
  db: Kysely<Schema>,
  subject: Subject,
  userId: number,
): Promise<RatingRow | undefined> {
  return (await read(db, sql`${of(subject)} AND r.user_id = ${userId}`))[0]
}

/** The average of the owners' ratings, 0 without any. Throws `…_not_found`. */
export async function averageOf(db: Kysely<Schema>, subject: Subject): Promise<number> {
  const { sum, count } = await requireSubject(db, subject)
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100
}

/** Throws `document_not_found` or `teacher_not_found`; gives the sums of its verified ratings. */
export async function requireSubject(
  db: Kysely<Schema>,
  { kind, id }: Subject,
): Promise<{ sum: number; count: number; teacherId: number }> {
  const { rows } = await sql<{ sum: number; count: number; teacherId: number }>`
    SELECT rating_sum AS sum, rating_count AS count,
      ${sql.ref(kind === 'document' ? 'teacher_id' : 'id')} AS "teacherId"
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
  opinion: Opinion,
): Promise<RatingRow> {
  return transaction(database, async (tx) => {
    await requireSubject(tx, subject)
    const isVerified = await isOwner(tx, userId, subject)
    const target = sql.ref(`${subject.kind}_id`)
    await sql`
      INSERT INTO ratings (user_id, ${target}, stars, comment, is_verified)
      VALUES (${userId}, ${subject.id}, ${opinion.stars}, ${opinion.comment}, ${isVerified})
      ON CONFLICT (${target}, user_id) DO UPDATE SET stars = excluded.stars,
        comment = excluded.comment, is_verified = excluded.is_verified, created_at = now()`.execute(
      tx,
    )
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
    const subject = subjectOf(await requireOwnRating(tx, userId, ratingId))
    const is_verified = await isOwner(tx, userId, subject)
    await tx
      .updateTable('ratings')
      .set({ stars, comment, is_verified, created_at: sql<Date>`now()` })
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
    const rating = await requireOwnRating(tx, userId, ratingId)
    await tx.deleteFrom('ratings').where('id', '=', ratingId).execute()
    return rating
  })
}

/** What a rating is of. */
export function subjectOf({ document_id, teacher_id }: RatingRow): Subject {
  return document_id === null
    ? { kind: 'teacher', id: teacher_id ?? 0 }
    : { kind: 'document', id: document_id }
}

async function requireOwnRating(tx: Tx, userId: number, id: number): Promise<RatingRow> {
  const rating = await findRating(tx, id)
  if (!rating) throw fault('not_found')
  if (rating.user_id !== userId) throw fault('forbidden')
  return rating
}

/**
 * Whether the user owns the document, or one of the teacher's. The user's row is locked, which a
 * purchase under way has in use: either it is seen here, or it will see the rating.
 */
async function isOwner(tx: Tx, userId: number, { kind, id }: Subject): Promise<boolean> {
  await sql`SELECT id FROM users WHERE id = ${userId} FOR UPDATE`.execute(tx)
  const { rows } = await sql`
    SELECT FROM purchases p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${userId} AND d.${sql.ref(kind === 'document' ? 'id' : 'teacher_id')} = ${id}
    LIMIT 1`.execute(tx)
  return rows.length > 0
}

function required(row: RatingRow | undefined): RatingRow {
  if (!row) throw new Error('the rating was not written')
  return row
}
