import { type Kysely, sql } from 'kysely'

/** Documents are found by the names of their subjects as these are now: no text is rewritten. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE matieres DROP COLUMN is_search_stale`.execute(database)
}
