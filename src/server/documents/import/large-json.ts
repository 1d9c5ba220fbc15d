import { LIST_MAX_COLUMNS } from '../../../rules/imports.ts'
import { refused, tooManyColumns } from './problems.ts'

/** `{"documents": [{…}]}` is the deepest list. */
const JSON_MAX_DEPTH = 3

/**
 * Refuses a JSON text with more rows, keys or depth than a list has. Reads each letter once and
 * builds nothing: a few megabytes of brackets would become hundreds of megabytes of objects.
 */
export function refuseLargeJson(text: string, most: number): void {
  const open: ('[' | '{')[] = []
  let rows = 1
  let keys = 1
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') {
      at = endOfString(text, at)
    } else if (letter === '[' || letter === '{') {
      if (letter === '{') keys = 1
      if (open.push(letter) > JSON_MAX_DEPTH) throw refused('not_readable', `${open.join('')}…`)
    } else if (letter === ']' || letter === '}') {
      open.pop()
    } else if (letter === ',') {
      if (open.at(-1) === '[') rows++
      else keys++
      if (rows > most) throw refused('too_many_rows', String(most))
      if (keys > LIST_MAX_COLUMNS) throw tooManyColumns()
    }
  }
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
