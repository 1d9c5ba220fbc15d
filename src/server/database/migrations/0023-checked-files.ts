import { type Kysely, sql } from 'kysely'

/** The results of checking the files of an uploaded list, so that none is opened twice. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE imports ADD COLUMN checked_files jsonb NOT NULL DEFAULT '{}'`.execute(
    database,
  )
}
