import { type Kysely, sql } from 'kysely'

/**
 * What a teacher is told about files that are accepted. The samples that were drawn or read wrongly
 * are made again: without a page that could not be drawn, with tall pages squeezed to 3600 pixels,
 * with ligatures read backwards (الله).
 */
const statements = [
  sql`ALTER TABLE uploads ADD COLUMN missing_fonts text[] NOT NULL DEFAULT '{}'`,
  sql`ALTER TABLE imports ADD COLUMN notes jsonb NOT NULL DEFAULT '[]'`,
  sql`UPDATE samples SET due_at = now(), tries = 0
    WHERE failed_at IS NOT NULL OR pages @> '[{"height": 3600}]' OR pages::text LIKE '%هللا%'`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
