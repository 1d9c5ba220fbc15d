import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { noteChange } from '../history.ts'
import { decideVersion, dropFile, insertVersion, newestVersion, writeFile } from '../versions.ts'
import type { KnownDocument } from './known-shop.ts'
import type { StoredDocument } from './store-files.ts'
import { type Columns, isSampleChanged, isTextChanged } from './written-columns.ts'

/**
 * States of a version that an import ends: by another file, or by putting its document up for sale.
 */
const OPEN: ReadonlySet<string> = new Set(['draft', 'submitted', 'returned'])

/** Changes the differing parts of a document; returns its id, or null if nothing differs. */
export async function changeListed(
  tx: Tx,
  before: KnownDocument,
  document: StoredDocument,
  columns: Columns,
  actor: string,
): Promise<number | null> {
  const isText = isTextChanged(before, columns)
  const isFile = before.sha256 !== document.pdf.sha256
  // The state `draft` in a list leaves an unpublished draft in its present state, such as under
  // review.
  const isState = document.state !== 'draft' && before.state !== document.state
  // Written only if it differs: writing it makes the shop read the sample's pages again.
  const isSample = isSampleChanged(document, before)
  if (!isText && !isFile && !isState && !isSample) return null

  const { id } = before
  const isFirstSale = isState && before.firstPublishedAt === null
  const newest = await newestVersion(tx, id)
  const open = newest && OPEN.has(newest.state) ? newest : undefined
  if (open && (isFile || isFirstSale)) {
    const state = isFile ? 'replaced' : 'accepted'
    await decideVersion(tx, { documentId: id, ...open }, { actor, state })
  }
  let fileId: number | undefined
  if (isFile) {
    const isAccepted = document.state !== 'draft' || before.firstPublishedAt !== null
    fileId = await writeFile(tx, document.pdf)
    const version = { documentId: id, newest, actor, fileId, uploadId: null }
    // A version under review stays under review, with the new file.
    const waiting = open?.state === 'submitted' ? 'submitted' : 'draft'
    const state = isAccepted ? 'accepted' : waiting
    const number = await insertVersion(tx, { ...version, state })
    if (isAccepted) {
      await noteChange(tx, { documentId: id, actor, action: 'accept version', version: number })
    }
  }
  await tx
    .updateTable('documents')
    .set({
      ...columns,
      ...(isSample && { samplePages: document.samplePages }),
      ...(fileId !== undefined && { fileId }),
      ...(isState && { state: document.state, isTakenDown: false }),
      // A document counts as new from its first sale, not from its first draft.
      ...(isFirstSale && { firstPublishedAt: sql<Date>`now()`, uploadedAt: sql<Date>`now()` }),
      revision: sql<number>`revision + 1`,
      changedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  if (open && isFile) await dropFile(tx, id, open)
  if (isState) {
    if (document.state === 'published' || isFirstSale) {
      await noteChange(tx, { documentId: id, actor, action: 'publish' })
    }
    if (document.state === 'unpublished')
      await noteChange(tx, { documentId: id, actor, action: 'unpublish' })
  }
  return id
}
