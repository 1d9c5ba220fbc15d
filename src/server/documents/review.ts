import { sql } from 'kysely'
import type { DocumentField } from '../../rules/document-life.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { noteChange } from './history.ts'
import { changeDocument, requireComplete } from './locked.ts'
import { type DocumentRow, readDocuments } from './read-documents.ts'
import { decideVersion, newestVersion } from './versions.ts'

/** Everything that waits for review, the oldest first: documents, and new versions of files. */
export function waitingForReview(deps: Deps): Promise<DocumentRow[]> {
  const waits = sql`(d.state = 'submitted' OR EXISTS (
    SELECT FROM document_versions WHERE document_id = d.id AND state = 'submitted'))`
  return readDocuments(deps.database.kysely, waits, { order: sql`d.changed_at, d.id` })
}

/** Publishes a document that was submitted, or lets buyers have the new version of its file. */
export function accept(
  deps: Deps,
  { id, actor }: { id: number; actor: string },
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: { actor } }, async ({ tx, document, update }) => {
    const newest = await newestVersion(tx, id)
    const version = newest?.state === 'submitted' ? newest : null
    if (document.state !== 'submitted' && !version) throw fault('document_state_changed')
    if (version)
      await decideVersion(tx, { documentId: id, ...version }, { actor, state: 'accepted' })
    const fileId = version?.fileId ?? document.fileId
    if (document.state !== 'submitted') {
      await update({ fileId })
      const action = 'accept version'
      return await noteChange(tx, { documentId: id, actor, action, version: version?.number })
    }
    requireComplete({ ...document, fileId })
    const now = new Date(deps.now())
    await update({
      fileId,
      state: 'published',
      isTakenDown: false,
      // It is new in the shop when it is first for sale, not when it was begun.
      ...(document.firstPublishedAt ? {} : { firstPublishedAt: now, uploadedAt: now }),
    })
    await noteChange(tx, { documentId: id, actor, action: 'publish', version: version?.number })
  })
}

/** Returns what waits for review to its teacher, with the reason and the field that it is about. */
export function returnToTeacher(
  deps: Deps,
  { id, actor }: { id: number; actor: string },
  why: { reason: string; field: DocumentField | null },
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: { actor } }, async ({ tx, document, update }) => {
    const newest = await newestVersion(tx, id)
    const version = newest?.state === 'submitted' ? newest : null
    const isDocument = document.state === 'submitted'
    if (!isDocument && !version) throw fault('document_state_changed')
    if (version) {
      const { reason } = why
      await decideVersion(tx, { documentId: id, ...version }, { actor, state: 'returned', reason })
    }
    await update(isDocument ? { state: 'returned' } : {})
    const action = isDocument ? 'return' : 'return version'
    await noteChange(tx, { documentId: id, actor, action, version: version?.number, ...why })
  })
}
