import { type Kysely, sql } from 'kysely'

/** How staff get access to the office: invitations, requests to join, and second factors. */
const statements = [
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
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
