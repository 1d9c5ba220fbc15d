/** The header of the HEAD request that a prefetched page sends once it is opened. */
export const OPENED_HEADER = 'karras-opened'
