import { type Kysely, sql } from 'kysely'

/** Administrators' work with money: adjustments, payments that differ, days that are closed. */
const statements = [
  // An adjustment of a wallet is made by its proposer alone, or waits for another administrator.
  sql`CREATE TABLE adjustments (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users (id),
    amount bigint NOT NULL CHECK (amount <> 0 AND amount % 10 = 0),
    reason text NOT NULL,
    needs_second boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('proposed', 'made', 'refused', 'withdrawn')),
    -- The actor as in the log: 'command line', or 'user 12'.
    proposer text NOT NULL,
    proposed_at timestamptz NOT NULL,
    decider text,
    decided_at timestamptz,
    -- Why it was refused.
    refusal text,
    CHECK ((state = 'proposed') = (decided_at IS NULL)),
    CHECK ((decider IS NULL) = (decided_at IS NULL)),
    CHECK ((state = 'refused') = (refusal IS NOT NULL)),
    CHECK (state <> 'made' OR needs_second = (decider <> proposer))
  )`,
  sql`CREATE INDEX adjustments_user ON adjustments (user_id, id DESC)`,
  sql`CREATE INDEX adjustments_state ON adjustments (state, id DESC)`,
  sql`ALTER TABLE ledger_transactions
    ADD COLUMN adjustment_id integer UNIQUE REFERENCES adjustments (id),
    ADD CONSTRAINT ledger_transactions_of_adjustments
      CHECK (adjustment_id IS NULL OR kind = 'adjustment')`,

  // What a gateway reports about a payment, where it differs from the shop's record.
  sql`CREATE TABLE payment_differences (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_id integer NOT NULL REFERENCES payments (id),
    kind text NOT NULL CHECK (kind IN ('amount', 'reference', 'state', 'unknown')),
    -- The amount requested, since the payment's amount becomes the one received.
    expected_amount bigint NOT NULL,
    gateway_reference text NOT NULL,
    reported_amount bigint NOT NULL,
    reported_state text NOT NULL
      CHECK (reported_state IN ('paid', 'pending', 'refused', 'expired', 'unknown')),
    noted_at timestamptz NOT NULL,
    outcome text CHECK (outcome IN ('settled', 'booked', 'closed')),
    decider text,
    decided_at timestamptz,
    reason text,
    CHECK ((outcome IS NULL) = (decided_at IS NULL))
  )`,
  // The gateway may report the same difference a hundred times.
  sql`CREATE UNIQUE INDEX payment_differences_once ON payment_differences
    (payment_id, kind, gateway_reference, reported_amount, reported_state)`,
  sql`CREATE INDEX payment_differences_open ON payment_differences (id) WHERE outcome IS NULL`,

  sql`ALTER TABLE payouts ADD COLUMN transferred_on text CHECK (transferred_on ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$')`,

  // The sums of a day at the time when it was closed.
  sql`CREATE TABLE day_closings (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day text NOT NULL CHECK (day ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$'),
    closed_at timestamptz NOT NULL,
    actor text NOT NULL,
    sums jsonb NOT NULL
  )`,
  sql`CREATE INDEX day_closings_day ON day_closings (day, id DESC)`,
  sql`CREATE FUNCTION refuse_closing_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of day_closings is refused: they are only added to', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  sql`CREATE TRIGGER day_closings_immutable BEFORE UPDATE OR DELETE ON day_closings
    FOR EACH ROW EXECUTE FUNCTION refuse_closing_change()`,

  sql`CREATE INDEX payments_reference ON payments (reference text_pattern_ops)`,
  sql`CREATE INDEX payments_amount ON payments (amount, id DESC)`,
  sql`CREATE INDEX orders_total ON orders (total, id DESC)`,
  sql`CREATE INDEX orders_status ON orders (status, id DESC)`,
  sql`CREATE INDEX ledger_transactions_order ON ledger_transactions (order_id)
    WHERE order_id IS NOT NULL`,
  sql`CREATE INDEX ledger_transactions_time ON ledger_transactions (created_at)`,
  // Includes the amount, so that a balance reads only the index.
  sql`CREATE INDEX ledger_entries_sums ON ledger_entries (account_id, id) INCLUDE (amount)`,
  sql`DROP INDEX ledger_entries_account`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
