import { FILTERS, TooMuch } from './pdf-filters.ts'
import {
  type Kind,
  LINE_FEED,
  type Names,
  RETURN,
  readingsOf,
  setOfNames,
  Unreadable,
  type Words,
  wordsOf,
} from './pdf-words.ts'

/** Bytes read as objects, not as drawings; objects without an end are read repeatedly. */
const READ_MAX_BYTES = 256 * 1024 ** 2
/** Names that are read; a book of 300 pages full of tables has 0.4 million. */
const NAMES_MAX = 4_000_000
/** How deeply dictionaries and arrays may be nested. */
const DEPTH_MAX = 500
const SAID_MAX = 10_000
/** An object, in all ways in which viewers read it. */
export interface FoundObject {
  /**
   * What follows each of the names that were asked for, anywhere in the object: a name as `/Name`, a
   * reference as `R`, a number as `0`, a text as `(`, a dictionary or an array as `<<` or `[`.
   */
  readonly said: ReadonlyMap<string, ReadonlySet<string>>
  /** The name that is the whole object, with its slash. */
  readonly alone: readonly string[]
  readonly isObjectStream: boolean
  /**
   * To which objects, by number, each of the leading names leads: what it refers to, and under `/Name
   * in` what a dictionary or an array that is its value refers to.
   */
  readonly leads: ReadonlyMap<string, ReadonlySet<number>>
}

/** An object with the numbers under which viewers find it; null if these are not clear. */
export type NumberedObject = FoundObject & { readonly numbers: readonly number[] | null }

/**
 * Reads every object of a PDF that some viewer could find, whatever its index says: a viewer follows
 * the index, or builds its own if it thinks that one damaged, but reads only what begins with `obj`
 * or `trailer` and what is in object streams. So objects that no page needs, and those that a
 * later revision replaced, are among these.
 *
 * An object is read as the sequence of its words, without regard to nesting. Viewers
 * disagree about brackets that do not match, about values that are missing and entries that are
 * repeated; what any of them understands is a part of what is said here.
 *
 * Throws `Unreadable`, and `TooMuch` for more than a document needs.
 */
export function* objectsIn(
  pdf: Buffer,
  names: readonly string[],
  leading: readonly string[],
): Generator<NumberedObject> {
  const asked = setOfNames([...names, ...leading, '/N', '/First', '/ObjStm'])
  const budget = { read: READ_MAX_BYTES, unpacked: STREAMS_MAX_BYTES, names: NAMES_MAX }
  const reading = { asked, leading: new Set(leading), budget }
  const words = wordsOf(pdf)
  for (const beginning of BEGINNINGS) {
    for (let at = pdf.indexOf(beginning); at >= 0; at = pdf.indexOf(beginning, at + 1)) {
      if (pdf[at - 1] === 0x64) continue // endobj
      const begin = at + beginning.length
      words.moveTo(begin)
      const object = readObject(words, reading)
      spend(budget, 'read', words.end() - begin)
      if (!object) continue
      yield { ...object, numbers: beginning === TRAILER ? [] : numberBefore(pdf, at) }
      if (!object.isObjectStream || !words.isFollowedBy('stream')) continue
      words.moveTo(begin)
      yield* objectsInStream(pdf, words, reading)
    }
  }
}

const TRAILER = Buffer.from('trailer')
const BEGINNINGS = [Buffer.from('obj'), TRAILER]

/** How far before `obj` its number is looked for, in bytes. */
const HEAD_MAX_BYTES = 80

/** The number in the head of an object (`4 0`), which may have comments and ends of lines in it. */
function numberBefore(pdf: Buffer, at: number): readonly number[] | null {
  const lines = pdf.toString('latin1', Math.max(0, at - HEAD_MAX_BYTES), at).split(/[\r\n]/)
  const last = lines.pop() ?? ''
  const head = [...lines.map((line) => line.split('%')[0]), last].join(' ')
  const digits = head
    .trim()
    .split(/[\s\0]+/)
    .at(-2)
    ?.split(/\D/)
    .at(-1)
  return digits ? [Number(digits)] : null
}

interface Budget {
  read: number
  unpacked: number
  names: number
}

function spend(budget: Budget, kind: keyof Budget, count: number): void {
  budget[kind] -= count
  if (budget[kind] < 0) throw new TooMuch()
}

interface Reading {
  readonly asked: Names
  readonly leading: ReadonlySet<string>
  readonly budget: Budget
}

const NO_NAMES: readonly string[] = []

/** The next object; null if none begins at the next word. */
function readObject(words: Words, { asked, leading, budget }: Reading): FoundObject | null {
  const said = new Map<string, Set<string>>()
  const open: Kind[] = []
  const alone: string[] = []
  let isTyped = false
  const isObjectStream = () => isTyped || (said.has('/N') && said.has('/First'))
  /** The last name, if it was asked for, and how many numbers followed it. */
  let names = NO_NAMES
  let numbers = 0
  const leads = new Map<string, Set<number>>()
  /** Where the last two numbers are written. */
  let [before, last] = [0, 0]
  /** The leading name within whose value this is, and how deep that is. */
  let within: { readonly name: string; readonly depth: number } | null = null
  const leadingName = () => names.find((name) => leading.has(name))

  function lead(): void {
    const name = (numbers === 2 && leadingName()) || (within && `${within.name} in`)
    if (!name || numbers < 2) return
    spend(budget, 'names', 1)
    const all = leads.get(name) ?? new Set()
    leads.set(name, all.add(words.numberAt(before)))
  }

  do {
    const kind = words.next()
    if (kind === 'end') break
    if (kind === 'name') {
      const isValue = numbers === 0 && names.length > 0
      const isAlone = open.length === 0 || words.isMarked()
      numbers = 0
      if (isValue || isAlone || words.mayBeIn(asked)) {
        spend(budget, 'names', 1)
        const readings = readingsOf(words)
        if (isValue) for (const reading of readings) say(said, names, reading)
        if (isAlone) alone.push(...readings)
        isTyped ||= readings.includes('/ObjStm')
        names = readings.some(asked.has) ? readings : NO_NAMES
      } else names = NO_NAMES
    } else if (kind === 'number') {
      if (numbers === 0) say(said, names, '0')
      numbers += 1
      before = last
      last = words.start()
    } else if (kind === 'word') {
      if (open.length === 0) return null
      // Any other word is skipped: for some viewers, the value is what comes after it.
      if (numbers === 2 && words.is('R')) say(said, names, 'R')
      if (words.is('R')) lead()
      if (numbers > 0) names = NO_NAMES
      numbers = 0
      if (words.is('stream') && isObjectStream()) throw new Unreadable()
    } else if (kind === ']' || kind === '>>') {
      if (open.length === 0) return null
      // One that does not match ends nothing: the longest reading has all others in it.
      if (open.at(-1) === (kind === ']' ? '[' : '<<')) open.pop()
      if (within && open.length < within.depth) within = null
    } else {
      if (numbers === 0) say(said, names, kind)
      const name = numbers === 0 && kind !== '(' ? leadingName() : undefined
      names = NO_NAMES
      numbers = 0
      if (kind !== '(') open.push(kind)
      if (name && !within) within = { name, depth: open.length }
      if (open.length > DEPTH_MAX) throw new TooMuch()
    }
  } while (open.length > 0)
  return { said, alone, isObjectStream: isObjectStream(), leads }
}

function say(said: Map<string, Set<string>>, names: readonly string[], what: string): void {
  for (const name of names) {
    const all = said.get(name)
    if (!all) said.set(name, new Set<string>().add(what))
    else if (all.size < SAID_MAX) all.add(what)
    else throw new TooMuch()
  }
}

function* objectsInStream(pdf: Buffer, words: Words, reading: Reading): Generator<NumberedObject> {
  const { data, head, first } = readObjectStream(pdf, words, reading.budget)
  spend(reading.budget, 'read', data.length)
  const packed = wordsOf(data)
  packed.moveTo(
    first,
    Float64Array.from(head, ({ place }) => place),
  )
  let at = 0
  while (packed.end() < data.length) {
    const object = readObject(packed, reading)
    if (!object) continue
    // Some viewers would read a stream here, though the format has none.
    if (packed.isFollowedBy('stream')) throw new Unreadable()
    const from = at
    while ((head[at]?.place ?? Number.POSITIVE_INFINITY) < packed.end()) at++
    const numbers = head.slice(from, at).map(({ number }) => number)
    yield { ...object, numbers: numbers.length > 0 ? numbers : null }
  }
}

/** How many bytes the object streams of a PDF may unpack to: one of them, and all of them. */
const STREAM_MAX_BYTES = 64 * 1024 ** 2
const STREAMS_MAX_BYTES = 128 * 1024 ** 2
/** How many objects one of them may have. */
const STREAM_MAX_OBJECTS = 1_000_000
/** How many words the dictionary of an object stream may have; 20 are usual. */
const STREAM_MAX_WORDS = 64

/** Without LZW: no program packs objects with it, and viewers differ after a full table. */
const FILTERS_OF_OBJECTS = new Set([
  '/FlateDecode',
  '/ASCII85Decode',
  '/ASCIIHexDecode',
  '/RunLengthDecode',
])

interface ObjectStream {
  readonly data: Buffer
  /** The number of each object, and where it begins, which is at or after `first`; in order. */
  readonly head: readonly { readonly number: number; readonly place: number }[]
  readonly first: number
}

/** Throws `Unreadable`, and `TooMuch` beyond the `budget` or with too many objects. */
function readObjectStream(pdf: Buffer, words: Words, budget: { unpacked: number }): ObjectStream {
  const entries = readEntries(words)
  const data = unpack(pdf, { entries, start: startOfData(pdf, words) }, budget)
  const count = wholeNumber(entries.get('/N'))
  const first = wholeNumber(entries.get('/First'))
  if (count > STREAM_MAX_OBJECTS) throw new TooMuch()
  const numbers = wordsOf(data)
  const head = Array.from({ length: count }, () => {
    const number = nextWholeNumber(numbers)
    return { number, place: first + nextWholeNumber(numbers) }
  })
  return { data, head: head.sort((one, other) => one.place - other.place), first }
}

/** Reads strictly, since what an object stream has in it depends on it. */
function readEntries(words: Words): Map<string, readonly string[]> {
  const list: string[] = []
  if (words.next() !== '<<') throw new Unreadable()
  for (let kind = words.next(); kind !== '>>'; kind = words.next()) {
    if (kind === '<<' || kind === 'end' || list.length > STREAM_MAX_WORDS) throw new Unreadable()
    const readings = kind === 'name' ? readingsOf(words) : [words.text()]
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
  return words.wholeNumber()
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
}

function unpack(pdf: Buffer, { entries, start }: Packed, budget: { unpacked: number }): Buffer {
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
    const after = pdf.toString('latin1', end, end + '\r\nendstream'.length)
    if (!/^\r?\n?endstream/.test(after)) throw new Unreadable()
  }
  let data: Uint8Array = pdf.subarray(start, end)
  for (const name of filters) data = unpackOnce(data, name.slice(1), budget)
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

function unpackOnce(data: Uint8Array, filter: string, budget: { unpacked: number }): Uint8Array {
  try {
    if (budget.unpacked <= 0) throw new TooMuch()
    const most = Math.min(STREAM_MAX_BYTES, budget.unpacked)
    const unpacked = FILTERS[filter]?.(data, most) ?? data
    budget.unpacked -= unpacked.length
    return unpacked
  } catch (error) {
    throw error instanceof TooMuch ? error : new Unreadable(undefined, { cause: error })
  }
}
