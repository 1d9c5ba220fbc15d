/** What the reader says to the page that has it in a frame. */
export const FRAME_MESSAGES = {
  failed: 'karras:reader-failed',
  left: 'karras:reader-left',
} as const
