import { type Kysely, sql } from 'kysely'

/**
 * Orders that end without being paid by their own payment (docs/shop.md, "Orders that wait for
 * their money"), and a ledger that stays consistent whatever a program or a person writes into it.
 */
const statements = [
  sql`ALTER TABLE orders DROP CONSTRAINT orders_status_check`,
  sql`ALTER TABLE orders ADD CONSTRAINT orders_status_check
    CHECK (status IN ('pending', 'paid', 'cancelled', 'expired', 'replaced'))`,
  // `cancelled`: its order is no longer wanted; money that arrives all the same goes to the wallet.
  sql`ALTER TABLE payments DROP CONSTRAINT payments_status_check`,
  sql`ALTER TABLE payments ADD CONSTRAINT payments_status_check
    CHECK (status IN ('pending', 'paid', 'refused', 'expired', 'cancelled'))`,
  sql`CREATE INDEX orders_waiting ON orders (buyer_id) WHERE status = 'pending'`,
  sql`CREATE INDEX payments_waiting ON payments (user_id) WHERE status = 'pending'`,

  // Pending orders whose buyer already owns all of their documents.
  sql`WITH replaced AS (
      UPDATE orders SET status = 'replaced'
      WHERE status = 'pending' AND NOT EXISTS (
        SELECT FROM order_items i
        WHERE i.order_id = orders.id AND NOT EXISTS (
          SELECT FROM purchases p
          WHERE p.user_id = orders.buyer_id AND p.document_id = i.document_id))
      RETURNING id
    )
    UPDATE payments SET status = 'cancelled' FROM replaced
    WHERE payments.order_id = replaced.id AND payments.status <> 'paid'`,

  // A ledger transaction and its entries are written by one statement, so both have the same xmin,
  // also in a subtransaction; an entry added by a later database transaction does not. Only entries
  // change balances.
  sql`CREATE FUNCTION take_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE late bigint;
    BEGIN
      SELECT t.id INTO late
      FROM added a
      JOIN ledger_entries e ON e.id = a.id
      JOIN ledger_transactions t ON t.id = e.transaction_id
      WHERE t.xmin <> e.xmin LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % is complete: another entry is refused', late
          USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      UPDATE accounts SET balance = accounts.balance + moved.amount
      FROM (SELECT account_id, sum(amount) AS amount FROM added GROUP BY account_id) AS moved
      WHERE accounts.id = moved.account_id AND accounts.balance IS NOT NULL;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER ledger_entries_taken AFTER INSERT ON ledger_entries
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION take_entries()`,
  sql`CREATE FUNCTION refuse_balance() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the balance of account % is refused: only ledger entries move it', NEW.id
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  // Depth 0 is a statement of a client; deeper ones come from take_entries.
  sql`CREATE TRIGGER accounts_balance_by_entries BEFORE UPDATE OF balance ON accounts
    FOR EACH ROW WHEN (pg_trigger_depth() < 1 AND OLD.balance IS DISTINCT FROM NEW.balance)
    EXECUTE FUNCTION refuse_balance()`,
  sql`CREATE TRIGGER accounts_open_empty BEFORE INSERT ON accounts
    FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION refuse_balance()`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
