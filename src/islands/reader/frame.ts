import { FRAME_MESSAGES } from '../../rules/reader.ts'

/**
 * Sends a message to the dialog that contains the reader in a frame; does nothing without a frame.
 */
export function tellDialog(what: keyof typeof FRAME_MESSAGES): void {
  if (parent !== window) parent.postMessage(FRAME_MESSAGES[what], location.origin)
}
