import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { TakenFile } from '../uploads/uploads.ts'
import type { VersionRow } from './history.ts'
import { forgetFile } from './locked.ts'

export type Newest = Pick<VersionRow, 'number' | 'state' | 'fileId' | 'uploadId'>

/** The version with the greatest number; undefined where there is no file yet. */
export async function newestVersion(tx: Tx, documentId: number): Promise<Newest | undefined> {
  return await tx
    .selectFrom('documentVersions')
    .select(['number', 'state', 'fileId', 'uploadId'])
    .where('documentId', '=', documentId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Keeps a PDF that is in the storage; answers the id of its row. */
export async function writeFile(
  tx: Tx,
  { key, size, sha256, pageCount }: TakenFile,
): Promise<number> {
  const values = { storageKey: key, size, sha256, pageCount, fileType: 'pdf' }
  const { id } = await tx
    .insertInto('files')
    .values({ ...values, mediaType: 'application/pdf' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface NewVersion {
  readonly documentId: number
  /** The one before it; its number is one more. */
  readonly newest: Pick<Newest, 'number'> | undefined
  readonly actor: string
  readonly fileId: number
  readonly uploadId: string | null
  readonly note?: string
  /** `accepted`: by `actor`. */
  readonly state: 'draft' | 'submitted' | 'accepted'
}

/** Adds a version to a document; answers its number. */
export async function insertVersion(
  tx: Tx,
  { newest, actor, ...version }: NewVersion,
): Promise<number> {
  const number = (newest?.number ?? 0) + 1
  const decided = { decidedAt: sql<Date>`now()`, decidedBy: actor }
  await tx
    .insertInto('documentVersions')
    .values({
      ...version,
      number,
      createdBy: actor,
      ...(version.state === 'accepted' && decided),
    })
    .execute()
  return number
}

/** A draft's version is written over until it is submitted; one that was returned is still told. */
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

/** Submits the newest version with its document, unless it was decided about for good. */
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

/** Sets the state of a version, and who decided it where that is a decision. */
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

/** A version that was given up keeps its line, not its file. */
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
