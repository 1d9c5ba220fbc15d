// A teacher's account that anybody may open at "sell with us", until an administrator approves it.

/** How many such accounts may wait for the shop's answer at a time. */
export const UNAPPROVED_TEACHERS_MAX = 200

/** What one of them may have: documents that were never for sale, files sent in a day, bytes kept. */
export const UNAPPROVED_DRAFTS_MAX = 60
export const UNAPPROVED_UPLOADS_PER_DAY = 80
export const UNAPPROVED_MAX_BYTES = 500 * 1024 * 1024

/** The bytes that all of them keep together. */
export const ALL_UNAPPROVED_MAX_BYTES = 20 * 1024 * 1024 * 1024
