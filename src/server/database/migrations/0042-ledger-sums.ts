import { type Kysely, sql } from 'kysely'

/**
 * Checks the sums of ledger transactions once for each statement that writes entries, in place of
 * once for each entry at the commit: a group of purchases writes some sixty entries by one
 * statement. It is stricter, since the entries of one statement have to sum to zero by themselves.
 */
const statements = [
  sql`CREATE FUNCTION check_sums() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE uneven bigint;
    BEGIN
      SELECT transaction_id INTO uneven FROM added
        GROUP BY transaction_id HAVING sum(amount) <> 0 LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % does not sum to zero', uneven
          USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER ledger_entries_sums AFTER INSERT ON ledger_entries
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_sums()`,
  sql`DROP TRIGGER ledger_sum_zero ON ledger_entries`,
  sql`DROP FUNCTION check_sum_zero()`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
