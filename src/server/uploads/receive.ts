import { sql } from 'kysely'
import { ALL_UNAPPROVED_MAX_BYTES, UNAPPROVED_MAX_BYTES } from '../../rules/approval.ts'
import { RECEIPT_UPLOADS_OPEN_MAX } from '../../rules/receipt-photos.ts'
import {
  UPLOAD_MAX_BYTES,
  UPLOADS_OPEN_MAX,
  UPLOADS_OPEN_MAX_BYTES,
  type UploadPurpose,
  uploadPartsMax,
} from '../../rules/uploads.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { findUpload, oldest, type UploadOf, type UploadRow } from './rows.ts'

/** A file announced for upload; `name` is for display only. */
interface Announced {
  readonly userId: number
  /** Whether no administrator has approved the teacher's account. */
  readonly isUnapproved?: boolean
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly purpose: UploadPurpose
}

/**
 * Opens an upload. Throws `file_empty`, `file_too_large`, `photo_too_large`, `too_many_uploads`, `unapproved_full`
 * or `account_not_approved`.
 */
export async function openUpload(deps: Deps, announced: Announced): Promise<UploadRow> {
  const { userId, isUnapproved = false, name, size, purpose } = announced
  if (size === 0) throw fault('file_empty')
  if (size > UPLOAD_MAX_BYTES[purpose]) {
    throw fault(purpose === 'receipt' ? 'photo_too_large' : 'file_too_large')
  }
  let left: readonly { readonly id: string }[] = []
  const opened = await transaction(deps.database, async (tx) => {
    // Locks the account, so that simultaneous calls count each other's uploads.
    await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(tx)
    if (purpose === 'receipt') left = await leaveOldest(tx, userId)
    const { rows } = await sql<{ count: number; bytes: number }>`
      SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM uploads
      WHERE user_id = ${userId} AND touched_at > ${oldest(deps.now())}`.execute(tx)
    const { count = 0, bytes = 0 } = rows[0] ?? {}
    if (count >= UPLOADS_OPEN_MAX || bytes + size > UPLOADS_OPEN_MAX_BYTES) {
      throw fault('too_many_uploads')
    }
    if (isUnapproved) await refuseUnapproved(tx, announced)
    return await tx
      .insertInto('uploads')
      .values({ userId, name, size, purpose, touchedAt: new Date(deps.now()) })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  for (const { id } of left) await deps.files.parts.remove(id)
  return opened
}

/**
 * Throws `account_not_approved` for a list of documents, and `unapproved_full` where this account, or all that wait for
 * approval, would keep too many bytes.
 */
async function refuseUnapproved(tx: Tx, { userId, size, purpose }: Announced): Promise<void> {
  if (purpose === 'import') throw fault('account_not_approved')
  await lock(tx, 'uploads of unapproved')
  const { rows } = await sql<{ own: number; all: number }>`
    WITH unapproved AS (SELECT id, user_id FROM teachers WHERE approved_at IS NULL), kept AS (
      SELECT n.user_id, u.size FROM unapproved n JOIN uploads u ON u.user_id = n.user_id
      UNION ALL SELECT n.user_id, f.size FROM unapproved n JOIN documents d ON d.teacher_id = n.id
        JOIN document_versions v ON v.document_id = d.id JOIN files f ON f.id = v.file_id
    )
    SELECT coalesce(sum(size), 0) AS all,
      coalesce(sum(size) FILTER (WHERE user_id = ${userId}), 0) AS own FROM kept`.execute(tx)
  const { own = 0, all = 0 } = rows[0] ?? {}
  if (own + size > UNAPPROVED_MAX_BYTES || all + size > ALL_UNAPPROVED_MAX_BYTES) {
    throw fault('unapproved_full')
  }
}

/**
 * Makes room for one more photo of an account: gives up what was left unsent for longest, such as
 * by a page that was closed. Its customer need not wait for a day, nor know of it.
 */
async function leaveOldest(tx: Tx, userId: number) {
  return await tx
    .deleteFrom('uploads')
    .where('id', 'in', (uploads) =>
      uploads
        .selectFrom('uploads')
        .select('id')
        .where('userId', '=', userId)
        .where('purpose', '=', 'receipt')
        .orderBy('touchedAt', 'desc')
        .orderBy('id')
        .offset(RECEIPT_UPLOADS_OPEN_MAX - 1),
    )
    .returning('id')
    .execute()
}

/**
 * Stores a part of an upload if it continues the bytes that have arrived, and returns the state of
 * the upload; a part with another offset, such as a repeated one, changes nothing. Throws
 * `file_too_large` or `too_many_parts`.
 */
export async function receivePart(
  deps: Deps,
  of: UploadOf,
  { offset, bytes }: { offset: number; bytes: Uint8Array },
): Promise<UploadRow> {
  const { kysely } = deps.database
  const upload = await findUpload(kysely, of, deps.now())
  const length = bytes.byteLength
  if (offset !== upload.received || length === 0 || upload.checkedAt) return upload
  if (offset + length > upload.size) throw fault('file_too_large')
  if (upload.parts.length >= uploadPartsMax(upload.size)) throw fault('too_many_parts')

  // The bytes are stored before the row that counts them, so that all counted bytes exist.
  await deps.files.parts.write(of.id, { offset, length }, bytes)
  const counted = await kysely
    .updateTable('uploads')
    .set({
      received: offset + length,
      parts: sql`parts || ${length}::integer`,
      touchedAt: new Date(deps.now()),
    })
    .where('id', '=', of.id)
    .where('received', '=', offset)
    .where('checkedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return counted ?? (await findUpload(kysely, of, deps.now()))
}

/**
 * Ends an upload and deletes the parts that have arrived. The row goes with the clean-up, as does a file that is stored
 * already, so that what an unapproved account keeps is counted as long as it is there.
 */
export async function cancelUpload(deps: Deps, of: UploadOf): Promise<void> {
  const { kysely } = deps.database
  const { id, checkedAt } = await findUpload(kysely, of, deps.now())
  if (checkedAt === null) await kysely.deleteFrom('uploads').where('id', '=', id).execute()
  else {
    const touchedAt = oldest(deps.now())
    await kysely.updateTable('uploads').set({ touchedAt }).where('id', '=', id).execute()
  }
  await deps.files.parts.remove(id)
}
