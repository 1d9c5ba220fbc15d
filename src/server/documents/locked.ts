import { type Selectable, sql, type Updateable } from 'kysely'
import { type DocumentFacts, documentProblems } from '../../rules/document-fields.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import type { DocumentsTable } from '../database/document-tables.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { type DocumentRow, findDocument } from './read-documents.ts'

export type LockedDocument = Selectable<DocumentsTable>

/** The editor of a document: its teacher, or staff, who may change any. */
export type Editor =
  | { readonly teacherId: number; readonly actor: string }
  | { readonly actor: string }

export interface Changing {
  readonly tx: Tx
  /** The document when it was locked. */
  readonly document: LockedDocument
  readonly actor: string
  /** Writes columns, raises the revision, and notes whether public pages change. */
  update(values: DocumentUpdate): Promise<void>
}

/**
 * Changes a document under its lock and returns it; the public pages that show it are rendered
 * again. Throws `document_not_found`, also for another teacher's document.
 */
export async function changeDocument(
  deps: Deps,
  { id, editor }: { id: number; editor: Editor },
  work: (changing: Changing) => Promise<unknown>,
): Promise<DocumentRow> {
  return await changePages(deps, async (tx, markStale) => {
    const document = await lockDocument(tx, id, editor)
    let isSeen = false
    const update: Changing['update'] = async (values) => {
      const isPublished = document.isPublished || values.state === 'published'
      isSeen ||= isPublished && Object.keys(values).length > 0
      const revision = document.revision + 1
      const noted = { revision, changedAt: new Date(deps.now()) }
      await tx
        .updateTable('documents')
        .set({ ...values, ...noted })
        .where('id', '=', id)
        .execute()
    }
    await work({ tx, document, actor: editor.actor, update })
    if (isSeen) markStale(tagsOf(document))
    const row = await findDocument(tx, id)
    if (!row) throw fault('document_not_found')
    return row
  })
}

async function lockDocument(tx: Tx, id: number, editor: Editor): Promise<LockedDocument> {
  let query = tx.selectFrom('documents').selectAll().where('id', '=', id)
  if ('teacherId' in editor) query = query.where('teacherId', '=', editor.teacherId)
  const document = await query.forNoKeyUpdate().executeTakeFirst()
  if (!document) throw fault('document_not_found')
  return document
}

/** The columns that `update` writes; the revision and the moment of the change follow. */
type DocumentUpdate = Omit<Updateable<DocumentsTable>, 'id' | 'revision' | 'changedAt'>

export function tagsOf({ id, teacherId }: Pick<LockedDocument, 'id' | 'teacherId'>): string[] {
  return [documentTag(id), teacherTag(teacherId), CATALOGUE_TAG, TEACHERS_TAG]
}

/** Throws `document_incomplete` if the document lacks something that a sale requires. */
export function requireComplete(document: DocumentFacts): void {
  if (documentProblems(document).length > 0) throw fault('document_incomplete')
}

/** Deletes the row of a file that no document and no version refers to any more. */
export async function forgetFile(tx: Tx, fileId: number | null): Promise<void> {
  await sql`
    DELETE FROM files WHERE id = ${fileId}
      AND NOT EXISTS (SELECT FROM documents WHERE file_id = ${fileId})
      AND NOT EXISTS (SELECT FROM document_versions WHERE file_id = ${fileId})`.execute(tx)
}
