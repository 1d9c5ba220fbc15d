import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Subject } from './read-ratings.ts'

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
