import { sql } from 'kysely'
import { additive, migration } from './migration.ts'

/** Links to reset a password: each works once, for 30 minutes. */
const passwordResets = migration(
  // Only the SHA-256 of a token is stored: someone who reads the table cannot reset a password.
  sql`CREATE TABLE password_resets (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX password_resets_user ON password_resets (user_id)`,
  sql`CREATE INDEX password_resets_expiry ON password_resets (expires_at)`,
)

/** Staff who choose their own password, blocked accounts, and the log of staff actions. */
const staff = migration(
  // An invited account has no password until its link is used.
  sql`ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL`,
  sql`ALTER TABLE users ADD COLUMN blocked_at timestamptz`,

  sql`CREATE TABLE staff_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    made_at timestamptz NOT NULL DEFAULT now(),
    -- The actor: 'command line'.
    actor text NOT NULL,
    action text NOT NULL,
    -- What the action changed, such as 'user 12'.
    subject text NOT NULL,
    reason text
  )`,
  sql`CREATE INDEX staff_log_subject ON staff_log (subject, id)`,
  sql`CREATE FUNCTION refuse_staff_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of staff_log is refused: the log is only added to', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  sql`CREATE TRIGGER staff_log_immutable BEFORE UPDATE OR DELETE ON staff_log
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_log_change()`,
  sql`CREATE TRIGGER staff_log_no_truncate BEFORE TRUNCATE ON staff_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_staff_log_change()`,
)

/** How staff get access to the office: invitations, requests to join, and second factors. */
const staffAccess = migration(
  sql`CREATE TABLE staff_invitations (
    token_hash text PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX staff_invitations_user ON staff_invitations (user_id)`,

  // A factor that is being set up counts only once one of its codes has been entered.
  sql`CREATE TABLE second_factor_setups (
    user_id integer PRIMARY KEY REFERENCES users (id),
    sealed_secret text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE TABLE second_factors (
    user_id integer PRIMARY KEY REFERENCES users (id),
    -- Encrypted with a key derived from the shop's secret.
    sealed_secret text NOT NULL,
    -- The time step of the last accepted code: no code is accepted twice.
    last_step bigint NOT NULL,
    since timestamptz NOT NULL
  )`,
  sql`CREATE TABLE recovery_codes (
    user_id integer NOT NULL REFERENCES users (id),
    code_hash text NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
  )`,

  sql`CREATE TABLE join_requests (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL CHECK (email = lower(email)),
    phone text NOT NULL CHECK (phone ~ '^[0-9]{8}$'),
    first_name text NOT NULL,
    last_name text NOT NULL,
    subjects text NOT NULL,
    message text NOT NULL,
    locale text NOT NULL,
    -- Confirms the e-mail address; the request is shown to staff only afterwards.
    token_hash text UNIQUE,
    asked_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    decided_at timestamptz,
    decision text CHECK (decision IN ('accepted', 'refused')),
    reason text,
    CHECK ((decision IS NULL) = (decided_at IS NULL))
  )`,
  // At most one request per address waits for an answer.
  sql`CREATE UNIQUE INDEX join_requests_waiting ON join_requests (email)
    WHERE confirmed_at IS NOT NULL AND decided_at IS NULL`,
)

/**
 * Searching people by name in the office, indexes of the log by actor and subject, and merged
 * accounts.
 */
const people = migration(
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
)

/**
 * Attempts on accounts in their windows of time, counted over all processes. A key is a hash: whose
 * attempts they are cannot be read. A backup contains the table, so that a restored shop is as
 * closed to guesses as it was.
 */
const attempts = migration(
  sql`
    CREATE TABLE attempt_counts (
      key text PRIMARY KEY,
      count integer NOT NULL,
      ends_at timestamptz NOT NULL
    )`,
)

/**
 * The staff log refers to things by kind and id; a subject without an id keeps its whole name as
 * its kind. The reason of a block stands with the account.
 */
const logSubjects = migration(
  sql`ALTER TABLE staff_log ADD COLUMN subject_kind text, ADD COLUMN subject_id integer`,
  // Processes of earlier versions, which may run beside this one, read and write the phrase.
  sql`CREATE FUNCTION name_log_subject() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.subject_kind IS NOT NULL THEN
        NEW.subject := concat_ws(' ', NEW.subject_kind, NEW.subject_id);
      ELSIF NEW.subject ~ '^[a-z ]+ [1-9][0-9]{0,8}$' THEN
        NEW.subject_kind := regexp_replace(NEW.subject, ' [0-9]+$', '');
        NEW.subject_id := substring(NEW.subject FROM '[0-9]+$')::integer;
      ELSE
        NEW.subject_kind := NEW.subject;
      END IF;
      RETURN NEW;
    END $$`,
  sql`CREATE TRIGGER staff_log_subject BEFORE INSERT OR UPDATE ON staff_log
    FOR EACH ROW EXECUTE FUNCTION name_log_subject()`,
  sql`ALTER TABLE staff_log DISABLE TRIGGER staff_log_immutable`,
  sql`UPDATE staff_log SET subject = subject`,
  sql`ALTER TABLE staff_log ENABLE TRIGGER staff_log_immutable`,
  sql`ALTER TABLE staff_log ALTER COLUMN subject_kind SET NOT NULL`,
  sql`DROP INDEX staff_log_subject`,
  sql`CREATE INDEX staff_log_subject ON staff_log (subject_kind, subject_id, id)`,

  sql`ALTER TABLE users ADD COLUMN blocked_reason text`,
  sql`UPDATE users SET blocked_reason = block.reason
    FROM (
      SELECT DISTINCT ON (subject_id) subject_id, reason FROM staff_log
      WHERE subject_kind = 'user' AND action = 'block' ORDER BY subject_id, id DESC
    ) AS block
    WHERE users.id = block.subject_id AND users.blocked_at IS NOT NULL`,
)

/** Accounts with a phone number alone. Who logs in has a name to log in by. */
const phoneAccounts = additive(
  '0058-phone-accounts',
  sql`ALTER TABLE users ALTER COLUMN email DROP NOT NULL`,
  sql`ALTER TABLE users ADD COLUMN phone_confirmed_at timestamptz`,
  sql`ALTER TABLE users ADD CONSTRAINT users_can_log_in
    CHECK (email IS NOT NULL OR phone IS NOT NULL OR password_hash IS NULL)`,
  // A confirmed phone number makes ratings count as a confirmed address does.
  sql`CREATE OR REPLACE FUNCTION rating_is_public(rated ratings) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT rated.hidden_at IS NULL AND (rated.predates_confirmation OR EXISTS (
      SELECT FROM users WHERE id = rated.user_id
        AND (email_confirmed_at IS NOT NULL OR phone_confirmed_at IS NOT NULL)
    ))
  $$`,
  sql`CREATE TRIGGER users_phone_decides_ratings AFTER UPDATE OF phone_confirmed_at ON users
    FOR EACH ROW WHEN (OLD.phone_confirmed_at IS DISTINCT FROM NEW.phone_confirmed_at)
    EXECUTE FUNCTION decide_authors_ratings()`,
)

/** The log-ins of an account by device, for its own page. */
const logIns = additive(
  '0060-log-ins',
  sql`CREATE TABLE log_ins (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_id text NOT NULL UNIQUE,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    generation integer NOT NULL,
    device text NOT NULL,
    begun_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX log_ins_user ON log_ins (user_id, id)`,
  sql`CREATE INDEX log_ins_expiry ON log_ins (expires_at)`,
)

/** Codes that prove phone numbers, and text messages on their way. */
const phoneCodes = additive(
  '0059-phone-codes',
  // The hash is keyed with the shop's secret: six digits alone would be found by trying.
  sql`CREATE TABLE phone_codes (
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    phone text NOT NULL,
    -- 'account': opens it; 'change': allows to change a phone number, and nothing else.
    purpose text NOT NULL CHECK (purpose IN ('account', 'change')),
    code_hash text NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, phone, purpose)
  )`,
  sql`CREATE INDEX phone_codes_expiry ON phone_codes (expires_at)`,
  // Written before the gateway is asked, so that no message is sent twice.
  sql`CREATE TABLE sent_texts (
    job_id uuid PRIMARY KEY,
    sent_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX sent_texts_day ON sent_texts (sent_at)`,
  // A change of e-mail or phone that is not made yet; an account has one at a time.
  sql`CREATE TABLE contact_changes (
    user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('email', 'phone')),
    value text NOT NULL,
    -- Of the link that confirms a new address.
    token_hash text UNIQUE,
    asked_at timestamptz NOT NULL,
    -- When a confirmed change is made.
    due_at timestamptz
  )`,
  sql`CREATE INDEX contact_changes_due ON contact_changes (due_at) WHERE due_at IS NOT NULL`,
  sql`ALTER TABLE upkeep DROP CONSTRAINT upkeep_what_check`,
  sql`ALTER TABLE upkeep ADD CONSTRAINT upkeep_what_check
    CHECK (what IN ('backup', 'ledger', 'mail', 'sms', 'gateway', 'disk', 'proxy', 'restored'))`,
)

/** The order of titles and names, by language and with numbers; the index on `lower(…)` goes later. */
const textOrder = additive(
  '0085-text-order',
  sql`CREATE COLLATION text_order (provider = icu, locale = 'und-u-kn-true')`,
  sql`CREATE INDEX users_name_in_order
    ON users ((translate(first_name || ' ' || last_name, 'آأإٱ', 'اااا') COLLATE text_order), id)`,
)

/** A number that nobody has confirmed proves nothing: several accounts may have it. */
const unconfirmedPhones = additive(
  '0080-unconfirmed-phones',
  sql`ALTER TABLE users DROP CONSTRAINT IF EXISTS users_phone_key`,
  sql`CREATE UNIQUE INDEX users_confirmed_phone ON users (phone)
    WHERE phone_confirmed_at IS NOT NULL`,
  sql`CREATE INDEX users_phone ON users (phone)`,
  // For the accounts that end without a confirmation.
  sql`CREATE INDEX users_unconfirmed ON users (created_at)
    WHERE email_confirmed_at IS NULL AND phone_confirmed_at IS NULL`,
)

const codeRequests = additive(
  '0081-code-requests',
  // A code that somebody asked for without a log-in, and who alone may try it.
  sql`CREATE TABLE code_requests (
    request_hash text PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    phone text NOT NULL,
    -- 'register': confirms the number of this account; 'reset': sets a new password.
    purpose text NOT NULL CHECK (purpose IN ('register', 'reset')),
    code_hash text NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX code_requests_user ON code_requests (user_id)`,
  sql`CREATE INDEX code_requests_expiry ON code_requests (expires_at)`,
  // Messages to numbers that no account has confirmed, and whether their codes came back.
  sql`CREATE TABLE newcomer_texts (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code_key text NOT NULL,
    asked_at timestamptz NOT NULL,
    came_back_at timestamptz
  )`,
  sql`CREATE INDEX newcomer_texts_asked ON newcomer_texts (asked_at)`,
  sql`CREATE INDEX newcomer_texts_key ON newcomer_texts (code_key)`,
)

/** The addresses, as keyed hashes, from which an account has logged in. */
const knownPlaces = additive(
  '0082-known-places',
  sql`CREATE TABLE known_places (
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    place text NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, place)
  )`,
  sql`CREATE INDEX known_places_seen ON known_places (seen_at)`,
)

/** From which network a log-in came, shortened before it is stored. */
const logInAddresses = additive(
  '0109-log-in-addresses',
  sql`ALTER TABLE log_ins ADD COLUMN address text NOT NULL DEFAULT ''`,
)

export const peopleMigrations = {
  '0003-password-resets': passwordResets,
  '0009-staff': staff,
  '0013-staff-access': staffAccess,
  '0021-people': people,
  '0046-attempts': attempts,
  '0055-log-subjects': logSubjects,
  ...phoneAccounts,
  ...phoneCodes,
  ...logIns,
  ...textOrder,
  ...unconfirmedPhones,
  ...codeRequests,
  ...knownPlaces,
  ...logInAddresses,
}
