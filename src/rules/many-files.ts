import { DOCUMENT_FIELDS, isAllowed, TITLE_MAX_LENGTH } from './document-fields.ts'
import { type Millimes, roundDownTo } from './money.ts'

// Papers that a teacher drops into the office together: their names, and a table pasted over them.

/** The most documents that begin together; the shop allows more drafts than that. */
export const MANY_FILES_MAX = 50

/** The largest ZIP that the browser unpacks (bytes): it holds the whole file in memory. */
export const MANY_ARCHIVE_MAX_BYTES = 200 * 1024 * 1024

/** A title from the name of a file, such as `devoir_controle_1.pdf` in a folder of a ZIP. */
export function titleOfFile(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1)
  const dot = own.lastIndexOf('.')
  const words = (dot > 0 ? own.slice(0, dot) : own)
    .normalize('NFC')
    .replace(/[_\s]+/g, ' ')
    .trim()
  return isAllowed(DOCUMENT_FIELDS.title, words)
    ? words
    : [...words].slice(0, TITLE_MAX_LENGTH).join('')
}

/** The cells of a pasted column, of a table its first; null where a single cell was pasted. */
export function pastedColumn(text: string): string[] | null {
  const all = text.split(/\r\n|\r|\n/)
  const lines = all.slice(0, all.findLastIndex((line) => line !== '') + 1)
  return lines.length > 1 ? lines.map((line) => (line.split('\t', 1)[0] ?? '').trim()) : null
}

/** The price of a file by its pages, in steps of a tenth of a dinar. */
export const priceByPages = (each: Millimes, pages: number): Millimes =>
  roundDownTo(100, each * pages)
