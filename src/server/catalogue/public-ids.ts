import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'

const BATCH = 1000
const LARGEST_ID = 2 ** 31 - 1

/** The public ids above `after`, ascending, in batches: a large catalogue need not be in memory. */
export async function* publicIds(
  db: Kysely<Schema>,
  table: 'teachers' | 'documents',
  after = 0,
  last = LARGEST_ID,
): AsyncGenerator<number[]> {
  for (let from = after; ; ) {
    let query = db.selectFrom(table).select('id').where('id', '>', from).where('id', '<=', last)
    if (table === 'documents') query = query.where('isPublished', '=', true)
    const rows = await query.orderBy('id').limit(BATCH).execute()
    yield rows.map(({ id }) => id)
    const newest = rows.at(-1)
    if (!newest || rows.length < BATCH) return
    from = newest.id
  }
}
