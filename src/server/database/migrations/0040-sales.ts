import { type Kysely, sql } from 'kysely'

/**
 * A sale changes nothing that an index of `documents` has a row for, so that PostgreSQL (16 or newer) writes the
 * document beside its former version and none of the indexes. The lists that the dropped ones were for
 * come from the index in memory.
 */
const statements = [
  ...['level', 'price', 'rating', 'sales', 'all_sales', 'changed_in'].map(
    (name) => sql`DROP INDEX ${sql.id(`documents_${name}`)}`,
  ),
  // What changed last, by ranges of pages; xid8 has no such index of its own.
  sql`CREATE INDEX documents_changed_in ON documents USING brin ((changed_in::text::bigint))
    WITH (pages_per_range = 16, autosummarize = on)`,
  // Room for that version on the same page.
  sql`ALTER TABLE documents SET (fillfactor = 90)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
