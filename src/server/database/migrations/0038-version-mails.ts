import { type Kysely, sql } from 'kysely'

/** Accepted versions that are being announced to owners, in the order of the owners' ids. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE version_mailings (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    version integer NOT NULL,
    -- The mails to owners up to this id are queued.
    mailed_up_to integer NOT NULL DEFAULT 0
  )`.execute(database)
}
