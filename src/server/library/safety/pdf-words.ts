/** How much of a word is kept: more than any word that means something has in any spelling. */
const WORD_MAX_BYTES = 128

/** How many digits of an object's number are read, zeros before it among them. */
const NUMBER_MAX_BYTES = 20

/** Thrown if objects are packed or written in a way that some viewer may read otherwise than we. */
export class Unreadable extends Error {}

export const LINE_FEED = 10
export const RETURN = 13
const REGULAR = 0
const WHITE = 1
const DELIMITER = 2
const KINDS = new Uint8Array(256)
// The last two are white only for PDFium. For others they are a part of a name that then means
// nothing, so that its reading has theirs in it.
for (const byte of [0, 9, LINE_FEED, 12, RETURN, 32, 0x80, 0xff]) KINDS[byte] = WHITE
for (const byte of Buffer.from('()<>[]{}/%')) KINDS[byte] = DELIMITER

/** A text is `(`, in whichever way it is written; a `word` is anything without a meaning here. */
export type Kind = 'name' | 'number' | 'word' | '(' | '[' | ']' | '<<' | '>>' | 'end'

export type Words = ReturnType<typeof wordsOf>

const NO_PLACES = new Float64Array()

export function wordsOf(bytes: Buffer) {
  const { length } = bytes
  let start = 0
  let end = 0
  let marks: Float64Array = NO_PLACES
  let mark = 0
  let nextMark = Number.POSITIVE_INFINITY
  let isMarked = false

  /** The first position from `at` on that is neither white nor in a comment. */
  function skip(at: number): number {
    let to = at
    while (to < length) {
      const byte = bytes[to] as number
      if (byte === 0x25) {
        while (to < length && bytes[to] !== LINE_FEED && bytes[to] !== RETURN) to += 1
      } else if (KINDS[byte] === WHITE) to += 1
      else break
    }
    return to
  }

  function isAt(word: string, at: number): boolean {
    for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false
    return true
  }

  function afterRegular(at: number): number {
    let to = at
    while (to < length && KINDS[bytes[to] as number] === REGULAR) to += 1
    return to
  }

  function afterNumber(at: number): number {
    let to = at
    while (to < length && isOfNumber(bytes[to] as number)) to += 1
    return to
  }

  function afterText(at: number): number {
    let to = at
    for (let depth = 1; depth > 0 && to < length; to++) {
      const byte = bytes[to]
      if (byte === 0x5c) to += 1
      else if (byte === 0x28) depth += 1
      else if (byte === 0x29) depth -= 1
    }
    return to
  }

  function readWord(): Kind {
    start = skip(end)
    end = start + 1
    switch (bytes[start]) {
      case undefined:
        end = start
        return 'end'
      case 0x2f: // /
        end = afterRegular(end)
        return 'name'
      case 0x28: // (
        end = afterText(end)
        return '('
      case 0x5b: // [
        return '['
      case 0x5d: // ]
        return ']'
      case 0x3c: // <
        end = bytes[end] === 0x3c ? end + 1 : bytes.indexOf(0x3e, end) + 1
        if (end === start + 2 && bytes[end - 1] === 0x3c) return '<<'
        if (end === 0) end = length
        return '('
      case 0x3e: // >
        if (bytes[end] !== 0x3e) return 'word'
        end += 1
        return '>>'
    }
    const byte = bytes[start] as number
    if (KINDS[byte] === DELIMITER) return 'word'
    if (!isOfNumber(byte)) {
      end = afterRegular(end)
      return 'word'
    }
    // A word may follow a number directly: some viewers read `0R` as `0 R`.
    end = afterNumber(end)
    return 'number'
  }

  return {
    /**
     * Continues at a position. Each of the `places`, in ascending order, must be where a word
     * begins, or the white before it: `next` throws `Unreadable` if one is in a word or a comment,
     * from where a viewer would read other words.
     */
    moveTo(at: number, places: Float64Array = NO_PLACES): void {
      end = Math.min(at, length)
      marks = places
      mark = 0
      nextMark = marks[0] ?? Number.POSITIVE_INFINITY
    },
    next(): Kind {
      const kind = readWord()
      isMarked = false
      while (nextMark < end) {
        if (skip(nextMark) !== start) throw new Unreadable()
        isMarked = true
        mark += 1
        nextMark = marks[mark] ?? Number.POSITIVE_INFINITY
      }
      if (end > length) end = length
      return kind
    },
    /** Whether the last word is at one of the places. */
    isMarked: () => isMarked,
    /** The last word, or its beginning if it is very long, one character a byte. */
    text: () => bytes.toString('latin1', start, Math.min(end, start + WORD_MAX_BYTES)),
    /** Whether the last word, a name, may be one of these. */
    mayBeIn(names: Names): boolean {
      for (let at = start; at < end; at++) if (bytes[at] === 0x23) return true // #
      return names.mayHave(end - start, bytes[start + 1] ?? 0)
    },
    /** The last word as a number of up to 9 digits; throws `Unreadable` if it is anything else. */
    wholeNumber(): number {
      let number = 0
      for (let at = start; at < end; at++) {
        const digit = (bytes[at] as number) - 0x30
        if (digit < 0 || digit > 9 || end - start > 9) throw new Unreadable()
        number = number * 10 + digit
      }
      return number
    },
    is: (word: string) => end - start === word.length && isAt(word, start),
    start: () => start,
    /** The whole number that is written at a position. */
    numberAt(at: number): number {
      return Number.parseInt(bytes.toString('latin1', at, at + NUMBER_MAX_BYTES), 10)
    },
    end: () => end,
    isFollowedBy(word: string): boolean {
      const at = skip(end)
      return isAt(word, at) && KINDS[bytes[at + word.length] ?? 0] !== REGULAR
    },
  }
}

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e
}

/** A name as viewers read it: some of them end it at a character 0. */
export function readingsOf(words: Words): readonly string[] {
  const written = words.text()
  if (!written.includes('#')) return [written]
  const name = written.replace(/#([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const end = name.indexOf('\0')
  return end < 0 ? [name] : [name, name.slice(0, end)]
}

export type Names = ReturnType<typeof setOfNames>

export function setOfNames(names: readonly string[]) {
  const all = new Set(names)
  // Most names of a file are not asked for, and need not be made into a text to see that.
  const looks = new Set(names.map((name) => look(name.length, name.charCodeAt(1))))
  return {
    has: (name: string) => all.has(name),
    mayHave: (length: number, first: number) => looks.has(look(length, first)),
  }
}

/** A number for a name, by its length with the slash and its first letter. */
const look = (length: number, first: number) => length * 256 + first
