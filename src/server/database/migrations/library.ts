import { sql } from 'kysely'
import { migration } from './migration.ts'

/** What owners have of their documents: where they stopped reading, and shelves. */
const library = migration(
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
)

export const libraryMigrations = { '0006-library': library }
