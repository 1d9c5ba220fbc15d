// Like storage-keys.ts, for the office alone; in a file of its own, so that buyers do not load it.

/** The staff's bearer token: the office's own, which no page of the shop reads. */
export const OFFICE_TOKEN_KEY = 'karras-office-token'
/** The prefix of keys for what was typed in the office and is not saved yet. */
export const OFFICE_KEPT_PREFIX = 'karras-office-kept:'
