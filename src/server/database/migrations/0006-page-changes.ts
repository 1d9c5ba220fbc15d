import { type Kysely, sql } from 'kysely'

/** Changes that pages have to show, and paid orders whose receipt has no number yet. */
const statements = [
  // Written in the transaction that changes the content of pages, and read by every process (see
  // publishing/changes/announcements.ts).
  sql`CREATE TABLE page_changes (
    id bigint GENERATED ALWAYS AS IDENTITY,
    tags text[] NOT NULL,
    -- Frequent changes: pages may be rendered up to a minute later.
    soon boolean NOT NULL,
    -- Lets a reader recognise changes that were not committed when it last looked.
    transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    made_at timestamptz NOT NULL DEFAULT now()
  )`,
  sql`CREATE INDEX page_changes_transaction ON page_changes (transaction_id)`,

  sql`ALTER TABLE orders ADD COLUMN has_receipt boolean NOT NULL DEFAULT false`,
  // Contains only the few orders of the moment, however many have been paid.
  sql`CREATE INDEX orders_without_receipt ON orders (paid_at, id)
    WHERE status = 'paid' AND NOT has_receipt`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
