import { type Kysely, sql } from 'kysely'

const NAMED_TABLES = ['categories', 'matieres', 'niveaux', 'cover_mappings']

const statements = [
  // Counts the documents that pass any filters without reading a single row.
  sql`CREATE INDEX documents_filters ON documents
    (level, audience, category_id, matiere_id, niveau_id, rating, final_price, teacher_id)
    WHERE is_published`,

  // Changes with every row of the tables below, so that caches of them know when to read again.
  sql`CREATE TABLE names_revision (
    the_only boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    revision bigint NOT NULL
  )`,
  sql`INSERT INTO names_revision (revision) VALUES (1)`,
  sql`CREATE FUNCTION names_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE names_revision SET revision = revision + 1;
      RETURN NULL;
    END $$`,
  ...NAMED_TABLES.map(
    (table) => sql`CREATE TRIGGER names_changed
      AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION names_changed()`,
  ),
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
