import { type Kysely, sql } from 'kysely'

/** Figures of the shop: sums of past days, counts of visits, searches that found nothing. */
const statements = [
  // Why a setting was changed.
  sql`ALTER TABLE settings ADD COLUMN reason text NOT NULL DEFAULT ''`,

  // The sums of the ledger for a past day in Tunisia; null: not computed yet.
  sql`CREATE TABLE figure_days (
    day text PRIMARY KEY CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    sums jsonb
  )`,
  // A booking with an earlier date invalidates the day's sum. If the day has no row yet, this
  // creates one, so that a process that sums the day waits for this transaction.
  sql`CREATE FUNCTION unsum_day() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO figure_days (day)
        VALUES (to_char(NEW.created_at AT TIME ZONE 'Africa/Tunis', 'YYYY-MM-DD'))
        ON CONFLICT (day) DO UPDATE SET sums = NULL;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER ledger_transactions_late AFTER INSERT ON ledger_transactions
    FOR EACH ROW WHEN (NEW.created_at < now() - interval '1 hour')
    EXECUTE FUNCTION unsum_day()`,

  // How often something happened on a day: only numbers, without anything about the users.
  sql`CREATE TABLE visit_counts (
    day text NOT NULL CHECK (day ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$'),
    step text NOT NULL CHECK (step IN ('visit', 'details', 'cart')),
    count bigint NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, step)
  )`,
  // Texts for which several searches of a day found nothing.
  sql`CREATE TABLE empty_searches (
    day text NOT NULL CHECK (day ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$'),
    -- Folded as all searches are, so that a text has a single row.
    words text NOT NULL CHECK (length(words) BETWEEN 2 AND 60),
    count bigint NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, words)
  )`,

  sql`CREATE INDEX order_items_sold_at ON order_items (sold_at)
    INCLUDE (document_id, teacher_id, price, teacher_share, refunded_at)
    WHERE price > 0 AND sold_at IS NOT NULL`,
  sql`CREATE INDEX orders_made ON orders (created_at) WHERE total > 0`,
  sql`CREATE INDEX orders_paid ON orders (paid_at) INCLUDE (buyer_id)
    WHERE status = 'paid' AND total > 0`,
  sql`CREATE INDEX orders_buyer_paid ON orders (buyer_id, paid_at)
    WHERE status = 'paid' AND total > 0`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
