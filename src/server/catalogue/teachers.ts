import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { TeacherRow } from './present.ts'

const TEACHERS_MAX = 500

const TEACHER = sql`
  SELECT t.id, t.first_name, t.last_name, t.latin_name, t.bio, t.bio_fr, t.bio_en,
    -- One that has become the teacher's log-in is not shown any more.
    CASE WHEN EXISTS (SELECT FROM users WHERE id = t.user_id AND email = lower(t.contact_email)) THEN ''
      ELSE t.contact_email END AS contact_email,
    t.levels, t.picture_path, t.rating_sum, t.rating_count,
    t.review_count, own.sales_count, own.document_count, (
      SELECT json_agg(
        json_build_object('id', m.id, 'name', m.name, 'code', m.code, 'names', m.names)
        ORDER BY m.position, m.id
      )
      FROM teacher_subjects s JOIN matieres m ON m.id = s.matiere_id WHERE s.teacher_id = t.id
    ) AS subjects
  FROM teachers t, LATERAL (
    SELECT coalesce(sum(sales_count), 0)::integer AS sales_count,
      (count(*) FILTER (WHERE is_published))::integer AS document_count
    FROM documents WHERE teacher_id = t.id
  ) AS own`

/** Whether a teacher has a public page: without an administrator's approval, only with a document. */
export const IS_PUBLIC_TEACHER = sql<boolean>`(teachers.approved_at IS NOT NULL OR EXISTS (
  SELECT FROM documents WHERE teacher_id = teachers.id AND is_published))`

/**
 * The teachers with documents for sale, featured ones first, then by sales; at most `TEACHERS_MAX`.
 */
export async function listedTeachers(db: Kysely<Schema>): Promise<TeacherRow[]> {
  const { rows } = await sql<TeacherRow>`
    ${TEACHER}
    WHERE own.document_count > 0
    ORDER BY t.featured_place NULLS LAST, own.sales_count DESC, t.id LIMIT ${TEACHERS_MAX}
  `.execute(db)
  return rows
}

/** A teacher, for themselves; for everybody else, only one with a public page. */
export async function findTeacher(
  db: Kysely<Schema>,
  id: number,
  { isPublic = false } = {},
): Promise<TeacherRow | undefined> {
  const { rows } = await sql<TeacherRow>`
    ${TEACHER}
    WHERE t.id = ${id}
      AND (NOT ${isPublic}::boolean OR t.approved_at IS NOT NULL OR own.document_count > 0)`.execute(
    db,
  )
  return rows[0]
}
