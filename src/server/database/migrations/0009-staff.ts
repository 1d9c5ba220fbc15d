import { type Kysely, sql } from 'kysely'

/** Staff who choose their own password, blocked accounts, and the log of staff actions. */
const statements = [
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
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
