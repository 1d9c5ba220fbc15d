import { STAMP_MAX_LENGTH } from '../../../rules/stamp.ts'

/** In points. */
const SIZE = 7
/** From 0, black, to 1, white. */
const GREY = 0.55

/** The corners of the footer, in points from the start of its text. */
export const FOOTER_BOX = [-2, -3, SIZE * STAMP_MAX_LENGTH, SIZE + 2] as const

/** In bytes: any text fits, even if each of its characters is escaped. */
const ROOM = 4 * STAMP_MAX_LENGTH + 64

/** A footer without text, and the mark by which it is found in a tail. */
export const BLANK_FOOTER = '%karras-footer'.padEnd(ROOM, '.')

/** Characters of the footer whose codes in its font's encoding (WinAnsi) differ from Unicode. */
const ENCODED: Readonly<Record<string, string>> = { '•': '\x95' }

/** The instructions that write a text, padded to the length of the blank footer's. */
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
