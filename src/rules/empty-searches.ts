/** A text that finds nothing is kept from this search of a day on: what one person asks once is not. */
export const EMPTY_SEARCHES_LEAST = 3

/** Days for which it is kept. */
export const EMPTY_SEARCH_DAYS = 90
