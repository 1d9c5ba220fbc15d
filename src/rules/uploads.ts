import { DAY_MS } from './durations.ts'

const MEGABYTE = 1024 * 1024

/**
 * The purposes of uploads of staff: the file of a document, the picture of its cover, a teacher's
 * portrait, or a ZIP of many documents with their list.
 */
export const STAFF_UPLOAD_PURPOSES = ['document', 'cover', 'portrait', 'import'] as const
export type StaffUploadPurpose = (typeof STAFF_UPLOAD_PURPOSES)[number]

/** All of them, with the photo that a customer adds to a payment. */
export const UPLOAD_PURPOSES = [...STAFF_UPLOAD_PURPOSES, 'receipt'] as const
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number]

/** A photo of 64 megapixels is often 15 to 25 MB large. */
const PICTURE_MAX_BYTES = 30 * MEGABYTE

/** The largest upload, in bytes. */
export const UPLOAD_MAX_BYTES: Readonly<Record<UploadPurpose, number>> = {
  document: 100 * MEGABYTE,
  cover: PICTURE_MAX_BYTES,
  import: 500 * MEGABYTE,
  portrait: PICTURE_MAX_BYTES,
  receipt: 15 * MEGABYTE,
}

/** A limit in megabytes, for texts. */
export const inMegabytes = (bytes: number): number => bytes / MEGABYTE

/** How many bytes one call may send; over a slow connection the browser sends fewer. */
export const UPLOAD_PART_MAX_BYTES = MEGABYTE

/**
 * The smallest part except the last, in bytes: even a slow phone connection sends it before the
 * call times out.
 */
export const UPLOAD_PART_MIN_BYTES = 16 * 1024

/** A reserve for smaller parts, such as those of two tabs that send at the same time. */
const SPARE_PARTS = 64

/** The most parts in which an upload of `size` bytes may arrive. */
export const uploadPartsMax = (size: number): number =>
  Math.ceil(size / UPLOAD_PART_MIN_BYTES) + SPARE_PARTS

export const UPLOADS_PER_DAY = 100

/** How many uploads of an account may be open, that is, not used by a document yet. */
export const UPLOADS_OPEN_MAX = 20

/** The total announced size of these uploads, in bytes. */
export const UPLOADS_OPEN_MAX_BYTES = 600 * MEGABYTE

/** How long an upload is kept after its last part, and a stored file without references. */
export const UPLOAD_LIFETIME_MS = DAY_MS

/** The longest name of an uploaded file, in characters; the name is only shown. */
export const UPLOAD_NAME_MAX_LENGTH = 255

export const FILE_MAX_PAGES = 2000

export const PREVIEW_MAX_PAGES = 300
