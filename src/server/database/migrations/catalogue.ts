import { sql } from 'kysely'
import { additive, migration } from './migration.ts'

/**
 * The content that teachers give their own pages: names and texts by language, subjects, levels, a
 * picture.
 */
const teacherPages = migration(
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
)

/** School lists and covers that administrators change, and featured items with their order. */
const catalogue = migration(
  // `names` as written by administrators, {"ar": …, "fr": …, "en": …}; NULL: by code, else the
  // name.
  sql`ALTER TABLE categories
    ADD COLUMN names jsonb,
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE matieres
    ADD COLUMN names jsonb,
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false,
    -- Search texts of documents still contain the earlier name.
    ADD COLUMN is_search_stale boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE niveaux
    ADD COLUMN names jsonb,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE cover_mappings
    ADD COLUMN name text NOT NULL DEFAULT '',
    ADD COLUMN names jsonb,
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false`,

  sql`ALTER TABLE documents ADD COLUMN featured_place integer CHECK (featured_place > 0)`,
  sql`UPDATE documents SET featured_place = featured.place FROM (
      SELECT id, row_number() OVER (ORDER BY is_published DESC, uploaded_at DESC, id DESC) AS place
      FROM documents WHERE is_featured
    ) AS featured
    WHERE documents.id = featured.id AND featured.place <= 24`,
  sql`ALTER TABLE documents DROP COLUMN is_featured`,
  sql`CREATE INDEX documents_featured ON documents (featured_place) WHERE featured_place IS NOT NULL`,
  sql`ALTER TABLE teachers ADD COLUMN featured_place integer CHECK (featured_place > 0)`,
  sql`UPDATE teachers SET featured_place = featured.place FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS place FROM teachers WHERE is_featured
    ) AS featured
    WHERE teachers.id = featured.id AND featured.place <= 24`,
  sql`ALTER TABLE teachers DROP COLUMN is_featured`,

  // Revision 0: the state before the first change, for subjects without a file in the repository.
  sql`ALTER TABLE site_versions DROP CONSTRAINT site_versions_revision_check`,
  sql`ALTER TABLE site_versions ADD CHECK (revision >= 0)`,
)

const NAMED_TABLES = ['categories', 'matieres', 'niveaux', 'cover_mappings']

const catalogueReads = migration(
  // Counts the documents that pass any filters without reading a single row.
  sql`CREATE INDEX documents_filters ON documents
    (level, audience, category_id, matiere_id, niveau_id, rating, final_price, teacher_id)
    WHERE is_published`,

  // Changes with every row of the tables below, so that caches of them know when to read again.
  sql`CREATE TABLE names_revision (
    the_only boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    revision bigint NOT NULL
  )`,
  sql`INSERT INTO names_revision (revision) VALUES (1)`,
  sql`CREATE FUNCTION names_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE names_revision SET revision = revision + 1;
      RETURN NULL;
    END $$`,
  ...NAMED_TABLES.map(
    (table) => sql`CREATE TRIGGER names_changed
      AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION names_changed()`,
  ),
)

/**
 * The documents that changed after a given transaction, so that each process keeps its index of the
 * catalogue current.
 */
const search = migration(
  // The default is stable: no row is rewritten for it. Backups leave such columns out.
  sql`ALTER TABLE documents ADD COLUMN changed_in xid8 NOT NULL DEFAULT pg_current_xact_id()`,
  sql`CREATE INDEX documents_changed_in ON documents (changed_in)`,
  sql`CREATE FUNCTION note_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_in := pg_current_xact_id();
      RETURN NEW;
    END $$`,
  sql`CREATE TRIGGER documents_changed_in BEFORE UPDATE ON documents
    FOR EACH ROW EXECUTE FUNCTION note_document_change()`,
  // The index in memory counts instead.
  sql`DROP INDEX documents_filters`,
)

/** Smaller ranges: for each changed document, PostgreSQL scans its whole range. */
const changedDocuments = migration(
  sql`DROP INDEX documents_changed_in`,
  sql`CREATE INDEX documents_changed_in ON documents USING brin ((changed_in::text::bigint))
    WITH (pages_per_range = 4, autosummarize = on)`,
  // Without this, the expression has no statistics.
  sql`ANALYZE documents`,
)

/** Documents are found by the names of their subjects as these are now: no text is rewritten. */
const searchNames = migration(sql`ALTER TABLE matieres DROP COLUMN is_search_stale`)

/**
 * The address that a teacher's page shows, which the teacher writes. It begins empty: `email` is the
 * address that the teacher was invited by, which logs in.
 */
const teacherContacts = additive(
  '0092-teacher-contacts',
  sql`ALTER TABLE teachers ADD COLUMN contact_email text NOT NULL DEFAULT ''`,
)

export const catalogueMigrations = {
  '0016-teacher-pages': teacherPages,
  '0025-catalogue': catalogue,
  '0031-catalogue-reads': catalogueReads,
  '0033-search': search,
  '0041-changed-documents': changedDocuments,
  '0054-search-names': searchNames,
  ...teacherContacts,
}
