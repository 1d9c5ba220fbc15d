import type { UploadPurpose } from '../../rules/uploads.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { oldest, type UploadOf } from './rows.ts'

/** A checked file that a document or an import takes over. */
export interface TakenFile {
  readonly key: string
  /** In bytes, as stored. */
  readonly size: number
  readonly sha256: string
  readonly pageCount: number | null
}

/** An upload that was taken over. */
interface TakenUpload extends TakenFile {
  /** The size of a picture, in pixels. */
  readonly width: number | null
  readonly height: number | null
  /** The name of the file on its owner's device. */
  readonly name: string
}

/**
 * Takes over a checked upload in the transaction that stores the reference to its file. Throws
 * `upload_not_found`, or `upload_incomplete` if the upload is not checked yet.
 */
export async function takeUpload(
  tx: Tx,
  { id, userId }: UploadOf,
  purpose: UploadPurpose,
  now: number,
): Promise<TakenUpload> {
  const upload = await tx
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('touchedAt', '>', oldest(now))
    .forUpdate()
    .executeTakeFirst()
  if (!upload) throw fault('upload_not_found')
  const { checkedAt, storageKey, storedSize, sha256, pageCount, width, height, name } = upload
  if (!checkedAt || !storageKey || !storedSize || !sha256) throw fault('upload_incomplete')
  await tx.deleteFrom('uploads').where('id', '=', id).execute()
  return { key: storageKey, size: storedSize, sha256, pageCount, width, height, name }
}
