import { sql } from 'kysely'
import { additive, migration } from './migration.ts'

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

/** What students gave themselves for exams that they sat alone; points in quarters. */
const examMarks = additive(
  '0016-exam-marks',
  sql`CREATE TABLE exam_marks (
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- Made up by the browser.
    id text NOT NULL CHECK (length(id) = 32),
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    child text NOT NULL CHECK (length(child) <= 120),
    quarters integer NOT NULL CHECK (quarters BETWEEN 0 AND 80),
    exercise_quarters integer[] CHECK (cardinality(exercise_quarters) BETWEEN 1 AND 12),
    minutes integer NOT NULL CHECK (minutes BETWEEN 5 AND 600),
    sat_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
  )`,
  sql`CREATE INDEX exam_marks_document ON exam_marks (document_id)`,
  sql`CREATE INDEX exam_marks_age ON exam_marks (sat_at)`,
)

export const libraryMigrations = { '0006-library': library, ...examMarks }
