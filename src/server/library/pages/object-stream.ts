import { FILTERS, TooMuch } from '../pdf-filters.ts'
import { LINE_FEED, RETURN, readingsOf, Unreadable, type Words, wordsOf } from './pdf-words.ts'

/** How many bytes the object streams of a PDF may unpack to: one of them, and all of them. */
const STREAM_MAX_BYTES = 64 * 1024 ** 2
export const STREAMS_MAX_BYTES = 128 * 1024 ** 2
/** How many objects one of them may have. */
const STREAM_MAX_OBJECTS = 1_000_000
/** How many words the dictionary of an object stream may have; 20 are usual. */
const STREAM_MAX_WORDS = 64

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

export interface ObjectStream {
  readonly data: Buffer
  /** Where its objects begin, of which the first one is at or after `first`; ascending. */
  readonly places: Float64Array
  readonly first: number
}

/**
 * Unpacks the object stream whose dictionary is next. Throws `Unreadable`, and `TooMuch` for more
 * bytes than `budget` has left, or more objects than a document has.
 */
export function readObjectStream(
  pdf: Buffer,
  words: Words,
  budget: { unpacked: number },
): ObjectStream {
  const entries = readEntries(words)
  const data = unpack(pdf, { entries, start: startOfData(pdf, words) }, budget)
  const count = wholeNumber(entries.get('/N'))
  const first = wholeNumber(entries.get('/First'))
  if (count > STREAM_MAX_OBJECTS) throw new TooMuch()
  const head = wordsOf(data)
  const places = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    nextWholeNumber(head)
    places[at] = first + nextWholeNumber(head)
  }
  return { data, places: places.sort(), first }
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
