// Durations in milliseconds.
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/**
 * The least time for which a visible loader stays, and the time it takes to fade out, in
 * milliseconds.
 */
export const LOADER_MIN_DURATION_MS = 100
export const LOADER_FADE_OUT_MS = 200

/** After this time a page that is seen asks again for the balance and the cart that it shows. */
export const RENEWAL_MS = MINUTE_MS
