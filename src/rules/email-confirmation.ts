import { DAY_MS } from './durations.ts'

/** How long a link that confirms an e-mail address is valid. */
export const CONFIRMATION_LINK_LIFETIME_MS = 7 * DAY_MS
