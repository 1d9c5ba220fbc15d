import { type Kysely, sql } from 'kysely'

/** What fails while the shop runs, when its backup was made, and what administrators were told. */
const statements = [
  sql`ALTER TABLE upkeep DROP CONSTRAINT upkeep_what_check`,
  sql`ALTER TABLE upkeep ADD CONSTRAINT upkeep_what_check
    CHECK (what IN ('backup', 'ledger', 'mail', 'gateway', 'disk', 'restored'))`,
  // The last error of what fails.
  sql`ALTER TABLE upkeep ADD COLUMN reason text`,
  sql`CREATE TABLE told_notices (
    kind text PRIMARY KEY CHECK (
      kind IN ('transfers', 'documents', 'conversations', 'mail', 'gateway', 'disk', 'backup')),
    told_at timestamptz NOT NULL,
    -- Everything that has waited since before then was told.
    told_until timestamptz NOT NULL
  )`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
