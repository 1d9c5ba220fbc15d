import * as s from 'superstruct'
import {
  STAFF_UPLOAD_PURPOSES,
  UPLOAD_MAX_BYTES,
  UPLOAD_NAME_MAX_LENGTH,
  UPLOAD_PURPOSES,
} from '../rules/uploads.ts'
import { defineCall } from './call.ts'
import { moment, nothing, text, uploadId, whole } from './values.ts'

/** A file that is being uploaded, or was uploaded and checked. */
export const Upload = s.type({
  id: uploadId(),
  purpose: s.enums(UPLOAD_PURPOSES),
  /** The file's name on the user's device. */
  name: s.string(),
  /** The total size in bytes. */
  size: s.number(),
  /** The number of bytes that have arrived: the next part begins here. */
  received: s.number(),
  /** Whether it is complete, checked and stored, so that a document may use it. */
  isChecked: s.boolean(),
  /** When it will be deleted unless more of it arrives. */
  expiresAt: moment(),
  /** `pdf`, `zip`, or `webp` for a picture of any original format; null until it is checked. */
  fileType: s.nullable(s.string()),
  pageCount: s.nullable(s.number()),
  /** Fonts that a PDF uses without containing them, so that some of it is not shown everywhere. */
  missingFonts: s.array(s.string()),
  /** Whether a PDF is signed or certified, so that buyers get it without a stamp. */
  isSigned: s.boolean(),
  /** The size in pixels of a stored picture. */
  width: s.nullable(s.number()),
  height: s.nullable(s.number()),
  /** The path of a checked cover, like `coverPath` of a document. */
  coverPath: s.nullable(s.string()),
})
export type Upload = s.Infer<typeof Upload>

const byId = s.object({ id: uploadId() })
const LARGEST = Math.max(...Object.values(UPLOAD_MAX_BYTES))

/** Announces a file. Refused if it is too large, or if the account has too many open uploads. */
export const openUpload = defineCall('POST /office/uploads', 'staff', {
  body: s.object({
    name: text(1, UPLOAD_NAME_MAX_LENGTH),
    /** The size in bytes. */
    size: whole(0, 999_999_999),
    purpose: s.enums(STAFF_UPLOAD_PURPOSES),
  }),
  result: Upload,
  errors: [
    'file_empty',
    'file_too_large',
    'too_many_uploads',
    'too_many_uploads_today',
    'unapproved_full',
    'account_not_approved',
  ],
})

/** The account's uploads that nothing uses yet, newest first. */
export const listUploads = defineCall('GET /office/uploads', 'staff', { result: s.array(Upload) })

/** The state of an upload. */
export const getUpload = defineCall('GET /office/uploads/:id', 'staff', {
  params: byId,
  result: Upload,
  errors: ['upload_not_found'],
})

/**
 * Sends a part of at most `UPLOAD_PART_MAX_BYTES` raw bytes, which begins at `offset`. The answer
 * says how many bytes have arrived: a part at another offset is not stored, and the sender
 * continues from `received`, also after a lost connection.
 */
export const sendPart = defineCall('PUT /office/uploads/:id/part', 'staff', {
  takes: 'bytes',
  params: byId,
  query: s.object({ offset: whole(0, LARGEST) }),
  body: s.instance(Uint8Array),
  result: Upload,
  errors: ['upload_not_found', 'file_too_large', 'too_many_parts'],
})

/**
 * Checks and stores the whole file; a second call returns the same. A refused file is deleted at
 * once. `upload_incomplete`: bytes are missing; `getUpload` says from where.
 */
export const finishUpload = defineCall('POST /office/uploads/:id/finish', 'staff', {
  params: byId,
  result: Upload,
  errors: [
    'upload_not_found',
    'upload_incomplete',
    'not_a_pdf',
    'pdf_damaged',
    'pdf_encrypted',
    'pdf_restricted',
    'pdf_active',
    'pdf_not_checkable',
    'pdf_too_many_pages',
    'pdf_too_complex',
    'not_a_picture',
    'heic_picture',
    'picture_too_large',
    'not_a_zip',
    'zip_too_large',
    'file_empty',
  ],
})

/** Cancels an upload. */
export const cancelUpload = defineCall('DELETE /office/uploads/:id', 'staff', {
  params: byId,
  result: nothing(),
  errors: ['upload_not_found'],
})
