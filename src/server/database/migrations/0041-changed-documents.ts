import { type Kysely, sql } from 'kysely'

/** Smaller ranges: for each changed document, PostgreSQL scans its whole range. */
const statements = [
  sql`DROP INDEX documents_changed_in`,
  sql`CREATE INDEX documents_changed_in ON documents USING brin ((changed_in::text::bigint))
    WITH (pages_per_range = 4, autosummarize = on)`,
  // Without this, the expression has no statistics.
  sql`ANALYZE documents`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
