import { encode } from 'uqr'
import { STAMP_MAX_LENGTH } from '../../../rules/stamp.ts'

/** What a page's footer says: the order, and the address of its code; null for none. */
export interface Footer {
  readonly text: string
  readonly address: string | null
}

/** In points. */
const SIZE = 7
/** From 0, black, to 1, white. */
const GREY = 0.55

/** The side of the code, some 11 mm: a phone reads it from a photocopy too. In points, as the next. */
const CODE_SIDE = 30
/** The white around the code, as far as the page has something there. */
const CODE_MARGIN = 2
/** Where the code begins, above the text. */
const CODE_BOTTOM = SIZE + 4
/** A code of more modules has no room, and is too fine to be read; addresses of 60 characters have fewer. */
const MODULES_MAX = 37

/** The corners of the footer, in points from the start of its text. */
export const FOOTER_BOX = [
  -CODE_MARGIN,
  -3,
  SIZE * STAMP_MAX_LENGTH,
  CODE_BOTTOM + CODE_SIDE + CODE_MARGIN,
] as const

/** In bytes: any text fits, even if each of its characters is escaped, with a code of most modules. */
const ROOM = 4 * STAMP_MAX_LENGTH + 64 + 2 * MODULES_MAX * Math.ceil(MODULES_MAX / 8) + 160

/** A footer without text, and the mark by which it is found in a tail. */
export const BLANK_FOOTER = '%karras-footer'.padEnd(ROOM, '.')

/** Characters of the footer whose codes in its font's encoding (WinAnsi) differ from Unicode. */
const ENCODED: Readonly<Record<string, string>> = { '•': '\x95' }

/** The instructions that write a footer, padded to the length of the blank one's. */
function writtenFooter({ text, address }: Footer): Buffer {
  const encoded = text.replace(/[^\x20-\x7e\xa1-\xff]/gu, (other) => ENCODED[other] ?? '?')
  const escaped = encoded.replace(/[\\()]/g, '\\$&')
  const words = `BT /F ${SIZE} Tf ${GREY} g (${escaped}) Tj ET`
  const drawn = address === null ? words : `${words}${codeOf(address)}`
  return Buffer.from(drawn.padEnd(ROOM), 'latin1')
}

/** The instructions that draw a QR code: a picture of one bit a module, which stays sharp at any size. */
function codeOf(address: string): string {
  const { data, size } = encode(address, { ecc: 'M', border: 0 })
  if (size > MODULES_MAX) return ''
  const rows = data.map((row) => {
    const bits = row.map((isDark) => (isDark ? '1' : '0')).join('')
    return (bits.padEnd(Math.ceil(size / 8) * 8, '0').match(/.{8}/g) ?? [])
      .map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, '0'))
      .join('')
  })
  const [white, side] = [CODE_BOTTOM - CODE_MARGIN, CODE_SIDE + 2 * CODE_MARGIN]
  return [
    `\n1 g ${-CODE_MARGIN} ${white} ${side} ${side} re f`,
    `0 g q ${CODE_SIDE} 0 0 ${CODE_SIDE} 0 ${CODE_BOTTOM} cm`,
    `BI /W ${size} /H ${size} /IM true /D [1 0] /F /AHx ID`,
    `${rows.join('')}>`,
    'EI Q',
  ].join('\n')
}

/** A blank tail with its footer's text and code. */
export function writeFooter(blank: Buffer, footer: Footer): Buffer {
  const at = blank.indexOf(BLANK_FOOTER, 0, 'latin1')
  const written = writtenFooter(footer)
  if (at < 0 || written.length !== ROOM) throw new Error('a footer that does not fit')
  return Buffer.concat([blank.subarray(0, at), written, blank.subarray(at + ROOM)])
}
