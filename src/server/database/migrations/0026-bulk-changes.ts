import { type Kysely, sql } from 'kysely'

/** Discounts that begin and end at set times, and changes of many documents at once. */
const statements = [
  sql`CREATE TABLE timed_discounts (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    price_discount bigint NOT NULL CHECK (price_discount > 0 AND price_discount % 10 = 0),
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
    -- Whether the document has this discount now; otherwise it has not begun.
    is_running boolean NOT NULL,
    -- The document's own discount, which is restored at the end.
    own_discount bigint
  )`,
  sql`CREATE INDEX timed_discounts_start ON timed_discounts (starts_at) WHERE NOT is_running`,
  sql`CREATE INDEX timed_discounts_end ON timed_discounts (ends_at)`,
  // Any code that writes another discount ends the running one, without having to know of it.
  sql`CREATE FUNCTION end_timed_discount() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM timed_discounts WHERE document_id = NEW.id AND is_running;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER documents_end_timed_discount AFTER UPDATE OF price_discount ON documents
    FOR EACH ROW WHEN (OLD.price_discount IS DISTINCT FROM NEW.price_discount)
    EXECUTE FUNCTION end_timed_discount()`,
  // The discount that applies now, also before the shop has noticed that a timed one has ended.
  sql`CREATE FUNCTION discount_now(sold documents) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN timed.document_id IS NULL THEN sold.price_discount ELSE timed.own_discount END
    FROM (SELECT) AS one LEFT JOIN timed_discounts timed
      ON timed.document_id = sold.id AND timed.is_running AND timed.ends_at <= now()
  $$`,
  sql`CREATE FUNCTION price_now(sold documents) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN discount > 0 AND discount < sold.price THEN discount ELSE sold.price END
    FROM (SELECT discount_now(sold) AS discount) AS applied
  $$`,

  sql`CREATE TABLE bulk_changes (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    change jsonb NOT NULL,
    -- The actor as in the log: 'command line', or 'user 12'.
    actor text NOT NULL,
    state text NOT NULL CHECK (state IN ('previewed', 'running', 'done')),
    previewed_at timestamptz NOT NULL,
    applied_at timestamptz,
    reason text,
    -- A change can be undone only once.
    undoes integer UNIQUE REFERENCES bulk_changes (id),
    CHECK ((state = 'previewed') = (applied_at IS NULL)),
    CHECK ((state = 'previewed') = (reason IS NULL))
  )`,
  sql`CREATE INDEX bulk_changes_running ON bulk_changes (id) WHERE state = 'running'`,
  sql`CREATE INDEX bulk_changes_previews ON bulk_changes (previewed_at) WHERE state = 'previewed'`,
  sql`CREATE TABLE bulk_changed_documents (
    bulk_change_id integer NOT NULL REFERENCES bulk_changes (id) ON DELETE CASCADE,
    document_id integer NOT NULL,
    -- The revision when it was previewed: a document that has changed since is skipped.
    revision integer NOT NULL,
    before jsonb NOT NULL,
    after jsonb,
    -- Why it cannot be changed.
    obstacle text,
    is_changed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (bulk_change_id, document_id),
    CHECK ((after IS NULL) <= (obstacle IS NOT NULL)),
    CHECK (NOT is_changed OR obstacle IS NULL)
  )`,
  sql`CREATE INDEX bulk_changed_documents_open ON bulk_changed_documents
    (bulk_change_id, document_id) WHERE obstacle IS NULL AND NOT is_changed`,

  // A change of price, in the history that the teacher reads.
  sql`ALTER TABLE document_events ADD COLUMN amounts jsonb`,

  // For lists of all documents and ratings, whatever their state.
  sql`CREATE INDEX documents_changed ON documents (changed_at DESC, id DESC)`,
  sql`CREATE INDEX documents_all_prices ON documents (final_price, id)`,
  sql`CREATE INDEX documents_all_sales ON documents (sales_count DESC, id DESC)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
