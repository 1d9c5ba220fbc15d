import { type Kysely, sql } from 'kysely'

/**
 * The files that are delivered without a footer because they cannot be stamped, and the reasons.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE unstamped_files (
    sha256 text PRIMARY KEY,
    reason text NOT NULL,
    detail text NOT NULL,
    noted_at timestamptz NOT NULL
  )`.execute(database)
}
