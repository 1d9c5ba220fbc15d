import { sql } from 'kysely'
import { foldWords } from '../../rules/search-fold.ts'
import type { Tx } from '../database/transaction.ts'

/** What of a document can be found by its words (docs/shop.md#search). */
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

/** Writes anew what the documents of a teacher are found by, whose names have changed. */
export async function rewriteSearchTexts(
  tx: Tx,
  { teacherId, teacher }: { teacherId: number; teacher: string },
): Promise<void> {
  // Locked: a title that is saved meanwhile is read after it, or reads the new names.
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
