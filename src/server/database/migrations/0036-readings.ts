import { type Kysely, sql } from 'kysely'

const statements = [
  // What an owner has opened: kept after a refund, so that a second purchase continues at the same
  // page.
  sql`CREATE TABLE readings (
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    -- The newest version that was opened or downloaded; 0: none since the purchase.
    seen_version integer NOT NULL DEFAULT 0 CHECK (seen_version >= 0),
    -- Where the owner stopped, and when that page was shown.
    page integer CHECK (page > 0),
    read_at timestamptz,
    PRIMARY KEY (user_id, document_id),
    CHECK ((page IS NULL) = (read_at IS NULL))
  )`,
  sql`CREATE INDEX readings_document ON readings (document_id)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
