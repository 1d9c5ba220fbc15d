/**
 * The least time for which a visible loader stays, and the time it takes to fade out, in
 * milliseconds.
 */
export const LOADER_MIN_DURATION_MS = 100
export const LOADER_FADE_OUT_MS = 200
