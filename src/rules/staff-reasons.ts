/** Why staff refund, adjust or close something, in characters. */
export const STAFF_REASON_MAX_LENGTH = 300
