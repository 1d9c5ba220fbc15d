import { type Kysely, sql } from 'kysely'

/** The language of an account, and how many mails of a kind it caused recently. */
const statements = [
  sql`ALTER TABLE users ADD COLUMN locale text NOT NULL DEFAULT 'ar'
    CONSTRAINT users_locale CHECK (locale IN ('ar', 'fr', 'en'))`,
  // Until now the payer's language was stored only with payments.
  sql`UPDATE users SET locale = newest.locale
    FROM (SELECT DISTINCT ON (user_id) user_id, locale FROM payments ORDER BY user_id, id DESC) newest
    WHERE newest.user_id = users.id`,
  // The waiting mails themselves are in the queue's own schema (see jobs/jobs.ts).
  sql`CREATE TABLE mail_counts (
    user_id integer NOT NULL REFERENCES users (id),
    kind text NOT NULL,
    window_ends_at timestamptz NOT NULL,
    queued integer NOT NULL,
    PRIMARY KEY (user_id, kind)
  )`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
