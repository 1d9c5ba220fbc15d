/**
 * How many documents may be chosen for a ZIP; without a choice it contains all that were bought.
 */
export const ARCHIVE_CHOSEN_MAX = 200

/** How many ZIPs an account may download at a time. */
export const ARCHIVES_AT_ONCE = 2
