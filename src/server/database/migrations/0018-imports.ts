import { type Kysely, sql } from 'kysely'

/** Lists of documents that teachers upload, with the files that they name. */
const statements = [
  sql`ALTER TABLE uploads
    DROP CONSTRAINT uploads_purpose_check,
    ADD CONSTRAINT uploads_purpose_check CHECK (purpose IN ('document', 'cover', 'portrait', 'import'))`,
  sql`CREATE TABLE imports (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    teacher_id integer NOT NULL REFERENCES teachers (id) ON DELETE CASCADE,
    name text NOT NULL,
    -- The ZIPs, until they are no longer needed; files in later ones replace those in earlier ones.
    storage_keys text[] NOT NULL,
    phase text NOT NULL CHECK (phase IN
      ('checking', 'refused', 'ready', 'importing', 'done', 'failed', 'given_up')),
    step text CHECK (step IN ('checking', 'storing', 'writing')),
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    tries integer NOT NULL DEFAULT 0,
    problems jsonb NOT NULL DEFAULT '[]',
    problem_count integer NOT NULL DEFAULT 0,
    created integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    begun_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
  )`,
  sql`CREATE INDEX imports_user ON imports (user_id, begun_at)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
