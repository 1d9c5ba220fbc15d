import { type Kysely, sql } from 'kysely'

/** Accepted versions whose owners are being written to, in the order of their ids. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE version_mailings (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    version integer NOT NULL,
    -- Owners up to this one have their mail in the queue.
    mailed_up_to integer NOT NULL DEFAULT 0
  )`.execute(database)
}
