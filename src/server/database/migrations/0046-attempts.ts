import { type Kysely, sql } from 'kysely'

/**
 * Attempts on accounts in their windows of time, counted over all processes. A key is a hash: whose
 * attempts they are cannot be read. A backup contains the table, so that a restored shop is as
 * closed to guesses as it was.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE attempt_counts (
      key text PRIMARY KEY,
      count integer NOT NULL,
      ends_at timestamptz NOT NULL
    )`.execute(database)
}
