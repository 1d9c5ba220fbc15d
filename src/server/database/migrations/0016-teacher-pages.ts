import { type Kysely, sql } from 'kysely'

/**
 * The content that teachers give their own pages: names and texts by language, subjects, levels, a
 * picture.
 */
const statements = [
  sql`ALTER TABLE teachers
    -- The whole name in Latin letters; the Arabic pages show first_name, last_name and bio.
    ADD COLUMN latin_name text NOT NULL DEFAULT '',
    ADD COLUMN bio_fr text NOT NULL DEFAULT '',
    ADD COLUMN bio_en text NOT NULL DEFAULT '',
    ADD COLUMN levels text[] NOT NULL DEFAULT '{}',
    ADD COLUMN picture_path text,
    -- The upload that the picture came from: attaching it again changes nothing.
    ADD COLUMN picture_upload_id uuid,
    -- Increased by every change of the text, so that two tabs notice each other's changes.
    ADD COLUMN revision integer NOT NULL DEFAULT 0`,
  sql`CREATE TABLE teacher_subjects (
    teacher_id integer NOT NULL REFERENCES teachers (id) ON DELETE CASCADE,
    matiere_id integer NOT NULL REFERENCES matieres (id) ON DELETE CASCADE,
    PRIMARY KEY (teacher_id, matiere_id)
  )`,
  sql`CREATE INDEX teacher_subjects_matiere ON teacher_subjects (matiere_id)`,
  sql`ALTER TABLE uploads
    DROP CONSTRAINT uploads_purpose_check,
    ADD CONSTRAINT uploads_purpose_check CHECK (purpose IN ('document', 'cover', 'portrait'))`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
