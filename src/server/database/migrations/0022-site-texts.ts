import { type Kysely, sql } from 'kysely'

/** Facts and pages that administrators write about the shop itself, in every version. */
const statements = [
  sql`CREATE TABLE site_versions (
    -- 'facts bank', 'page faq'.
    subject text NOT NULL,
    revision integer NOT NULL CHECK (revision > 0),
    -- NULL: the first version, from the repository. Not jsonb, which would reorder the languages.
    value json,
    -- The version that it restores.
    restores integer CHECK (restores >= 0),
    actor text NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (subject, revision)
  )`,
  sql`CREATE FUNCTION refuse_site_versions_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of site_versions is refused: versions are only added', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  sql`CREATE TRIGGER site_versions_immutable BEFORE UPDATE OR DELETE ON site_versions
    FOR EACH ROW EXECUTE FUNCTION refuse_site_versions_change()`,
  sql`CREATE TRIGGER site_versions_no_truncate BEFORE TRUNCATE ON site_versions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_site_versions_change()`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
