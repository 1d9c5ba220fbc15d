import type { Database } from '../../database/pool.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Publisher } from '../../deps.ts'
import { noteChanges } from './page-changes.ts'

/** Marks tags whose pages are rendered again after the commit of the transaction. */
type MarkStale = (tags: readonly string[]) => void

/**
 * Runs a transaction that changes what public pages show; `work` marks their tags as stale. The
 * tags are noted in the transaction, so that the pages are rendered again even if the process ends
 * right after the commit; this process receives the note's id with the change, so that it does not
 * render the pages once more when it reads the note.
 */
export async function changePages<Result>(
  { database, publisher }: { database: Pick<Database, 'kysely'>; publisher: Publisher },
  work: (tx: Tx, markStale: MarkStale) => Promise<Result>,
): Promise<Result> {
  const { result, tags, note } = await transaction(database, async (tx) => {
    const marked = new Set<string>()
    const result = await work(tx, (tags) => {
      for (const tag of tags) marked.add(tag)
    })
    const tags = [...marked]
    return { result, tags, note: tags.length > 0 ? await noteChanges(tx, tags) : undefined }
  })
  if (tags.length > 0) publisher.changed(tags, note)
  return result
}
