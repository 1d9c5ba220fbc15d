import { FILTERS, TooMuch } from '../pdf-filters.ts'

/**
 * The names of features that a printed document never needs: scripts, launched programs, embedded
 * files.
 */
const NAMES = [
  'JavaScript',
  'Launch',
  'Rendition',
  'RichMedia',
  'EmbeddedFile',
  'FileAttachment',
] as const

/** How many bytes the compressed objects of a PDF may unpack to: one stream, and all of them. */
const STREAM_MAX_BYTES = 64 * 1024 ** 2
const STREAMS_MAX_BYTES = 256 * 1024 ** 2

/** How many bytes are searched at a time, and how far a name may reach into the next window. */
const WINDOW = 4 * 1024 ** 2
const OVERLAP = 256
/** How far before and after the type of an object stream its dictionary and its bytes may begin. */
const DICTIONARY_MAX_BYTES = 4096

const ACTIVE = named(NAMES)
const OBJECT_STREAM = named(['ObjStm'])

/**
 * Searches a whole PDF for active content, wherever its index places the objects: in its bytes and
 * in its compressed objects. `bomb`: these unpack to more than a document needs. `unknown`: an
 * object stream is packed in a way that cannot be read here, so that its content cannot be checked.
 */
export function findActiveContent(pdf: Buffer): 'active' | 'bomb' | 'unknown' | null {
  if (has(pdf, ACTIVE)) return 'active'
  let unpacked = 0
  for (const at of placesOf(pdf, OBJECT_STREAM)) {
    const stream = streamAt(pdf, at)
    if (stream === 'plain') continue
    if (stream === 'unknown') return 'unknown'
    const objects = unpack(pdf.subarray(stream.start), stream.filters)
    if (objects === 'bomb' || objects === 'unknown') return objects
    unpacked += objects.length
    if (unpacked > STREAMS_MAX_BYTES) return 'bomb'
    if (has(objects, ACTIVE)) return 'active'
  }
  return null
}

/**
 * Matches names in every spelling that a PDF allows: any character also as `#` and two hexadecimal
 * digits.
 */
function named(names: readonly string[]): RegExp {
  const spelled = names.map((name) =>
    [...name]
      .map((letter) => {
        const [first = '', second = ''] = letter.charCodeAt(0).toString(16)
        return `(?:${letter}|#${eitherCase(first)}${eitherCase(second)})`
      })
      .join(''),
  )
  return new RegExp(`/(?:${spelled.join('|')})`, 'g')
}

function eitherCase(digit: string): string {
  return `[${digit}${digit.toUpperCase()}]`
}

function has(bytes: Buffer, expression: RegExp): boolean {
  for (const _ of placesOf(bytes, expression)) return true
  return false
}

function* placesOf(bytes: Buffer, expression: RegExp): Generator<number> {
  let last = -1
  for (let from = 0; from < bytes.length; from += WINDOW) {
    const text = bytes.toString('latin1', from, Math.min(from + WINDOW + OVERLAP, bytes.length))
    for (const { index } of text.matchAll(expression)) {
      // The overlap is searched twice.
      if (from + index > last) yield from + index
      last = Math.max(last, from + index)
    }
  }
}

/**
 * Finds the beginning and the filters of the object stream whose dictionary contains its type at
 * `at`.
 */
function streamAt(
  pdf: Buffer,
  at: number,
): { start: number; filters: string[] } | 'plain' | 'unknown' {
  const before = pdf.toString('latin1', Math.max(0, at - DICTIONARY_MAX_BYTES), at)
  const after = pdf.toString('latin1', at, at + DICTIONARY_MAX_BYTES)
  const begin = /\bstream\r?\n/.exec(after)
  // The name is not the type of a stream; it may be part of a text, for example.
  if (!begin) return 'plain'
  const opened = before.slice(before.lastIndexOf('obj') + 'obj'.length)
  const dictionary = opened + after.slice(0, begin.index)
  // Names that are spelled with `#` and hexadecimal digits are not found below.
  if (/#[\da-f]{2}|DecodeParms|\/DP\b/i.test(dictionary)) return 'unknown'
  if (!/\/(?:Filter|F)\b/.test(dictionary)) return 'plain'
  const [, one, several = ''] =
    /\/Filter\s*(?:\/(\w+)|\[((?:\s*\/\w+)+)\s*\])/.exec(dictionary) ?? []
  const filters = one ? [one] : (several.match(/\w+/g) ?? [])
  const isKnown = filters.length > 0 && filters.every((name) => Object.hasOwn(FILTERS, name))
  return isKnown ? { start: at + begin.index + begin[0].length, filters } : 'unknown'
}

/** The content of a stream, unpacked by one filter after the other. */
function unpack(packed: Buffer, filters: readonly string[]): Buffer | 'bomb' | 'unknown' {
  try {
    let bytes: Uint8Array = packed
    for (const name of filters) bytes = FILTERS[name]?.(bytes, STREAM_MAX_BYTES) ?? bytes
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } catch (error) {
    return error instanceof TooMuch ? 'bomb' : 'unknown'
  }
}
