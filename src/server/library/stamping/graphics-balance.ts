/** The states and objects that a page's drawing instructions leave open at their end. */
export interface Balance {
  /** States that were saved (`q`) and not restored. */
  readonly saved: number
  /** Whether more states were restored than saved. */
  readonly isOverdrawn: boolean
  /** Whether a text object (`BT`) was begun and not ended. */
  readonly isInText: boolean
  /** Marked content, such as that of a layer, that was begun and not ended. */
  readonly marked: number
}

const isSpace = (byte: number | undefined) =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9 || byte === 12 || byte === 0
const DELIMITERS = new Set([...'()<>[]{}/%'].map((each) => each.charCodeAt(0)))
const isRegular = (byte: number | undefined) =>
  byte !== undefined && !isSpace(byte) && !DELIMITERS.has(byte)

const [OPEN, CLOSE, BACKSLASH, PERCENT, SLASH, LESS, MORE] = [...'()\\%/<>'].map((each) =>
  each.charCodeAt(0),
) as [number, number, number, number, number, number, number]

/** Reads the operators of a page's instructions, without its texts, names and pictures. */
export function balanceOf(content: Uint8Array): Balance {
  let depth = 0
  let isOverdrawn = false
  let isInText = false
  let marked = 0
  for (const operator of operatorsOf(content)) {
    if (operator === 'q') depth++
    else if (operator === 'Q') {
      depth--
      if (depth < 0) isOverdrawn = true
    } else if (operator === 'BT') isInText = true
    else if (operator === 'ET') isInText = false
    else if (operator === 'BMC' || operator === 'BDC') marked++
    else if (operator === 'EMC') marked = Math.max(0, marked - 1)
  }
  return { saved: Math.max(0, depth), isOverdrawn, isInText, marked }
}

function* operatorsOf(content: Uint8Array): Generator<string> {
  let at = 0
  while (at < content.length) {
    const byte = content[at]
    if (byte === OPEN) at = afterText(content, at)
    else if (byte === PERCENT) at = afterLine(content, at)
    else if (byte === SLASH) at = afterWord(content, at + 1)
    else if (byte === LESS && content[at + 1] !== LESS) at = afterHexText(content, at)
    else if (isRegular(byte)) {
      const end = afterWord(content, at)
      const word = end - at > 3 ? '' : String.fromCharCode(...content.subarray(at, end))
      yield word
      at = word === 'ID' ? afterPicture(content, end) : end
    } else at++
  }
}

function afterText(content: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const byte = content[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  return content.length
}

function afterHexText(content: Uint8Array, from: number): number {
  const end = content.indexOf(MORE, from)
  return end < 0 ? content.length : end + 1
}

function afterLine(content: Uint8Array, from: number): number {
  let at = from
  while (at < content.length && content[at] !== 10 && content[at] !== 13) at++
  return at
}

function afterWord(content: Uint8Array, from: number): number {
  let at = from
  while (isRegular(content[at])) at++
  return at
}

/** After `EI` so many bytes must look like instructions: a picture may have these letters. */
const LOOKED_AT = 12

/** The end of an inline picture: at `EI` between spaces, with instructions after it. */
function afterPicture(content: Uint8Array, from: number): number {
  for (let at = from + 1; at < content.length; at++) {
    if (content[at] !== 0x45 || content[at + 1] !== 0x49 || !isSpace(content[at - 1])) continue
    const after = content.subarray(at + 2, at + 2 + LOOKED_AT)
    if (isRegular(after[0])) continue
    if (after.every((byte) => isSpace(byte) || (byte > 32 && byte < 127))) return at + 2
  }
  return content.length
}
