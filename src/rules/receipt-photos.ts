/** How many photos a payment by transfer or D17 takes. */
export const RECEIPT_PHOTOS_MAX = 3

/** The largest stored photo, in bytes: it is drawn again until it is as small. */
export const RECEIPT_PHOTO_MAX_BYTES = 1024 * 1024

/** The longer side of a stored photo, in pixels: small print of a whole slip can be read. */
export const RECEIPT_PHOTO_SIDE = 2400

/** How many photos of an account may be on their way; the one left for longest makes room. */
export const RECEIPT_UPLOADS_OPEN_MAX = 3

/** Three payments may wait, so that each of their photos may be sent three times. */
export const RECEIPT_UPLOADS_PER_DAY = 30
