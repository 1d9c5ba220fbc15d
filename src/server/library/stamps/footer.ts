import { STAMP_MAX_LENGTH } from '../../../rules/stamp.ts'

/** In points. */
const SIZE = 7
/** From 0, black, to 1, white. */
const GREY = 0.55

/** The footer's corners, in points from where its text begins. */
export const FOOTER_BOX = [-2, -3, SIZE * STAMP_MAX_LENGTH, SIZE + 2] as const

/** Bytes of a footer's instructions: any text fits, each of its characters escaped. */
const ROOM = 4 * STAMP_MAX_LENGTH + 64

/** A footer without text, and the mark by which it is found in a tail. */
export const BLANK_FOOTER = '%karras-footer'.padEnd(ROOM, '.')

/** Characters of the footer that the encoding of its font (WinAnsi) has elsewhere than Unicode. */
const ENCODED: Readonly<Record<string, string>> = { '•': '\x95' }

/** The instructions that write a text, as long as those of the blank footer. */
function writtenFooter(text: string): Buffer {
  const encoded = text.replace(/[^\x20-\x7e\xa1-\xff]/gu, (other) => ENCODED[other] ?? '?')
  const escaped = encoded.replace(/[\\()]/g, '\\$&')
  return Buffer.from(`BT /F ${SIZE} Tf ${GREY} g (${escaped}) Tj ET`.padEnd(ROOM), 'latin1')
}

/** A blank tail with its footer's text. */
export function writeFooter(blank: Buffer, text: string): Buffer {
  const at = blank.indexOf(BLANK_FOOTER, 0, 'latin1')
  const footer = writtenFooter(text)
  if (at < 0 || footer.length !== ROOM) throw new Error('a footer that does not fit')
  return Buffer.concat([blank.subarray(0, at), footer, blank.subarray(at + ROOM)])
}
