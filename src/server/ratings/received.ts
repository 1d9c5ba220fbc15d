import { type Kysely, sql } from 'kysely'
import type { ReceivedRatingFilters } from '../../contract/office-ratings.ts'
import { PAGE_SIZE_MAX } from '../../rules/pager.ts'
import type { Schema } from '../database/schema.ts'
import { countRatings, type RatingRow, readRatings } from './read-ratings.ts'

/** How many ratings a page of the office shows. */
const PAGE_SIZE = 10

/** Whether a rating is of the teacher, or of one of the teacher's documents. */
export const isReceivedBy = (teacherId: number) => sql<boolean>`r.id IN (
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
    ORDER BY lower(d.title), d.id LIMIT ${PAGE_SIZE_MAX}`.execute(db)
  return rows
}
