import { type Kysely, sql } from 'kysely'

/** Every page reads which texts of the interface are others than the shipped ones: `text fr shop:title`. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX site_versions_texts ON site_versions (subject, revision DESC)
    WHERE subject LIKE 'text %'`.execute(database)
}
