/** The messages of the reader to the page that shows it in a frame. */
export const FRAME_MESSAGES = {
  failed: 'karras:reader-failed',
  left: 'karras:reader-left',
} as const
