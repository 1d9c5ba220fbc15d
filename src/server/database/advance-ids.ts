import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Advances the sequences of these tables past the ids of rows that were inserted with fixed ids.
 */
export async function advanceIds(
  db: Kysely<Schema>,
  tables: readonly (keyof Schema)[],
): Promise<void> {
  for (const table of tables) {
    const name = table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    await sql`
      SELECT setval(
        pg_get_serial_sequence(${name}, 'id'),
        (SELECT coalesce(max(id), 0) + 1 FROM ${sql.table(name)}),
        false
      )`.execute(db)
  }
}
