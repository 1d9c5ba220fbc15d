// Like storage-keys.ts, but for the office; in a separate file, so that buyers do not load it.

/** The staff's bearer token; the shop's pages do not read it. */
export const OFFICE_TOKEN_KEY = 'karras-office-token'
/** The prefix of the keys for input in the office that is not saved yet. */
export const OFFICE_KEPT_PREFIX = 'karras-office-kept:'
