import { DAY_MS } from './durations.ts'

/** The longest name of a link, in characters. */
export const LINK_NAME_MAX_LENGTH = 30

/** The part of an address that names the link by which a visitor came. */
export const LINK_PARAMETER = 'link'

/** For how long after a visit an order in the same tab counts as a sale by its link (ms). */
export const LINK_LASTS_MS = DAY_MS
/** How many days the figures of links show, today included. */
export const LINK_FIGURE_DAYS = 30
