import { type Kysely, sql } from 'kysely'

/**
 * Documents' references in the spelling in which lists are now read, so that the next list finds the
 * documents of the last one: without invisible marks, with `-` for every dash, Latin digits and
 * single spaces (NFKC). Where two documents would get one reference, the older one gets it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    WITH spelled AS (
      SELECT id, reference, btrim(regexp_replace(translate(regexp_replace(normalize(
        regexp_replace(reference, ${UNSEEN}, '', 'g'), NFKC), ${DASHES}, '-', 'g'),
        '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '\s+', ' ', 'g')) AS plain
      FROM documents
    ), first AS (
      SELECT DISTINCT ON (plain) id, plain FROM spelled
      WHERE plain <> '' AND plain <> reference
        AND NOT EXISTS (SELECT FROM documents d WHERE d.reference = plain)
      ORDER BY plain, id
    )
    UPDATE documents SET reference = first.plain FROM first WHERE documents.id = first.id`.execute(
    database,
  )
}

const UNSEEN =
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]'
const DASHES = '[\\u2010-\\u2015\\u2043\\u2212\\u2e3a\\u2e3b\\ufe58\\ufe63\\uff0d]'
