import { type Kysely, sql } from 'kysely'

/** The name of a document in lists, so that a later list refers to the same one. */
const statements = [
  sql`ALTER TABLE documents ADD COLUMN reference text NOT NULL DEFAULT gen_random_uuid()::text
    CHECK (reference <> '')`,
  sql`CREATE UNIQUE INDEX documents_reference ON documents (reference)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
