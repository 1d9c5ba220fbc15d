import { sql } from 'kysely'
import { foldWords } from '../../rules/search-fold.ts'
import type { Tx } from '../database/transaction.ts'

/** The texts of a document that a search compares (docs/shop.md#search). */
export interface Searchable {
  readonly title: string
  readonly subject: string
  /** In whichever letters they are given. */
  readonly teacher: string
}

/**
 * The stored form that a search looks into: ` word word … `, folded. The space at both ends lets
 * `% word %` find whole words and `% wor%` prefixes, the first and last words included.
 */
export function searchText({ title, subject, teacher }: Searchable): string {
  return ` ${[title, subject, teacher].flatMap(foldWords).join(' ')} `
}

/** Rewrites the search texts of a teacher's documents, after the teacher's names have changed. */
export async function rewriteSearchTexts(
  tx: Tx,
  { teacherId, teacher }: { teacherId: number; teacher: string },
): Promise<void> {
  // Locked: a title saved at the same time is either read here, or its writer reads the new names.
  const documents = await tx
    .selectFrom('documents as d')
    .leftJoin('matieres as m', 'm.id', 'd.matiereId')
    .select(['d.id', 'd.title', 'm.name as subject'])
    .where('d.teacherId', '=', teacherId)
    .orderBy('d.id')
    .forNoKeyUpdate('d')
    .execute()
  const texts = documents.map(({ title, subject }) =>
    searchText({ title, subject: subject ?? '', teacher }),
  )
  await sql`
    UPDATE documents SET search_text = found.text
    FROM unnest(${documents.map(({ id }) => id)}::integer[], ${texts}::text[]) AS found (id, text)
    WHERE documents.id = found.id`.execute(tx)
}
