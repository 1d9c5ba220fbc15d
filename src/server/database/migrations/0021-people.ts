import { type Kysely, sql } from 'kysely'

/**
 * Searching people by name in the office, indexes of the log by actor and subject, and merged
 * accounts.
 */
const statements = [
  // The folded text by which an account is found; null: to be folded again by the program.
  sql`ALTER TABLE users ADD COLUMN search_text text`,
  sql`CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops)`,
  sql`CREATE INDEX users_unfolded ON users (id) WHERE search_text IS NULL`,
  sql`CREATE FUNCTION unfold_user() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search_text := NULL;
      RETURN NEW;
    END $$`,
  sql`CREATE TRIGGER users_unfolded BEFORE UPDATE OF first_name, last_name, email, phone, username
    ON users FOR EACH ROW EXECUTE FUNCTION unfold_user()`,
  // A teacher's name exists in Latin letters too.
  sql`CREATE FUNCTION unfold_teacher() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE users SET search_text = NULL WHERE id = NEW.user_id AND search_text IS NOT NULL;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER teachers_unfolded
    AFTER INSERT OR UPDATE OF first_name, last_name, latin_name, user_id ON teachers
    FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION unfold_teacher()`,

  sql`CREATE INDEX users_since ON users (created_at DESC, id DESC)`,
  sql`CREATE INDEX users_name ON users (lower(first_name || ' ' || last_name), id)`,
  sql`CREATE INDEX users_staff ON users (role, created_at DESC, id DESC) WHERE role <> 'PARENT'`,
  sql`CREATE INDEX users_blocked ON users (created_at DESC, id DESC) WHERE blocked_at IS NOT NULL`,
  sql`CREATE INDEX users_invited ON users (created_at DESC, id DESC) WHERE password_hash IS NULL`,
  sql`CREATE INDEX users_email_parts ON users USING gin (email gin_trgm_ops)`,
  sql`CREATE INDEX users_phone_parts ON users USING gin (phone gin_trgm_ops)`,

  // An account that is merged into another one is closed for good.
  sql`ALTER TABLE users ADD COLUMN merged_into integer REFERENCES users (id)`,
  sql`ALTER TABLE users ADD CONSTRAINT users_merged_are_blocked
    CHECK (merged_into IS NULL OR (blocked_at IS NOT NULL AND merged_into <> id))`,
  sql`CREATE INDEX users_merged ON users (merged_into) WHERE merged_into IS NOT NULL`,
  // Stored with the balance, so that a transaction that locks a wallet sees that it is closed.
  sql`ALTER TABLE accounts ADD COLUMN is_closed boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE accounts ADD CONSTRAINT accounts_closed_are_empty
    CHECK (NOT is_closed OR coalesce(balance, 0) = 0)`,
  sql`ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check`,
  sql`ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check
    CHECK (kind IN ('purchase', 'top_up', 'refund', 'adjustment', 'payout', 'merge'))`,

  sql`CREATE INDEX staff_log_actor ON staff_log (actor, id DESC)`,
  sql`CREATE INDEX staff_log_action ON staff_log (action, id DESC)`,
  sql`CREATE INDEX staff_log_made ON staff_log (made_at, id)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
