import { type Kysely, sql } from 'kysely'

/** What administrators write of the shop itself: its facts and its own pages, every version of them. */
const statements = [
  sql`CREATE TABLE site_versions (
    -- 'facts bank', 'page faq'.
    subject text NOT NULL,
    revision integer NOT NULL CHECK (revision > 0),
    -- NULL: the first version again, the one of the repository.
    -- Not jsonb, which would put the languages in an order of its own.
    value json,
    -- Which version it brings back.
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
