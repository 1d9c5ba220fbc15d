/** The longest reason of a refund, an adjustment or a closed difference, in characters. */
export const STAFF_REASON_MAX_LENGTH = 300
