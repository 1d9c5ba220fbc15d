import { DAY_MS } from './durations.ts'

/**
 * For how many days an owner may still download a version of a file after a newer one has replaced
 * it.
 */
export const EARLIER_VERSION_DAYS = 30
export const EARLIER_VERSION_MS = EARLIER_VERSION_DAYS * DAY_MS
