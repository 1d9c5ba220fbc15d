import { DAY_MS } from './durations.ts'

/** How many days an owner may still download the version of a file that a newer one has replaced. */
export const EARLIER_VERSION_DAYS = 30
export const EARLIER_VERSION_MS = EARLIER_VERSION_DAYS * DAY_MS
