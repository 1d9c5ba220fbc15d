import { FILTERS, TooMuch } from '../pdf-filters.ts'

/** How many bytes the object streams of a PDF may unpack to: one of them, and all of them. */
const STREAM_MAX_BYTES = 64 * 1024 ** 2
const STREAMS_MAX_BYTES = 128 * 1024 ** 2
/** How many objects one of them may have. */
const STREAM_MAX_OBJECTS = 1_000_000
/**
 * How many bytes are read as objects; drawings and pictures are not, so that most files have far
 * fewer. Objects that have no end are read again and again.
 */
const READ_MAX_BYTES = 256 * 1024 ** 2
/** How deep dictionaries and arrays may stand in each other. */
const DEPTH_MAX = 500
/** How many different things an object may say of one name. */
const SAID_MAX = 10_000
/** How many words the dictionary of an object stream may have; 20 are usual. */
const STREAM_MAX_WORDS = 64
/** How much of a word is kept: more than any word that means something has in any spelling. */
const WORD_MAX_BYTES = 128

/**
 * The filters that unpack objects. LZW is not among them: no program packs objects with it, and
 * viewers unpack differently what follows a full table.
 */
const FILTERS_OF_OBJECTS = new Set([
  '/FlateDecode',
  '/ASCII85Decode',
  '/ASCIIHexDecode',
  '/RunLengthDecode',
])

/** Thrown if objects are packed or written in a way that some viewer may read otherwise than we. */
export class Unreadable extends Error {}

/** An object, in all ways in which viewers read it. */
export interface FoundObject {
  /**
   * What follows each of the names that were asked for, anywhere in the object: a name as `/Name`, a
   * reference as `R`, a number as `0`, a text as `(`, a dictionary or an array as `<<` or `[`.
   */
  readonly said: ReadonlyMap<string, ReadonlySet<string>>
  /** The name that is the whole object, with its slash. */
  readonly alone: readonly string[]
}

/**
 * Reads every object of a PDF that some viewer could find, whatever its index says: a viewer follows
 * the index, or builds its own if it thinks that one damaged, but reads only what begins with `obj`
 * or `trailer` and what stands in object streams. So objects that no page needs, and those that a
 * later revision replaced, are among these.
 *
 * An object is read as the sequence of its words, without regard to what stands in what. Viewers
 * disagree about brackets that do not match, about values that are missing and entries that are
 * repeated; what any of them understands is a part of what is said here.
 *
 * Throws `Unreadable`, and `TooMuch` for more than a document needs.
 */
export function* objectsIn(pdf: Buffer, names: Iterable<string>): Generator<FoundObject> {
  const asked = new Set([...names, '/Type', '/N', '/First'])
  const budget = { read: READ_MAX_BYTES, unpacked: STREAMS_MAX_BYTES }
  const words = wordsOf(pdf)
  for (const beginning of ['obj', 'trailer']) {
    for (let at = pdf.indexOf(beginning); at >= 0; at = pdf.indexOf(beginning, at + 1)) {
      const begin = at + beginning.length
      words.moveTo(begin)
      const object = readObject(words, asked)
      spend(budget, words.end() - begin)
      if (!object) continue
      yield object
      if (!isObjectStream(object) || !words.isFollowedBy('stream')) continue
      words.moveTo(begin)
      yield* objectsInStream(pdf, words, { asked, budget })
    }
  }
}

interface Budget {
  read: number
  unpacked: number
}

function spend(budget: Budget, bytes: number): void {
  budget.read -= bytes
  if (budget.read < 0) throw new TooMuch()
}

/** Some viewers look at the type of an object stream, some only at what they need from it. */
function isObjectStream({ said }: FoundObject): boolean {
  return said.get('/Type')?.has('/ObjStm') || (said.has('/N') && said.has('/First'))
}

/** The next object; null if none begins at the next word. */
function readObject(words: Words, asked: ReadonlySet<string>): FoundObject | null {
  const said = new Map<string, Set<string>>()
  const alone: string[] = []
  const open: Kind[] = []
  /** The last name, if it was asked for, and how many numbers followed it. */
  let names: readonly string[] = []
  let numbers = 0

  function say(what: string): void {
    for (const name of names) {
      const all = said.get(name) ?? new Set()
      said.set(name, all.add(what))
      if (all.size > SAID_MAX) throw new TooMuch()
    }
  }

  do {
    const kind = words.next()
    if (kind === 'end') break
    if (kind === 'name') {
      const readings = readingsOf(words.text())
      if (numbers === 0) readings.forEach(say)
      names = readings.filter((name) => asked.has(name))
      numbers = 0
      if (open.length === 0 || words.isMarked()) alone.push(...readings)
    } else if (kind === 'number') {
      if (numbers === 0) say('0')
      numbers += 1
    } else if (kind === 'word') {
      if (open.length === 0) return null
      // Any other word is skipped: for some viewers, the value is what comes after it.
      if (numbers === 2 && words.text() === 'R') say('R')
      if (numbers > 0) names = []
      numbers = 0
      if (words.text() === 'stream' && isObjectStream({ said, alone })) throw new Unreadable()
    } else if (kind === ']' || kind === '>>') {
      if (open.length === 0) return null
      // One that does not match ends nothing: the longest reading has all others in it.
      if (open.at(-1) === (kind === ']' ? '[' : '<<')) open.pop()
    } else {
      if (numbers === 0) say(kind)
      names = []
      numbers = 0
      if (kind !== '(') open.push(kind)
      if (open.length > DEPTH_MAX) throw new TooMuch()
    }
  } while (open.length > 0)
  return { said, alone }
}

/** The objects of the object stream whose dictionary is next. */
function* objectsInStream(
  pdf: Buffer,
  words: Words,
  { asked, budget }: { asked: ReadonlySet<string>; budget: Budget },
): Generator<FoundObject> {
  const entries = readEntries(words)
  const data = unpack(pdf, { entries, start: startOfData(pdf, words), words }, budget)
  spend(budget, data.length)
  const count = wholeNumber(entries.get('/N'))
  const first = wholeNumber(entries.get('/First'))
  if (count > STREAM_MAX_OBJECTS) throw new TooMuch()
  const packed = wordsOf(data)
  const places = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    nextWholeNumber(packed)
    places[at] = first + nextWholeNumber(packed)
  }
  packed.moveTo(first, places.sort())
  while (packed.end() < data.length) {
    const object = readObject(packed, asked)
    if (!object) continue
    // Some viewers would read a stream here, though the format has none.
    if (packed.isFollowedBy('stream')) throw new Unreadable()
    yield object
  }
}

/**
 * The entries of a dictionary, each as its words. It is read strictly, since what an object stream
 * has in it depends on it.
 */
function readEntries(words: Words): Map<string, readonly string[]> {
  const list: string[] = []
  if (words.next() !== '<<') throw new Unreadable()
  for (let kind = words.next(); kind !== '>>'; kind = words.next()) {
    if (kind === '<<' || kind === 'end' || list.length > STREAM_MAX_WORDS) throw new Unreadable()
    const readings = kind === 'name' ? readingsOf(words.text()) : [words.text()]
    if (readings.length > 1) throw new Unreadable()
    list.push(...readings)
  }
  const entries = new Map<string, readonly string[]>()
  for (let at = 0; at < list.length; ) {
    const name = list[at] ?? ''
    const from = at + 1
    const isList = list[from] === '['
    const to = isList ? list.indexOf(']', from) + 1 : from + (list[from + 2] === 'R' ? 3 : 1)
    if (!name.startsWith('/') || entries.has(name) || to <= from || to > list.length) {
      throw new Unreadable()
    }
    entries.set(name, list.slice(from, to))
    at = to
  }
  return entries
}

function wholeNumber(written: readonly string[] | undefined): number {
  const [digits = ''] = written ?? []
  if (written?.length !== 1 || !/^\d{1,9}$/.test(digits)) throw new Unreadable()
  return Number(digits)
}

function nextWholeNumber(words: Words): number {
  if (words.next() !== 'number') throw new Unreadable()
  return wholeNumber([words.text()])
}

/** Where the data of a stream begins, after its dictionary: on the line after `stream`. */
function startOfData(pdf: Buffer, words: Words): number {
  words.next()
  const at = words.end()
  if (pdf[at] === LINE_FEED) return at + 1
  if (pdf[at] !== RETURN) throw new Unreadable()
  return pdf[at + 1] === LINE_FEED ? at + 2 : at + 1
}

interface Packed {
  readonly entries: ReadonlyMap<string, readonly string[]>
  readonly start: number
  readonly words: Words
}

function unpack(pdf: Buffer, { entries, start, words }: Packed, budget: Budget): Buffer {
  const isPlain = ['/DecodeParms', '/DP', '/F', '/FFilter', '/FDecodeParms'].every(
    (name) => (entries.get(name)?.[0] ?? 'null') === 'null',
  )
  const written = entries.get('/Filter') ?? []
  const filters = written.filter((word) => word !== '[' && word !== ']' && word !== 'null')
  if (!isPlain || !filters.every((name) => FILTERS_OF_OBJECTS.has(name))) throw new Unreadable()
  let end = pdf.length
  // Deflated data says where it ends. A viewer that believes in an earlier end sees a part of it.
  if (filters[0] !== '/FlateDecode') {
    end = start + wholeNumber(entries.get('/Length'))
    words.moveTo(end)
    if (!words.isFollowedBy('endstream')) throw new Unreadable()
  }
  let data: Uint8Array = pdf.subarray(start, end)
  for (const name of filters) data = unpackOnce(data, name.slice(1), budget)
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

function unpackOnce(data: Uint8Array, filter: string, budget: Budget): Uint8Array {
  try {
    const most = Math.min(STREAM_MAX_BYTES, budget.unpacked)
    const unpacked = FILTERS[filter]?.(data, most) ?? data
    budget.unpacked -= unpacked.length
    return unpacked
  } catch (error) {
    throw error instanceof TooMuch ? error : new Unreadable(undefined, { cause: error })
  }
}

/** A name as viewers read it: some of them end it at a character 0. */
function readingsOf(written: string): readonly string[] {
  if (!written.includes('#')) return [written]
  const name = written.replace(/#([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const end = name.indexOf('\0')
  return end < 0 ? [name] : [name, name.slice(0, end)]
}

const LINE_FEED = 10
const RETURN = 13
const REGULAR = 0
const WHITE = 1
const DELIMITER = 2
const KINDS = new Uint8Array(256)
// The last two are white only for PDFium. For others they are a part of a name that then means
// nothing, so that its reading has theirs in it.
for (const byte of [0, 9, LINE_FEED, 12, RETURN, 32, 0x80, 0xff]) KINDS[byte] = WHITE
for (const byte of Buffer.from('()<>[]{}/%')) KINDS[byte] = DELIMITER

/** A text is `(`, in whichever way it is written; a `word` is anything without a meaning here. */
type Kind = 'name' | 'number' | 'word' | '(' | '[' | ']' | '<<' | '>>' | 'end'

type Words = ReturnType<typeof wordsOf>

/** Reads bytes word by word. */
function wordsOf(bytes: Buffer) {
  let start = 0
  let end = 0
  let marks: Float64Array = new Float64Array()
  let mark = 0
  let isMarked = false

  /** The first position from `at` on that is neither white nor in a comment. */
  function skip(at: number): number {
    let to = at
    let isComment = false
    for (; to < bytes.length; to++) {
      const byte = bytes[to] as number
      if (isComment) isComment = byte !== LINE_FEED && byte !== RETURN
      else if (byte === 0x25) isComment = true
      else if (KINDS[byte] !== WHITE) break
    }
    return to
  }

  function skipRegular(): void {
    while (end < bytes.length && KINDS[bytes[end] as number] === REGULAR) end += 1
  }

  function skipText(): void {
    for (let depth = 1; depth > 0 && end < bytes.length; end++) {
      const byte = bytes[end]
      if (byte === 0x5c) end += 1
      else if (byte === 0x28) depth += 1
      else if (byte === 0x29) depth -= 1
    }
  }

  function read(): Kind {
    start = skip(end)
    end = start + 1
    switch (bytes[start]) {
      case undefined:
        end = start
        return 'end'
      case 0x2f: // /
        skipRegular()
        return 'name'
      case 0x28: // (
        skipText()
        return '('
      case 0x5b: // [
        return '['
      case 0x5d: // ]
        return ']'
      case 0x3c: // <
        end = bytes[end] === 0x3c ? end + 1 : bytes.indexOf(0x3e, end) + 1
        if (end === start + 2 && bytes[end - 1] === 0x3c) return '<<'
        if (end === 0) end = bytes.length
        return '('
      case 0x3e: // >
        if (bytes[end] !== 0x3e) return 'word'
        end += 1
        return '>>'
    }
    const byte = bytes[start] as number
    if (KINDS[byte] === DELIMITER) return 'word'
    if (!isOfNumber(byte)) {
      skipRegular()
      return 'word'
    }
    // A word may follow a number directly: some viewers read `0R` as `0 R`.
    while (end < bytes.length && isOfNumber(bytes[end] as number)) end += 1
    return 'number'
  }

  return {
    /**
     * Continues at a position. Each of the `places`, in ascending order, must be where a word
     * begins, or the white before it: `next` throws `Unreadable` if one is in a word or a comment,
     * from where a viewer would read other words.
     */
    moveTo(at: number, places: Float64Array = new Float64Array()): void {
      end = Math.min(at, bytes.length)
      marks = places
      mark = 0
    },
    next(): Kind {
      const kind = read()
      isMarked = false
      for (; (marks[mark] ?? Infinity) < end; mark++) {
        if (skip(marks[mark] as number) !== start) throw new Unreadable()
        isMarked = true
      }
      end = Math.min(end, bytes.length)
      return kind
    },
    /** Whether the last word is at one of the places. */
    isMarked: () => isMarked,
    /** The last word, or its beginning if it is very long, one character a byte. */
    text: () => bytes.toString('latin1', start, Math.min(end, start + WORD_MAX_BYTES)),
    end: () => end,
    isFollowedBy(word: string): boolean {
      const at = skip(end)
      const after = bytes[at + word.length] ?? 0
      return bytes.toString('latin1', at, at + word.length) === word && KINDS[after] !== REGULAR
    },
  }
}

/** Whether a byte is a digit, `+`, `-` or `.`. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e
}
