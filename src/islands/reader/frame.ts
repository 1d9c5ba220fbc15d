import { FRAME_MESSAGES } from '../../rules/frame-messages.ts'

/** Says something to the dialog that has the reader in a frame; nothing where it is a page of its own. */
export function tellDialog(what: keyof typeof FRAME_MESSAGES): void {
  if (parent !== window) parent.postMessage(FRAME_MESSAGES[what], location.origin)
}
