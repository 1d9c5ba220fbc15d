import { type Kysely, sql } from 'kysely'

/** Smaller ranges: each document that changed has its whole range looked through. */
const statements = [
  sql`DROP INDEX documents_changed_in`,
  sql`CREATE INDEX documents_changed_in ON documents USING brin ((changed_in::text::bigint))
    WITH (pages_per_range = 4, autosummarize = on)`,
  // An expression has no statistics of its own until then.
  sql`ANALYZE documents`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
