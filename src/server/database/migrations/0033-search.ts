import { type Kysely, sql } from 'kysely'

/**
 * The documents that changed after a given transaction, so that each process keeps its index of the
 * catalogue current.
 */
const statements = [
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
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
