/**
 * The counted steps of a visit: entering the site, opening a document, putting one into the cart.
 */
export const VISIT_STEPS = ['visit', 'details', 'cart'] as const
export type VisitStep = (typeof VISIT_STEPS)[number]

/** The header of the HEAD request that a prefetched page sends once it is opened. */
export const OPENED_HEADER = 'karras-opened'

/** The part of an address by which a visitor brings a discount code. Here, where every page loads little. */
export const CODE_PARAMETER = 'code'

/**
 * A text that finds nothing is stored from this many searches on a day on, so that a single
 * person's search is not stored.
 */
export const EMPTY_SEARCHES_LEAST = 3

/** The number of days for which it is stored. */
export const EMPTY_SEARCH_DAYS = 90
