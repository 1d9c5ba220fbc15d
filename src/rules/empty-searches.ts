/**
 * A text that finds nothing is stored from this many searches on a day on, so that a single
 * person's search is not stored.
 */
export const EMPTY_SEARCHES_LEAST = 3

/** The number of days for which it is stored. */
export const EMPTY_SEARCH_DAYS = 90
