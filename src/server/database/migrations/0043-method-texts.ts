import { type Kysely, sql } from 'kysely'

/**
 * The names of payment methods had a text on each page that shows them, and now have one for all.
 * What administrators wrote for a method takes its place: of several such texts, the newest.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO site_versions (subject, revision, value, actor, made_at)
    SELECT DISTINCT ON (locale, method)
      'text ' || locale || ' common:methods.' || method, 1, value, actor, made_at
    FROM (
      SELECT DISTINCT ON (subject) value, actor, made_at,
        split_part(subject, ' ', 2) AS locale, substring(subject FROM '[^.]+$') AS method
      FROM site_versions
      WHERE subject ~ ${`^text [a-z]+ (${FORMER.join('|')})\\.(wallet|card|bank_transfer|d17)$`}
      ORDER BY subject, revision DESC
    ) AS latest
    -- NULL: the shipped text was taken back.
    WHERE value IS NOT NULL
    ORDER BY locale, method, made_at DESC
    ON CONFLICT (subject, revision) DO NOTHING`.execute(database)
}

const FORMER = [
  'charging:page\\.history\\.waiting\\.methods',
  'charging:page\\.method',
  'checkout:payment',
  'library:page\\.waiting\\.methods',
  'order:page\\.methods',
]
