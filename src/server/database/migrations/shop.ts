import { sql } from 'kysely'
import { migration, onlyAdded } from './migration.ts'

/** What concerns the shop as a whole: its pages, texts, settings, figures and upkeep. */
const shop = migration(
  sql`CREATE TABLE additive_migrations (
    name text PRIMARY KEY
  )`,

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

  sql`CREATE TABLE cdn_purges (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    state jsonb NOT NULL
  )`,

  sql`CREATE TABLE site_versions (
    -- 'facts bank', 'page faq'.
    subject text NOT NULL,
    revision integer NOT NULL CHECK (revision >= 0),
    -- NULL: the first version, from the repository. Not jsonb, which would reorder the languages.
    value json,
    -- The version that it restores.
    restores integer CHECK (restores >= 0),
    actor text NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (subject, revision)
  )`,
  sql`CREATE INDEX site_versions_texts ON site_versions (subject, revision DESC)
    WHERE subject LIKE 'text %'`,
  ...onlyAdded('site_versions', 'versions are only added'),

  sql`CREATE TABLE logos (
    name text PRIMARY KEY,
    content bytea NOT NULL,
    mark bytea NOT NULL,
    made_at timestamptz NOT NULL
  )`,

  // Every value that the operator has set; the newest row of a name counts. Without a row: the
  // default.
  sql`CREATE TABLE settings (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    -- null: for the whole shop.
    teacher_id integer,
    -- null: the default again.
    value bigint,
    set_at timestamptz NOT NULL,
    actor text NOT NULL,
    -- Why a setting was changed.
    reason text NOT NULL DEFAULT ''
  )`,
  sql`CREATE INDEX settings_current ON settings (name, teacher_id, id DESC)`,
  ...onlyAdded('settings', 'their history is only added to'),

  sql`CREATE TABLE terms_versions (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision integer NOT NULL,
    published_at timestamptz NOT NULL,
    actor text NOT NULL
  )`,

  sql`CREATE TABLE terms_acceptances (
    user_id integer NOT NULL REFERENCES users (id),
    version integer NOT NULL REFERENCES terms_versions (number),
    accepted_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, version)
  )`,

  // The sums of the ledger for a past day in Tunisia; null: not computed yet.
  sql`CREATE TABLE figure_days (
    day text PRIMARY KEY CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    sums jsonb
  )`,

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

  // The last run of each task.
  sql`CREATE TABLE upkeep (
    what text PRIMARY KEY,
    done_at timestamptz NOT NULL,
    -- Since when the task has reported a problem; null: none.
    wrong_since timestamptz,
    -- The last error of what fails.
    reason text
  )`,

  sql`CREATE TABLE told_notices (
    kind text PRIMARY KEY,
    told_at timestamptz NOT NULL,
    -- Everything that has waited since before then was told.
    told_until timestamptz NOT NULL
  )`,

  sql`CREATE TABLE job_deaths (
    job_id uuid PRIMARY KEY,
    deaths integer NOT NULL CHECK (deaths > 0),
    last_at timestamptz NOT NULL DEFAULT now()
  )`,
)

export const shopMigrations = { '0002-shop': shop }
