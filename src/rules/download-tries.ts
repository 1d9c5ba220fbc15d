/** How much of a file arrives before it is stored, in bytes: what a reload loses at most. */
export const PART_BYTES = 256 * 1024

/** The waits before a download that was cut goes on, in ms; after the last one it has failed. */
export const CUT_WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000]

/** How long a download that nobody continued is kept, in ms. */
export const KEPT_MS = 7 * 24 * 3_600_000

/** Answers that say nothing about the file: none at all, too slow, too many, a gateway without its shop. */
const PASSING: readonly number[] = [0, 408, 429, 502, 503, 504]

/**
 * How long to wait before a download that had begun is continued, in ms; null if it has failed. `tries`:
 * how often it was continued without another byte.
 */
export function waitAfterCut(status: number, tries: number): number | null {
  return PASSING.includes(status) ? (CUT_WAITS_MS[tries] ?? null) : null
}
