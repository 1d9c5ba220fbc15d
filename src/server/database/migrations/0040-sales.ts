import { type Kysely, sql } from 'kysely'

/**
 * A sale changes no indexed column of `documents`, so that PostgreSQL (16 or newer) writes the new
 * version of the row beside the old one and updates no index. The index in memory serves the lists
 * for which the dropped indexes were made.
 */
const statements = [
  ...['level', 'price', 'rating', 'sales', 'all_sales', 'changed_in'].map(
    (name) => sql`DROP INDEX ${sql.id(`documents_${name}`)}`,
  ),
  // The latest changes, by ranges of pages; BRIN has no operator class for xid8.
  sql`CREATE INDEX documents_changed_in ON documents USING brin ((changed_in::text::bigint))
    WITH (pages_per_range = 16, autosummarize = on)`,
  // Leaves room for that version on the same page.
  sql`ALTER TABLE documents SET (fillfactor = 90)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
