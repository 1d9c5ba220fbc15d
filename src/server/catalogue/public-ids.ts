import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

const BATCH = 1000
const LARGEST_ID = 2 ** 31 - 1

/** The condition under which a row has a public page. */
export const IS_PUBLIC = {
  documents: sql<boolean>`is_published`,
  samples: sql<boolean>`is_published AND EXISTS (
    SELECT FROM samples s WHERE s.document_id = documents.id AND s.pages IS NOT NULL)`,
} as const

/**
 * The tables whose rows have a public page by id; `samples` are identified by the ids of their
 * documents.
 */
export type PublicTable = 'teachers' | 'documents' | 'samples'

/**
 * The public ids above `after`, ascending, in batches, so that a large catalogue need not fit into
 * memory.
 */
export async function* publicIds(
  db: Kysely<Schema>,
  table: PublicTable,
  after = 0,
  last = LARGEST_ID,
): AsyncGenerator<number[]> {
  for (let from = after; ; ) {
    const named = table === 'teachers' ? 'teachers' : 'documents'
    let query = db.selectFrom(named).select('id').where('id', '>', from).where('id', '<=', last)
    if (table !== 'teachers') query = query.where(IS_PUBLIC[table])
    const rows = await query.orderBy('id').limit(BATCH).execute()
    yield rows.map(({ id }) => id)
    const newest = rows.at(-1)
    if (!newest || rows.length < BATCH) return
    from = newest.id
  }
}
