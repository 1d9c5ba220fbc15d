import { TooMuch } from '../pdf-filters.ts'
import { readObjectStream, STREAMS_MAX_BYTES } from './object-stream.ts'
import {
  type Kind,
  type Names,
  readingsOf,
  setOfNames,
  Unreadable,
  type Words,
  wordsOf,
} from './pdf-words.ts'

/**
 * How many bytes are read as objects; drawings and pictures are not, so that most files have far
 * fewer. Objects that have no end are read again and again.
 */
const READ_MAX_BYTES = 256 * 1024 ** 2
/**
 * How many of the names that are asked for may be read, and those after them; a book of 300 pages
 * full of tables has 0.4 million.
 */
const NAMES_MAX = 4_000_000
/** How deep dictionaries and arrays may stand in each other. */
const DEPTH_MAX = 500
/** How many different things an object may say of one name. */
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
export function* objectsIn(pdf: Buffer, names: readonly string[]): Generator<FoundObject> {
  const asked = setOfNames([...names, '/N', '/First', '/ObjStm'])
  const budget = { read: READ_MAX_BYTES, unpacked: STREAMS_MAX_BYTES, names: NAMES_MAX }
  const reading = { asked, budget }
  const words = wordsOf(pdf)
  for (const beginning of BEGINNINGS) {
    for (let at = pdf.indexOf(beginning); at >= 0; at = pdf.indexOf(beginning, at + 1)) {
      if (pdf[at - 1] === 0x64) continue // endobj
      const begin = at + beginning.length
      words.moveTo(begin)
      const object = readObject(words, reading)
      spend(budget, 'read', words.end() - begin)
      if (!object) continue
      yield object
      if (!object.isObjectStream || !words.isFollowedBy('stream')) continue
      words.moveTo(begin)
      yield* objectsInStream(pdf, words, reading)
    }
  }
}

/** The words before an object. */
const BEGINNINGS = ['obj', 'trailer'].map((word) => Buffer.from(word))

/** How much of each may still be used. */
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
  readonly budget: Budget
}

const NO_NAMES: readonly string[] = []

/** The next object; null if none begins at the next word. */
function readObject(words: Words, { asked, budget }: Reading): FoundObject | null {
  const said = new Map<string, Set<string>>()
  const open: Kind[] = []
  const alone: string[] = []
  let isTyped = false
  const isObjectStream = () => isTyped || (said.has('/N') && said.has('/First'))
  /** The last name, if it was asked for, and how many numbers followed it. */
  let names = NO_NAMES
  let numbers = 0

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
    } else if (kind === 'word') {
      if (open.length === 0) return null
      // Any other word is skipped: for some viewers, the value is what comes after it.
      if (numbers === 2 && words.is('R')) say(said, names, 'R')
      if (numbers > 0) names = NO_NAMES
      numbers = 0
      if (words.is('stream') && isObjectStream()) throw new Unreadable()
    } else if (kind === ']' || kind === '>>') {
      if (open.length === 0) return null
      // One that does not match ends nothing: the longest reading has all others in it.
      if (open.at(-1) === (kind === ']' ? '[' : '<<')) open.pop()
    } else {
      if (numbers === 0) say(said, names, kind)
      names = NO_NAMES
      numbers = 0
      if (kind !== '(') open.push(kind)
      if (open.length > DEPTH_MAX) throw new TooMuch()
    }
  } while (open.length > 0)
  return { said, alone, isObjectStream: isObjectStream() }
}

function say(said: Map<string, Set<string>>, names: readonly string[], what: string): void {
  for (const name of names) {
    const all = said.get(name)
    if (!all) said.set(name, new Set<string>().add(what))
    else if (all.size < SAID_MAX) all.add(what)
    else throw new TooMuch()
  }
}

/** The objects of the object stream whose dictionary is next. */
function* objectsInStream(pdf: Buffer, words: Words, reading: Reading): Generator<FoundObject> {
  const { data, places, first } = readObjectStream(pdf, words, reading.budget)
  spend(reading.budget, 'read', data.length)
  const packed = wordsOf(data)
  packed.moveTo(first, places)
  while (packed.end() < data.length) {
    const object = readObject(packed, reading)
    if (!object) continue
    // Some viewers would read a stream here, though the format has none.
    if (packed.isFollowedBy('stream')) throw new Unreadable()
    yield object
  }
}
