import { type Kysely, sql } from 'kysely'

/** What the files of an uploaded list were found to be, so that none is opened twice. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE imports ADD COLUMN checked_files jsonb NOT NULL DEFAULT '{}'`.execute(
    database,
  )
}
