import { type RawBuilder, sql } from 'kysely'
import { foldWords } from '../../../rules/search-fold.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'

/** The texts of a document that a search compares (docs/shop.md#search). */
export interface Searchable {
  readonly title: string
  readonly subject: string
  /** In Arabic or Latin letters. */
  readonly teacher: string
}

/**
 * The stored form that searches look into: ` word word … `, folded. The space at both ends lets
 * `% word %` find whole words and `% wor%` prefixes, including those of the first and last words.
 */
export function searchText({ title, subject, teacher }: Searchable): string {
  return ` ${[title, subject, teacher].flatMap(foldWords).join(' ')} `
}

/**
 * The number of search texts that one transaction rewrites, so that nobody waits long for the rows.
 */
const REWRITTEN_AT_ONCE = 500

/**
 * The number of documents of a renamed subject that are rewritten before the answer; a timed job
 * rewrites the others.
 */
const REWRITTEN_AT_RENAMING = 1000

/** Rewrites the search texts of a teacher's documents after the teacher's name has changed. */
export async function rewriteSearchTexts(tx: Tx, teacherId: number): Promise<void> {
  await rewrite(tx, sql`d.teacher_id = ${teacherId}`)
}

/**
 * Rewrites the search texts of the documents of renamed subjects, in batches; about `most` per
 * subject.
 */
export async function rewriteStaleSearchTexts(
  { database }: Pick<Deps, 'database'>,
  most = REWRITTEN_AT_RENAMING,
): Promise<void> {
  const stale = await database.kysely
    .selectFrom('matieres')
    .select(['id', 'name'])
    .where('isSearchStale', '=', true)
    .execute()
  for (const { id, name } of stale) {
    let last = 0
    let count = REWRITTEN_AT_ONCE
    let rewritten = 0
    while (count === REWRITTEN_AT_ONCE && rewritten < most) {
      const from = sql`d.matiere_id = ${id} AND d.id > ${last}`
      const ids = await transaction(database, (tx) => rewrite(tx, from, REWRITTEN_AT_ONCE))
      last = ids.at(-1) ?? last
      count = ids.length
      rewritten += count
    }
    if (count === REWRITTEN_AT_ONCE) continue
    await database.kysely
      .updateTable('matieres')
      .set({ isSearchStale: false })
      .where('id', '=', id)
      // A subject that was renamed again stays stale until the next run.
      .where('name', '=', name)
      .execute()
  }
}

/** Rewrites the search texts of some documents, in the order of their ids, and returns the ids. */
async function rewrite(
  tx: Tx,
  where: RawBuilder<unknown>,
  limit: number | null = null,
): Promise<number[]> {
  // Locked: a title that is saved meanwhile is either read afterwards or saved with the new names.
  const { rows } = await sql<Searchable & { id: number }>`
    SELECT d.id, d.title, coalesce(m.name, '') AS subject,
      concat_ws(' ', t.first_name, t.last_name, t.latin_name) AS teacher
    FROM documents d
    JOIN teachers t ON t.id = d.teacher_id
    LEFT JOIN matieres m ON m.id = d.matiere_id
    WHERE ${where} ORDER BY d.id LIMIT ${limit} FOR NO KEY UPDATE OF d`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    UPDATE documents SET search_text = found.text
    FROM unnest(${ids}::integer[], ${rows.map(searchText)}::text[]) AS found (id, text)
    WHERE documents.id = found.id`.execute(tx)
  return ids
}
