import { type Kysely, sql } from 'kysely'

// The indexes of lists of published documents, with the columns of each in their order.
const INDEXES = {
  newest: 'uploaded_at DESC, id DESC',
  level: 'level, uploaded_at DESC, id DESC',
  matiere: 'matiere_id, uploaded_at DESC, id DESC',
  niveau: 'niveau_id, uploaded_at DESC, id DESC',
  category: 'category_id, uploaded_at DESC, id DESC',
  teacher: 'teacher_id, uploaded_at DESC, id DESC',
  price: 'final_price, id',
  rating: 'rating DESC, id DESC',
  sales: 'sales_count DESC, id DESC',
}

/** A document's life from its draft on, the versions of its file, and unfinished uploads. */
const statements = [
  sql`ALTER TABLE documents
    ADD COLUMN state text NOT NULL DEFAULT 'draft'
      CHECK (state IN ('draft', 'submitted', 'returned', 'published', 'unpublished')),
    -- Increased by every change of the text, so that two tabs notice each other's changes.
    ADD COLUMN revision integer NOT NULL DEFAULT 0,
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN first_published_at timestamptz,
    -- The shop unpublished it: its teacher cannot publish it again without a review.
    ADD COLUMN is_taken_down boolean NOT NULL DEFAULT false,
    -- The upload that its cover came from: attaching it again changes nothing.
    ADD COLUMN cover_upload_id uuid`,
  sql`UPDATE documents SET
    state = CASE WHEN is_published THEN 'published' ELSE 'unpublished' END,
    created_at = uploaded_at, changed_at = uploaded_at, first_published_at = uploaded_at`,
  // The state implies it. Its indexes are dropped with the column.
  sql`ALTER TABLE documents DROP COLUMN is_published`,
  sql`ALTER TABLE documents
    ADD COLUMN is_published boolean NOT NULL GENERATED ALWAYS AS (state = 'published') STORED`,
  ...Object.entries(INDEXES).map(
    ([name, columns]) =>
      sql`CREATE INDEX ${sql.id(`documents_${name}`)} ON documents (${sql.raw(columns)})
        WHERE is_published`,
  ),
  // A draft may be empty.
  sql`ALTER TABLE documents
    ALTER COLUMN title SET DEFAULT '',
    ALTER COLUMN search_text SET DEFAULT '',
    ALTER COLUMN price DROP NOT NULL,
    ALTER COLUMN final_price DROP NOT NULL,
    ALTER COLUMN category_id DROP NOT NULL,
    ALTER COLUMN matiere_id DROP NOT NULL,
    ALTER COLUMN niveau_id DROP NOT NULL,
    ALTER COLUMN level DROP NOT NULL,
    ALTER COLUMN audience DROP NOT NULL,
    ALTER COLUMN file_id DROP NOT NULL,
    ADD CONSTRAINT documents_complete CHECK (
      (state IN ('draft', 'returned') AND first_published_at IS NULL)
      OR (title <> '' AND price IS NOT NULL AND category_id IS NOT NULL AND matiere_id IS NOT NULL
        AND niveau_id IS NOT NULL AND level IS NOT NULL AND audience IS NOT NULL
        AND file_id IS NOT NULL)
    ),
    ADD CONSTRAINT documents_first_published
      CHECK (state NOT IN ('published', 'unpublished') OR first_published_at IS NOT NULL)`,
  sql`CREATE INDEX documents_of_teacher ON documents (teacher_id, changed_at DESC, id DESC)`,
  sql`CREATE INDEX documents_waiting ON documents (changed_at) WHERE state = 'submitted'`,

  sql`CREATE TABLE document_versions (
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number integer NOT NULL CHECK (number > 0),
    -- null once nothing needs the file of an abandoned version.
    file_id integer REFERENCES files (id),
    -- The upload that it came from: attaching it again does not create a second version.
    upload_id uuid,
    note text NOT NULL DEFAULT '',
    state text NOT NULL CHECK
      (state IN ('draft', 'submitted', 'returned', 'accepted', 'replaced', 'withdrawn')),
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    decided_at timestamptz,
    decided_by text,
    reason text,
    PRIMARY KEY (document_id, number)
  )`,
  sql`CREATE UNIQUE INDEX document_versions_open ON document_versions (document_id)
    WHERE state IN ('draft', 'submitted')`,
  sql`CREATE INDEX document_versions_file ON document_versions (file_id)`,
  sql`CREATE INDEX document_versions_waiting ON document_versions (created_at)
    WHERE state = 'submitted'`,
  sql`INSERT INTO document_versions
      (document_id, number, file_id, state, created_at, created_by, decided_at, decided_by)
    SELECT id, 1, file_id, 'accepted', uploaded_at, 'command line', uploaded_at, 'command line'
    FROM documents`,

  // No reference to the document: the history of a deleted draft is kept.
  sql`CREATE TABLE document_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id integer NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    -- The actor: 'user 12', 'command line'.
    actor text NOT NULL,
    action text NOT NULL,
    version integer,
    reason text,
    field text
  )`,
  sql`CREATE INDEX document_events_document ON document_events (document_id, id)`,
  sql`CREATE INDEX document_events_submissions ON document_events (actor, made_at)
    WHERE action IN ('submit', 'submit version')`,
  sql`CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of document_events is refused: the history is only added to', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  sql`CREATE TRIGGER document_events_immutable BEFORE UPDATE OR DELETE ON document_events
    FOR EACH ROW EXECUTE FUNCTION refuse_event_change()`,
  sql`CREATE TRIGGER document_events_no_truncate BEFORE TRUNCATE ON document_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change()`,

  sql`CREATE TABLE uploads (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose text NOT NULL CHECK (purpose IN ('document', 'cover')),
    name text NOT NULL,
    size bigint NOT NULL CHECK (size > 0),
    received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND size),
    -- The length of each part, in their order.
    parts integer[] NOT NULL DEFAULT '{}',
    touched_at timestamptz NOT NULL DEFAULT now(),
    -- The key of the stored file: written before the file is stored, so that no clean-up deletes
    -- it.
    storage_key text,
    sha256 text,
    stored_size bigint,
    page_count integer,
    width integer,
    height integer,
    -- Set when all of the above is true.
    checked_at timestamptz
  )`,
  sql`CREATE INDEX uploads_user ON uploads (user_id, touched_at)`,
  sql`CREATE INDEX uploads_key ON uploads (storage_key)`,
  sql`CREATE INDEX files_key ON files (storage_key)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
