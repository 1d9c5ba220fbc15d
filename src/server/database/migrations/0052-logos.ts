import { type Kysely, sql } from 'kysely'

/**
 * The logos that administrators uploaded, as they were drawn anew: few and small, they lie in the
 * database, so that each version of the brand finds its own, in a backup too.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE logos (
      name text PRIMARY KEY,
      content bytea NOT NULL,
      mark bytea NOT NULL,
      made_at timestamptz NOT NULL
    )`.execute(database)
}
