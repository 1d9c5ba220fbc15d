import { type Kysely, sql } from 'kysely'

/** The pages that everyone may look at: the teacher's choice, and the state of the sample. */
const statements = [
  // null: the first ones.
  sql`ALTER TABLE documents ADD COLUMN sample_pages integer[]
    CHECK (sample_pages IS NULL OR cardinality(sample_pages) > 0)`,
  sql`CREATE TABLE samples (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    -- When its pages are due to be read; null: they have been read.
    due_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    -- Identifies the content of its pictures, and is part of their addresses.
    key text,
    -- The number, size and text of each page; null: none can be shown.
    pages jsonb,
    is_drawn boolean NOT NULL DEFAULT false,
    -- Why its pages cannot be drawn, and since when.
    trouble text,
    failed_at timestamptz,
    CHECK ((trouble IS NULL) = (failed_at IS NULL)),
    CHECK ((key IS NULL) = (pages IS NULL))
  )`,
  sql`CREATE INDEX samples_due ON samples (due_at) WHERE due_at IS NOT NULL`,
  sql`CREATE INDEX samples_undrawn ON samples (document_id)
    WHERE NOT is_drawn AND due_at IS NULL AND pages IS NOT NULL`,
  sql`CREATE INDEX samples_failed ON samples (failed_at) WHERE failed_at IS NOT NULL`,
  // Code that publishes a document, or changes its file, need not know of its sample.
  sql`CREATE FUNCTION note_sample_due() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO samples (document_id, due_at) VALUES (NEW.id, now())
      ON CONFLICT (document_id) DO UPDATE SET due_at = now(), tries = 0;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER documents_sample_due
    AFTER INSERT OR UPDATE OF state, file_id, sample_pages ON documents
    FOR EACH ROW WHEN (NEW.state = 'published') EXECUTE FUNCTION note_sample_due()`,
  sql`INSERT INTO samples (document_id, due_at)
    SELECT id, now() FROM documents WHERE state = 'published'`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
