import { coverPath } from '../../rules/pictures.ts'
import { isBehindFile, pagesOfPaper, sampleProblem } from '../../rules/reading.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { describeChanges, logStaff } from '../staff-log/staff-log.ts'
import { type TakenFile, takeUpload } from '../uploads/uploads.ts'
import { noteChange, subjectOf } from './history.ts'
import { refuseTooManySubmissions } from './life.ts'
import { type Changing, changeDocument, type Editor, forgetFile } from './locked.ts'
import type { DocumentRow } from './read-documents.ts'
import {
  decideVersion,
  dropFile,
  insertVersion,
  type Newest,
  newestVersion,
  replaceDraftFile,
  writeFile,
} from './versions.ts'
import type { Author } from './write.ts'

/**
 * Makes a checked upload the file of a document: immediately for a draft; for a document that was
 * for sale, as a version that waits for review. The same upload again changes nothing. Throws
 * `file_unchanged` for the file that buyers already get, `correction_not_in_file` for one that is too short
 * for the page on which the correction begins.
 */
export function attachFile(
  deps: Deps,
  { id, author }: { id: number; author: Author },
  { uploadId, note }: { uploadId: string; note: string },
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: author }, async (changing) => {
    const { tx, document, update } = changing
    const newest = await newestVersion(tx, id)
    if (newest?.uploadId === uploadId) return
    if (document.state === 'submitted') throw fault('document_under_review')
    const upload = { id: uploadId, userId: author.userId }
    const file = await takeUpload(tx, upload, 'document', deps.now())
    if (document.firstPublishedAt) {
      await refuseSameFile(tx, document.fileId, file)
      // A draft's is refused when it is submitted.
      if (isBehindFile(document.correctionPage, file.pageCount)) {
        throw fault('correction_not_in_file')
      }
    }
    const fileId = await writeFile(tx, file)
    const version = { uploadId, note, fileId }
    if (document.firstPublishedAt) await submitVersion(deps, changing, newest, version)
    else await replaceDraftFile(tx, { documentId: id, newest, actor: changing.actor }, version)
    // Updated even if buyers see no difference: the teacher's list is sorted by the time of the
    // change.
    await update(document.firstPublishedAt ? {} : { fileId })
    if (!document.firstPublishedAt) await forgetFile(tx, document.fileId)
  })
}

/**
 * Throws `file_unchanged` for the bytes that buyers already get: each owner would be notified of a
 * new version that is not new.
 */
async function refuseSameFile(
  tx: Tx,
  onSale: number | null,
  { sha256 }: Pick<TakenFile, 'sha256'>,
): Promise<void> {
  const same = await tx
    .selectFrom('files')
    .select('id')
    .where('id', '=', onSale)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (same) throw fault('file_unchanged')
}

/** Replaces the note of the newest version until somebody has decided about it. */
export function setNote(
  deps: Deps,
  { id, author }: { id: number; author: Author },
  { number, note }: { number: number; note: string },
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: author }, async ({ tx, document }) => {
    if (document.state === 'submitted') throw fault('document_under_review')
    const newest = await newestVersion(tx, id)
    const isOpen = newest?.state === 'draft' || newest?.state === 'submitted'
    if (!isOpen || newest.number !== number) throw fault('document_state_changed')
    await tx
      .updateTable('documentVersions')
      .set({ note })
      .where('documentId', '=', id)
      .where('number', '=', number)
      .execute()
  })
}

interface NewVersion {
  readonly uploadId: string
  readonly note: string
  readonly fileId: number
}

/** Submits a version in place of the one that waits. */
async function submitVersion(
  deps: Deps,
  { tx, document, actor }: Changing,
  newest: Newest | undefined,
  version: NewVersion,
): Promise<void> {
  await refuseTooManySubmissions(tx, actor, deps.now())
  if (newest?.state === 'submitted') {
    const of = { documentId: document.id, number: newest.number }
    await decideVersion(tx, of, { actor, state: 'replaced' })
  }
  if (newest && newest.state !== 'accepted') await dropFile(tx, document.id, newest)
  const given = { documentId: document.id, newest, actor, ...version }
  const number = await insertVersion(tx, { ...given, state: 'submitted' })
  await noteChange(tx, {
    documentId: document.id,
    actor,
    action: 'submit version',
    version: number,
    reason: version.note || null,
  })
}

/**
 * Makes a checked picture the cover of a document, immediately; null for the cover that the shop
 * draws.
 */
export function setCover(
  deps: Deps,
  { id, author }: { id: number; author: Author },
  uploadId: string | null,
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: author }, async ({ tx, document, update }) => {
    if (document.coverUploadId === uploadId && (uploadId !== null || !document.coverPath)) return
    if (document.state === 'submitted') throw fault('document_under_review')
    if (uploadId === null) return await update({ coverPath: null, coverUploadId: null })
    const upload = { id: uploadId, userId: author.userId }
    const { sha256 } = await takeUpload(tx, upload, 'cover', deps.now())
    await update({ coverPath: coverPath(sha256), coverUploadId: uploadId })
  })
}

/**
 * Chooses the pages of a document's public sample; null for the first pages. The same choice again
 * changes nothing. Throws `document_under_review`, `sample_not_possible`.
 */
export function setSamplePages(
  deps: Deps,
  of: { id: number; editor: Editor },
  pages: readonly number[] | null,
): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    const samplePages = pages?.toSorted((a, b) => a - b) ?? null
    if (String(samplePages) === String(document.samplePages)) return
    if (document.state === 'submitted') throw fault('document_under_review')
    const file = await tx
      .selectFrom('files')
      .select('pageCount')
      .where('id', '=', document.fileId)
      .executeTakeFirst()
    const pageCount = pagesOfPaper(file?.pageCount ?? 0, document.correctionPage)
    if (samplePages && sampleProblem(samplePages, pageCount)) {
      throw fault('sample_not_possible')
    }
    if (document.firstPublishedAt) {
      await logStaff(tx, {
        actor,
        action: 'document: change',
        subject: subjectOf(document.id),
        reason: describeChanges([['sample', samplePages]]),
      })
    }
    await update({ samplePages })
  })
}
