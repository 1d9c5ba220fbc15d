// As storage-keys.ts, for the office alone: in a file of its own, so that buyers load nothing of it.

/** The staff's bearer token: the office's own, which no page of the shop reads. */
export const OFFICE_TOKEN_KEY = 'karras-office-token'
/** What each thing begins with that was typed in the office and is not saved yet. */
export const OFFICE_KEPT_PREFIX = 'karras-office-kept:'
