import { sql } from 'kysely'
import { additive } from './migration.ts'

/** A refusal that lets a deleted person's words go: a reason may be emptied, and nothing else. */
const letWordsGo = (name: string, table: string, only: string) => sql`
  CREATE OR REPLACE FUNCTION ${sql.ref(name)}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('karras.deletes_person', true) = 'on'
      AND to_jsonb(NEW) - 'reason' = to_jsonb(OLD) - 'reason' AND coalesce(NEW.reason, '') = ''
    THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION '% of ${sql.raw(table)} is refused: ${sql.raw(only)}', TG_OP
      USING ERRCODE = 'integrity_constraint_violation';
  END $$`

/** What a person may ask of the shop: their data to take along, and to be deleted. */
const ownData = additive(
  '0061-own-data',
  sql`ALTER TABLE users ADD COLUMN deleted_at timestamptz`,
  sql`CREATE INDEX users_deleted ON users (id) WHERE deleted_at IS NOT NULL`,
  sql`CREATE TABLE data_exports (
    user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    asked_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    -- The ZIP; null: not made yet.
    storage_key text,
    size bigint,
    ready_at timestamptz,
    CHECK ((storage_key IS NULL) = (ready_at IS NULL))
  )`,
  sql`CREATE TABLE account_deletions (
    user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    asked_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    -- Who asked: 'user 12', themselves or an administrator.
    asked_by text NOT NULL,
    -- Where the money of the wallet goes; null: nowhere.
    holder text,
    rib text CHECK (rib ~ '^[0-9]{20}$'),
    gives_up_money boolean NOT NULL,
    CHECK ((holder IS NULL) = (rib IS NULL))
  )`,
  sql`CREATE INDEX account_deletions_due ON account_deletions (due_at)`,

  // The money of wallets whose owners leave.
  sql`ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check`,
  sql`ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check CHECK (kind IN ('customer',
    'teacher_sales', 'teacher_earnings', 'revenue', 'payouts', 'withheld', 'gateway', 'adjustments',
    'returns'))`,
  sql`DROP INDEX accounts_single`,
  sql`CREATE UNIQUE INDEX accounts_single ON accounts (kind)
    WHERE kind IN ('revenue', 'payouts', 'gateway', 'adjustments', 'returns')`,
  sql`INSERT INTO accounts (kind) VALUES ('returns')`,
  sql`ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check`,
  sql`ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN
    ('purchase', 'top_up', 'refund', 'adjustment', 'payout', 'merge', 'return'))`,

  letWordsGo('refuse_staff_log_change', 'staff_log', 'the log is only added to'),
  letWordsGo('refuse_event_change', 'document_events', 'the history is only added to'),
  letWordsGo('refuse_settings_change', 'settings', 'their history is only added to'),
)

/** The reminder of a deletion; and what is too old is found without reading every message. */
const reminders = additive(
  '0070-reminders',
  sql`ALTER TABLE account_deletions ADD COLUMN is_reminded boolean NOT NULL DEFAULT false`,
  sql`CREATE INDEX chat_messages_age ON chat_messages (created_at)`,
)

/** What merged accounts kept: deletions that would delete both, bank accounts, contacts to come. */
const mergedAccounts = additive(
  '0077-merged-accounts',
  sql`DELETE FROM account_deletions USING users
    WHERE users.id = user_id AND merged_into IS NOT NULL`,
  sql`DELETE FROM contact_changes USING users
    WHERE users.id = user_id AND merged_into IS NOT NULL`,
  sql`UPDATE data_exports SET asked_at = 'epoch',
      ready_at = CASE WHEN ready_at IS NOT NULL THEN timestamptz 'epoch' END
    FROM users WHERE users.id = user_id AND merged_into IS NOT NULL`,
)

export const ownDataMigrations = { ...ownData, ...reminders, ...mergedAccounts }
