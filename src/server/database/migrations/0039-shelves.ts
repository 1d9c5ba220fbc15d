import { type Kysely, sql } from 'kysely'

const statements = [
  sql`CREATE TABLE shelves (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL CHECK (name <> ''),
    added_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, name)
  )`,
  // Kept after a refund: after a second purchase, the document has its former place.
  sql`CREATE TABLE shelf_documents (
    shelf_id integer NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    PRIMARY KEY (shelf_id, document_id)
  )`,
  sql`CREATE INDEX shelf_documents_document ON shelf_documents (document_id)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
