/** The counted steps: entering the site, opening a document, putting one into the cart. */
export const VISIT_STEPS = ['visit', 'details', 'cart'] as const
export type VisitStep = (typeof VISIT_STEPS)[number]

/** The header of the HEAD request that a prefetched page sends once it is opened. */
export const OPENED_HEADER = 'karras-opened'

/** From this many searches a day on a text without results is stored: not one person's. */
export const EMPTY_SEARCHES_LEAST = 3

/** The number of days for which it is stored. */
export const EMPTY_SEARCH_DAYS = 90
