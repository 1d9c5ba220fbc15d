import { DAY_MS } from './durations.ts'

const MEGABYTE = 1024 * 1024

/**
 * What is uploaded: the file of a document, the picture of its cover, a teacher's portrait, or a ZIP
 * of many documents with their list.
 */
export const UPLOAD_PURPOSES = ['document', 'cover', 'portrait', 'import'] as const
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number]

/** The most bytes of an upload. */
export const UPLOAD_MAX_BYTES: Readonly<Record<UploadPurpose, number>> = {
  document: 100 * MEGABYTE,
  cover: 10 * MEGABYTE,
  import: 500 * MEGABYTE,
  portrait: 10 * MEGABYTE,
}

/** A limit in bytes as sentences say it. */
export const inMegabytes = (bytes: number): number => bytes / MEGABYTE

/** The most bytes that one call sends; a slow line sends fewer. */
export const UPLOAD_PART_MAX_BYTES = MEGABYTE

/** The fewest bytes of a part, save the last: a slow phone's line sends this much before an answer is given up. */
export const UPLOAD_PART_MIN_BYTES = 16 * 1024

/** For parts that are smaller all the same, such as those of two tabs that send at once. */
const SPARE_PARTS = 64

/** The most parts in which an upload of `size` bytes may arrive. */
export const uploadPartsMax = (size: number): number =>
  Math.ceil(size / UPLOAD_PART_MIN_BYTES) + SPARE_PARTS

/** Uploads that an account may open in a day. */
export const UPLOADS_PER_DAY = 100

/** Uploads of an account that no document has taken yet. */
export const UPLOADS_OPEN_MAX = 20

/** The bytes of those uploads together, as they were announced. */
export const UPLOADS_OPEN_MAX_BYTES = 600 * MEGABYTE

/** How long an upload is kept after its last part, and a stored file that nothing refers to. */
export const UPLOAD_LIFETIME_MS = DAY_MS

/** The longest name of an uploaded file, in characters; it is only shown. */
export const UPLOAD_NAME_MAX_LENGTH = 255

/** The most pages of a document's file. */
export const FILE_MAX_PAGES = 2000

/** The most pages that a preview shows. */
export const PREVIEW_MAX_PAGES = 300
