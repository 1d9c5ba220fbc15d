import { type Kysely, sql } from 'kysely'

/** Links to reset a password: each works once, for 30 minutes. */
const statements = [
  // Only the SHA-256 of a token is stored: someone who reads the table cannot reset a password.
  sql`CREATE TABLE password_resets (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX password_resets_user ON password_resets (user_id)`,
  sql`CREATE INDEX password_resets_expiry ON password_resets (expires_at)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
