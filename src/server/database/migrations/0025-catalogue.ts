import { type Kysely, sql } from 'kysely'

/** School lists and covers that administrators change, and featured items with their order. */
const statements = [
  // `names` as written by administrators, {"ar": …, "fr": …, "en": …}; NULL: by code, else the
  // name.
  sql`ALTER TABLE categories
    ADD COLUMN names jsonb,
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE matieres
    ADD COLUMN names jsonb,
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false,
    -- Search texts of documents still contain the earlier name.
    ADD COLUMN is_search_stale boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE niveaux
    ADD COLUMN names jsonb,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false`,
  sql`ALTER TABLE cover_mappings
    ADD COLUMN name text NOT NULL DEFAULT '',
    ADD COLUMN names jsonb,
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false`,

  sql`ALTER TABLE documents ADD COLUMN featured_place integer CHECK (featured_place > 0)`,
  sql`UPDATE documents SET featured_place = featured.place FROM (
      SELECT id, row_number() OVER (ORDER BY is_published DESC, uploaded_at DESC, id DESC) AS place
      FROM documents WHERE is_featured
    ) AS featured
    WHERE documents.id = featured.id AND featured.place <= 24`,
  sql`ALTER TABLE documents DROP COLUMN is_featured`,
  sql`CREATE INDEX documents_featured ON documents (featured_place) WHERE featured_place IS NOT NULL`,
  sql`ALTER TABLE teachers ADD COLUMN featured_place integer CHECK (featured_place > 0)`,
  sql`UPDATE teachers SET featured_place = featured.place FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS place FROM teachers WHERE is_featured
    ) AS featured
    WHERE teachers.id = featured.id AND featured.place <= 24`,
  sql`ALTER TABLE teachers DROP COLUMN is_featured`,

  // Revision 0: the state before the first change, for subjects without a file in the repository.
  sql`ALTER TABLE site_versions DROP CONSTRAINT site_versions_revision_check`,
  sql`ALTER TABLE site_versions ADD CHECK (revision >= 0)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
