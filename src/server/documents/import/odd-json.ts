import { LIST_MAX_COLUMNS } from '../../../rules/imports.ts'
import { ImportRefused, problemOfRow, refused, tooManyColumns } from './problems.ts'

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
