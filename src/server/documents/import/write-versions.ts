import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import type { StoredPdf } from './store-files.ts'

export async function writeFile(tx: Tx, pdf: StoredPdf): Promise<number> {
  const { id } = await tx
    .insertInto('files')
    .values({
      storageKey: pdf.key,
      mediaType: 'application/pdf',
      fileType: 'pdf',
      size: pdf.size,
      sha256: pdf.sha256,
      pageCount: pdf.pages,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function writeVersion(
  tx: Tx,
  version: { id: number; number: number; fileId: number; isAccepted: boolean; actor: string },
): Promise<void> {
  await tx
    .insertInto('documentVersions')
    .values({
      documentId: version.id,
      number: version.number,
      fileId: version.fileId,
      uploadId: null,
      state: version.isAccepted ? 'accepted' : 'draft',
      createdBy: version.actor,
      decidedAt: version.isAccepted ? sql<Date>`now()` : null,
      decidedBy: version.isAccepted ? version.actor : null,
      reason: null,
    })
    .execute()
}

/** Ends the version that waited, if any: for another file, or because its document is for sale now. */
export async function closeOpenVersion(
  tx: Tx,
  documentId: number,
  actor: string,
  state: 'replaced' | 'accepted',
): Promise<void> {
  await tx
    .updateTable('documentVersions')
    .set({ state, decidedAt: sql<Date>`now()`, decidedBy: actor })
    .where('documentId', '=', documentId)
    .where('state', 'in', ['draft', 'submitted', 'returned'])
    .execute()
}
