import type { Kysely, Selectable } from 'kysely'
import type { Upload } from '../../contract/uploads.ts'
import { coverPath } from '../../rules/pictures.ts'
import { UPLOAD_LIFETIME_MS, type UploadPurpose } from '../../rules/uploads.ts'
import type { Schema } from '../database/schema.ts'
import { fault } from '../http/errors.ts'

export type UploadRow = Selectable<Schema['uploads']>

/** An upload and the account that it belongs to; with `purpose`, one for it alone. */
export interface UploadOf {
  readonly id: string
  readonly userId: number
  readonly purpose?: UploadPurpose
}

/** An upload of this account that has not expired; throws `upload_not_found`. */
export async function findUpload(
  db: Kysely<Schema>,
  { id, userId, purpose }: UploadOf,
  now: number,
): Promise<UploadRow> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where(({ and }) => and({ id, userId, ...(purpose && { purpose }) }))
    .where('touchedAt', '>', oldest(now))
    .executeTakeFirst()
  if (!row) throw fault('upload_not_found')
  return row
}

/** Uploads last touched before this moment have expired. */
export const oldest = (now: number): Date => new Date(now - UPLOAD_LIFETIME_MS)

const FILE_TYPES = {
  document: 'pdf',
  cover: 'webp',
  portrait: 'webp',
  import: 'zip',
  receipt: 'webp',
} as const

export function presentUpload(row: UploadRow): Upload {
  const isChecked = row.checkedAt !== null
  const isCover = row.purpose === 'cover'
  return {
    id: row.id,
    purpose: row.purpose,
    name: row.name,
    size: row.size,
    received: row.received,
    isChecked,
    expiresAt: new Date(row.touchedAt.getTime() + UPLOAD_LIFETIME_MS).toISOString(),
    fileType: isChecked ? FILE_TYPES[row.purpose] : null,
    pageCount: row.pageCount,
    missingFonts: row.missingFonts,
    isSigned: row.isSigned,
    width: row.width,
    height: row.height,
    coverPath: isChecked && isCover && row.sha256 ? coverPath(row.sha256) : null,
  }
}
