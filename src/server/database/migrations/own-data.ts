import { sql } from 'kysely'
import { migration } from './migration.ts'

/** What a person may ask of the shop: their data to take along, and to be deleted. */
const ownData = migration(
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
    is_reminded boolean NOT NULL DEFAULT false,
    -- null: all there is, as only its owner says.
    given_up_most bigint,
    CHECK ((holder IS NULL) = (rib IS NULL))
  )`,
  sql`CREATE INDEX account_deletions_due ON account_deletions (due_at)`,
)

export const ownDataMigrations = { '0009-own-data': ownData }
