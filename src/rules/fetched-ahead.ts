/** Sent with a HEAD request by a page that was fetched ahead, once somebody looks at it. */
export const OPENED_HEADER = 'karras-opened'
