import { type Kysely, sql } from 'kysely'

/**
 * For every page, which texts of the interface differ from the shipped ones: `text fr shop:title`.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX site_versions_texts ON site_versions (subject, revision DESC)
    WHERE subject LIKE 'text %'`.execute(database)
}
