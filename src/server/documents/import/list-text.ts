import { LIST_MAX_BYTES, LIST_MAX_COLUMNS } from '../../../rules/imports.ts'
import { inMegabytes } from '../../../rules/uploads.ts'
import type { Column } from './columns.ts'
import { ImportRefused, problemOfRow, refused, tooManyColumns } from './problems.ts'

/** The text of a list, and its encoding where that is not UTF-8, which a teacher is told. */
interface ListText {
  readonly text: string
  readonly encoding: string | null
}

/**
 * Reads a list's text: in UTF-8, or in UTF-16 or Windows-1256 where there is no doubt about it.
 * Throws `ImportRefused` for anything else, and for a list beyond `LIST_MAX_BYTES`.
 */
export async function readListText(pieces: AsyncIterable<Uint8Array>): Promise<ListText> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > LIST_MAX_BYTES) throw refused('list_too_large', `${inMegabytes(LIST_MAX_BYTES)}`)
    read.push(piece)
  }
  const bytes = Buffer.concat(read)
  if (SPREADSHEETS.some((beginning) => bytes.subarray(0, 4).equals(beginning))) {
    throw refused('spreadsheet')
  }
  const found = inUtf8(bytes) ?? inUtf16(bytes) ?? inWindows1256(bytes)
  if (!found) throw refused('not_utf8')
  refuseOddLetters(found.text)
  return found
}

/** Refuses what neither a spreadsheet writes as text nor the database stores. */
export function refuseOddLetters(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw refused('not_utf8')
}

/** How the files of Excel and LibreOffice begin: a ZIP, or the older format. */
const SPREADSHEETS = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function inUtf8(bytes: Buffer): ListText | null {
  const text = decoded(bytes, 'utf-8')
  // Text in UTF-16 has a zero beside each Latin letter.
  return text === null || text.includes('\0') ? null : { text, encoding: null }
}

/** UTF-16 with its mark, or with columns that can be read only so. */
function inUtf16(bytes: Buffer): ListText | null {
  for (const [encoding, mark] of [
    ['utf-16le', Buffer.from([0xff, 0xfe])],
    ['utf-16be', Buffer.from([0xfe, 0xff])],
  ] as const) {
    const isMarked = bytes.subarray(0, 2).equals(mark)
    const text = decoded(bytes, encoding)
    if (text !== null && (isMarked || namesColumns(text))) return { text, encoding: 'UTF-16' }
  }
  return null
}

const ARABIC_WORD = /[\u0621-\u063a\u0641-\u064a]{2,}/g
/** Letters side by side that no word has: Arabic and Latin ones, or an ending within a word. */
const IMPOSSIBLE = /\p{sc=Arab}\p{sc=Latn}|\p{sc=Latn}\p{sc=Arab}|[ةى][\u0621-\u064a]/u
/** What people write in Arabic and French with Windows-1256, besides ASCII. */
const USUAL =
  /^[\0-\x7f\u0621-\u063a\u0640-\u0652،؛؟\xa0àâçèéêëîïôùûüŒœ«»‘’“”–—…•°²×÷€\u200c-\u200f]*$/u
/** How many Arabic words make chance unlikely. */
const ARABIC_WORDS_LEAST = 3

/**
 * Windows-1256, the encoding of older Excel in Arabic: text of another one, read as if it were this,
 * has signs that nobody writes, or words of two scripts.
 */
function inWindows1256(bytes: Buffer): ListText | null {
  const text = decoded(bytes, 'windows-1256')
  if (text === null || !USUAL.test(text) || IMPOSSIBLE.test(text) || !namesColumns(text))
    return null
  const words = text.match(ARABIC_WORD)?.length ?? 0
  return words >= ARABIC_WORDS_LEAST ? { text, encoding: 'Windows-1256' } : null
}

/** Whether a text has the names of some columns that every list has. */
const namesColumns = (text: string): boolean => {
  const lower = text.toLowerCase()
  return (['reference', 'title', 'price'] satisfies Column[]).every((name) => lower.includes(name))
}

/** `{"documents": [{…}]}` is the deepest list. */
const JSON_MAX_DEPTH = 3

/**
 * Refuses a JSON text with more rows, keys or depth than a list has, or with a key twice, of which
 * only the last would be read. Reads each letter once and builds nothing else: a few megabytes of
 * brackets would become hundreds of megabytes of objects.
 */
export function refuseOddJson(text: string, most: number): void {
  const open: ('[' | '{')[] = []
  let rows = 1
  let keys = 1
  /** The keys of each open object. */
  const named: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') {
      const end = endOfString(text, at)
      if (open.at(-1) === '{' && isKey(text, end)) {
        const key = keyAt(text, at, end)
        // Rows are numbered as if a header preceded them.
        if (named.at(-1)?.has(key)) {
          throw new ImportRefused([problemOfRow(rows + 1, 'repeated_column', key)])
        }
        named.at(-1)?.add(key)
      }
      at = end
    } else if (letter === '[' || letter === '{') {
      if (letter === '{') {
        keys = 1
        named.push(new Set())
      }
      if (open.push(letter) > JSON_MAX_DEPTH) throw refused('not_json', String(lineOf(text, at)))
    } else if (letter === ']' || letter === '}') {
      if (open.pop() === '{') named.pop()
    } else if (letter === ',') {
      if (open.at(-1) === '[') rows++
      else keys++
      if (rows > most) throw refused('too_many_rows', String(most))
      if (keys > LIST_MAX_COLUMNS) throw tooManyColumns()
    }
  }
}

/** Whether a string that ends at a place is a key. */
function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return text[at] === ':'
}

/** A key without its quotes; one with a wrong escape as it stands. */
function keyAt(text: string, from: number, end: number): string {
  const written = text.slice(from, end + 1)
  try {
    return String(JSON.parse(written))
  } catch {
    return written
  }
}

/** The line (from 1) of a place in a text. */
export const lineOf = (text: string, at: number): number =>
  text.slice(0, at).split(/\r\n|\n|\r/).length

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
