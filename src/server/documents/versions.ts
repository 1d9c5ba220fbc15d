import { type Kysely, sql } from 'kysely'
import { isBehindFile } from '../../rules/reading.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import type { TakenFile } from '../uploads/uploads.ts'
import type { VersionRow } from './history.ts'
import { forgetFile } from './locked.ts'

export type Newest = Pick<VersionRow, 'number' | 'state' | 'fileId' | 'uploadId'>

/** The version with the greatest number; undefined if there is no file yet. */
export async function newestVersion(tx: Tx, documentId: number): Promise<Newest | undefined> {
  return await tx
    .selectFrom('documentVersions')
    .select(['number', 'state', 'fileId', 'uploadId'])
    .where('documentId', '=', documentId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether a correction would begin behind the last page of the file that waits, or else is sold. */
export async function isBehindNewest(
  tx: Tx,
  { id, fileId }: { readonly id: number; readonly fileId: number | null },
  correctionPage: number | null,
): Promise<boolean> {
  if (correctionPage === null) return false
  const newest = await newestVersion(tx, id)
  const file = await tx
    .selectFrom('files')
    .select('pageCount')
    .where('id', '=', newest?.state === 'submitted' ? newest.fileId : fileId)
    .executeTakeFirst()
  return isBehindFile(correctionPage, file?.pageCount)
}

export async function writeFile(tx: Tx, file: TakenFile): Promise<number> {
  const { id } = await tx
    .insertInto('files')
    .values(rowOf(file))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts a row for each of these stored PDFs; returns the rows' ids by SHA-256. */
export async function writeFiles(
  tx: Tx,
  files: readonly TakenFile[],
): Promise<Map<string, number[]>> {
  const rows = await tx
    .insertInto('files')
    .values(files.map(rowOf))
    .returning(['id', 'sha256'])
    .execute()
  const ids = new Map<string, number[]>()
  for (const { id, sha256 } of rows) ids.set(sha256 ?? '', [...(ids.get(sha256 ?? '') ?? []), id])
  return ids
}

function rowOf({ key, size, sha256, pageCount }: TakenFile) {
  const values = { storageKey: key, size, sha256, pageCount, fileType: 'pdf' }
  return { ...values, mediaType: 'application/pdf' }
}

interface NewVersion {
  readonly documentId: number
  /** The previous version, whose number is one less. */
  readonly newest?: Pick<Newest, 'number'> | undefined
  readonly actor: string
  readonly fileId: number
  readonly uploadId: string | null
  readonly note?: string
  /** `accepted` means accepted by `actor`. */
  readonly state: 'draft' | 'submitted' | 'accepted'
}

/** Adds one version to each document; returns the number of the first. */
export async function insertVersion(tx: Tx, ...versions: readonly NewVersion[]): Promise<number> {
  const rows = versions.map(({ newest, actor, ...version }) => {
    const decided = { decidedAt: sql<Date>`now()`, decidedBy: actor }
    return {
      ...version,
      number: (newest?.number ?? 0) + 1,
      createdBy: actor,
      ...(version.state === 'accepted' && decided),
    }
  })
  await tx.insertInto('documentVersions').values(rows).execute()
  return rows[0]?.number ?? 0
}

/**
 * Replaces a draft's file: a version that was not submitted is overwritten; a returned one stays
 * listed.
 */
export async function replaceDraftFile(
  tx: Tx,
  of: { documentId: number; newest: Newest | undefined; actor: string },
  version: { fileId: number; uploadId: string | null; note: string },
): Promise<void> {
  const { documentId, newest } = of
  if (newest?.state === 'draft') {
    await tx
      .updateTable('documentVersions')
      .set({ ...version, createdAt: new Date() })
      .where('documentId', '=', documentId)
      .where('number', '=', newest.number)
      .execute()
    return
  }
  if (newest) await dropFile(tx, documentId, newest)
  await insertVersion(tx, { ...of, ...version, state: 'draft' })
}

/** Submits the newest version with its document, unless it was accepted, withdrawn or replaced. */
export async function submitNewest(tx: Tx, documentId: number): Promise<void> {
  const newest = await newestVersion(tx, documentId)
  const isWaiting = newest?.state === 'draft' || newest?.state === 'returned'
  if (!isWaiting || newest.fileId === null) return
  await tx
    .updateTable('documentVersions')
    .set({ state: 'submitted', decidedAt: null, decidedBy: null, reason: null })
    .where('documentId', '=', documentId)
    .where('number', '=', newest.number)
    .execute()
}

interface Decision {
  readonly actor: string
  readonly state: 'draft' | 'withdrawn' | 'replaced' | 'accepted' | 'returned'
  readonly reason?: string
}

export async function decideVersion(
  tx: Tx,
  of: { documentId: number; number: number },
  { actor, ...decision }: Decision,
): Promise<void> {
  const isDecision = decision.state !== 'draft'
  await tx
    .updateTable('documentVersions')
    .set({
      ...decision,
      decidedAt: isDecision ? sql<Date>`now()` : null,
      decidedBy: isDecision ? actor : null,
    })
    .where('documentId', '=', of.documentId)
    .where('number', '=', of.number)
    .execute()
}

/** Drops the file of an abandoned version; the version stays listed. */
export async function dropFile(
  tx: Tx,
  documentId: number,
  { number, fileId }: Pick<Newest, 'number' | 'fileId'>,
): Promise<void> {
  await tx
    .updateTable('documentVersions')
    .set({ fileId: null })
    .where('documentId', '=', documentId)
    .where('number', '=', number)
    .execute()
  await forgetFile(tx, fileId)
}

/**
 * Inserts the accepted version 1 of documents that were inserted as published; others keep their
 * versions.
 */
export async function writeFirstVersions(db: Kysely<Schema>): Promise<void> {
  await sql`
    INSERT INTO document_versions
      (document_id, number, file_id, state, created_at, created_by, decided_at, decided_by)
    SELECT id, 1, file_id, 'accepted', uploaded_at, ${COMMAND_LINE}::text, uploaded_at,
      ${COMMAND_LINE}::text
    FROM documents d
    WHERE first_published_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM document_versions WHERE document_id = d.id)
    -- Another writer at the same time may have given this document its version.
    ON CONFLICT DO NOTHING`.execute(db)
}
