import {
  array,
  boolean,
  enums,
  type Infer,
  instance,
  nullable,
  number,
  object,
  pattern,
  type Struct,
  string,
  type,
} from 'superstruct'
import { UPLOAD_MAX_BYTES, UPLOAD_NAME_MAX_LENGTH, UPLOAD_PURPOSES } from '../rules/uploads.ts'
import { defineCall } from './call.ts'
import { moment, nothing, text, whole } from './values.ts'

/** The id of an upload, which nobody can guess. */
export function uploadId(): Struct<string, null> {
  return pattern(string(), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
}

/** A file on its way to the shop, or there and checked. */
export const Upload = type({
  id: uploadId(),
  purpose: enums(UPLOAD_PURPOSES),
  /** What the file was called where it came from. */
  name: string(),
  /** Bytes in all. */
  size: number(),
  /** Bytes that have arrived: the next part begins here. */
  received: number(),
  /** Whole, looked into and kept: a document may take it. */
  isChecked: boolean(),
  /** When it is forgotten unless more of it arrives. */
  expiresAt: moment(),
  /** `pdf`, `zip`, or `webp` for a picture, whatever it was before; null until it is checked. */
  fileType: nullable(string()),
  pageCount: nullable(number()),
  /** Pixels of a picture as it is kept. */
  width: nullable(number()),
  height: nullable(number()),
  /** A checked cover's address, as `coverPath` of a document. */
  coverPath: nullable(string()),
})
export type Upload = Infer<typeof Upload>

const byId = object({ id: uploadId() })
const LARGEST = Math.max(...Object.values(UPLOAD_MAX_BYTES))

/** Announces a file. Refused where it is too large, or the account has too much under way. */
export const openUpload = defineCall({
  method: 'POST',
  path: '/office/uploads',
  caller: 'staff',
  body: object({
    name: text(1, UPLOAD_NAME_MAX_LENGTH),
    /** Bytes. */
    size: whole(0, 999_999_999),
    purpose: enums(UPLOAD_PURPOSES),
  }),
  result: Upload,
  errors: ['file_empty', 'file_too_large', 'too_many_uploads', 'too_many_uploads_today'],
})

/** The account's uploads that no document has taken yet, newest first. */
export const listUploads = defineCall({
  method: 'GET',
  path: '/office/uploads',
  caller: 'staff',
  result: array(Upload),
})

/** Where an upload stands. */
export const getUpload = defineCall({
  method: 'GET',
  path: '/office/uploads/:id',
  caller: 'staff',
  params: byId,
  result: Upload,
  errors: ['upload_not_found'],
})

/**
 * Sends a part, at most `UPLOAD_PART_MAX_BYTES` raw bytes, which begins at `offset`. The answer says
 * how many bytes are there: a part for another place is not kept, and whoever sends goes on from
 * `received`, after a cut line too.
 */
export const sendPart = defineCall({
  method: 'PUT',
  path: '/office/uploads/:id/part',
  caller: 'staff',
  takes: 'bytes',
  params: byId,
  query: object({ offset: whole(0, LARGEST) }),
  body: instance(Uint8Array),
  result: Upload,
  errors: ['upload_not_found', 'file_too_large', 'too_many_parts'],
})

/**
 * Looks into the whole file and keeps it; a second call answers the same. What is refused is deleted
 * at once. `upload_incomplete`: bytes are missing; `getUpload` says from where.
 */
export const finishUpload = defineCall({
  method: 'POST',
  path: '/office/uploads/:id/finish',
  caller: 'staff',
  params: byId,
  result: Upload,
  errors: [
    'upload_not_found',
    'upload_incomplete',
    'not_a_pdf',
    'pdf_damaged',
    'pdf_encrypted',
    'pdf_active',
    'pdf_not_checkable',
    'pdf_too_many_pages',
    'pdf_too_complex',
    'not_a_picture',
    'picture_too_large',
    'not_a_zip',
    'zip_too_large',
    'file_empty',
  ],
})

/** Gives an upload up. */
export const cancelUpload = defineCall({
  method: 'DELETE',
  path: '/office/uploads/:id',
  caller: 'staff',
  params: byId,
  result: nothing(),
  errors: ['upload_not_found'],
})
