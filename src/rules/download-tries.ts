/** How many bytes of a file arrive before they are stored: the most that a reload can lose. */
export const PART_BYTES = 256 * 1024

/** The waits before a download that was cut is resumed, in ms; after the last one it has failed. */
export const CUT_WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000]

/** How long a download is kept unless it is continued, in ms. */
export const KEPT_MS = 7 * 24 * 3_600_000

/**
 * Statuses that say nothing about the file: no answer, too slow, too many requests, a gateway that
 * cannot reach the shop.
 */
const PASSING: readonly number[] = [0, 408, 429, 502, 503, 504]

/**
 * How long to wait before a download that had begun is resumed, in ms; null if it has failed.
 * `tries`: how often it was resumed without receiving another byte.
 */
export function waitAfterCut(status: number, tries: number): number | null {
  return PASSING.includes(status) ? (CUT_WAITS_MS[tries] ?? null) : null
}
