import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { noteChange } from '../history.ts'
import { forgetFile } from '../locked.ts'
import { newestVersion, replaceDraftFile, submitNewest, writeFile } from '../versions.ts'
import type { KnownDocument } from './known-shop.ts'
import type { StoredDocument } from './store-files.ts'
import { type Columns, isSampleChanged, isTextChanged } from './written-columns.ts'

/**
 * Changes the differing parts of a teacher's document, and submits a draft if the list says so.
 * Returns its id, or null if nothing differs. `knownProblem` has already refused forbidden changes.
 */
export async function changeOwn(
  tx: Tx,
  before: KnownDocument,
  document: StoredDocument,
  columns: Columns,
  actor: string,
): Promise<number | null> {
  const { id } = before
  const isFile = before.sha256 !== document.pdf.sha256
  // Written only if it differs: writing it makes the shop read the sample's pages again.
  const isSample = isSampleChanged(document, before)
  const isChanged = isTextChanged(before, columns) || isFile || isSample
  // A returned document is not submitted again unchanged.
  const mayWait = before.state === 'draft' || (before.state === 'returned' && isChanged)
  const isSubmitted = document.state === 'submitted' && mayWait
  if (!isChanged && !isSubmitted) return null

  let fileId: number | undefined
  if (isFile) {
    fileId = await writeFile(tx, document.pdf)
    const newest = await newestVersion(tx, id)
    const version = { fileId, uploadId: null, note: '' }
    await replaceDraftFile(tx, { documentId: id, newest, actor }, version)
  }
  await tx
    .updateTable('documents')
    .set({
      ...columns,
      ...(isSample && { samplePages: document.samplePages }),
      ...(fileId !== undefined && { fileId }),
      ...(isSubmitted && { state: 'submitted' }),
      revision: sql<number>`revision + 1`,
      changedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  if (isFile) await forgetFile(tx, before.fileId)
  if (isSubmitted) {
    await submitNewest(tx, id)
    await noteChange(tx, { documentId: id, actor, action: 'submit' })
  }
  return id
}
