import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, type Info, parse } from 'csv-parse'
import * as s from 'superstruct'
import {
  LIST_CELL_MAX_LENGTH,
  LIST_MAX_COLUMNS,
  LIST_MAX_ROWS,
  REMARKS_SHOWN,
} from '../../../rules/imports.ts'
import { isBlank, plainColumn, plainSigns, withoutOverrides } from '../../../rules/pasted-text.ts'
import { COLUMN_NAMES, type Column, REQUIRED_COLUMNS } from './columns.ts'
import { lineOf, readListText, refuseOddJson, refuseOddLetters } from './list-text.ts'
import {
  type ImportNote,
  type ImportProblem,
  ImportRefused,
  noteOf,
  type ProblemCode,
  problemOfList,
  problemOfRow,
  refused,
  tooManyColumns,
} from './problems.ts'

/** A row of a list: trimmed text, '' for an empty or missing field. */
export interface ListRow {
  /** The row's number in a spreadsheet, the header being row 1. */
  readonly number: number
  /** Cut at `LIST_CELL_MAX_LENGTH`, above the limit of every column. */
  readonly values: Readonly<Record<Column, string>>
}

/** A row as written: a record of a CSV, or an object of a JSON file. */
interface Written {
  readonly number: number
  readonly values: Readonly<Record<string, string>>
}

const Written = s.array(s.record(s.string(), s.union([s.string(), s.number()])))
const WrittenFile = s.object({ documents: Written })

/** The limits of a list; the operator's are the default. */
export interface ListLimits {
  /** How many documents the list may have. */
  readonly most?: number
  /** The columns that a CSV must have. */
  readonly required?: readonly Column[]
}

/**
 * What a list holds, as plain data: its rows, or the problems for which it is not read. Each of its
 * lines that has anything is a row, or named by a note.
 */
export interface ReadList {
  readonly rows: readonly ListRow[]
  readonly problems: readonly ImportProblem[]
  readonly notes: readonly ImportNote[]
}

export type ListFormat = 'csv' | 'json'

/**
 * Reads `catalogue.csv` (comma, semicolon or tab) or `catalogue.json` (an array of objects), given
 * by its path or in pieces. Lines that begin with # are remarks where they cannot be documents: above
 * the names of the columns, or with nothing in any other cell. Stops at the first limit that it
 * exceeds, so that neither time nor memory depends on what comes after. Throws nothing but the
 * errors of the disk.
 */
export async function readList(
  content: string | AsyncIterable<Uint8Array>,
  format: ListFormat,
  { most = LIST_MAX_ROWS, required = REQUIRED_COLUMNS }: ListLimits = {},
): Promise<ReadList> {
  try {
    const pieces = typeof content === 'string' ? createReadStream(content) : content
    const { text, encoding } = await readListText(pieces)
    const read = format === 'csv' ? await fromCsv(text, most) : fromJson(text, most)
    const { columns, rows } = read
    const problems: ImportProblem[] = [...read.problems]
    for (const name of new Set(columns)) {
      if (name !== '' && !isColumn(name)) problems.push(problemOfList('unknown_column', name))
      const isRepeated = columns.indexOf(name) !== columns.lastIndexOf(name)
      if (name !== '' && isRepeated) problems.push(problemOfList('repeated_column', name))
    }
    // Each object of a JSON list has its own fields: a missing one is a problem of its row.
    for (const name of format === 'csv' ? required : []) {
      if (!columns.includes(name)) problems.push(problemOfList('missing_column', name))
    }
    if (read.isTooLong) problems.push(problemOfList('too_many_rows', String(most)))
    else if (rows.length === 0) problems.push(problemOfList('no_rows'))
    const notes = [...(encoding ? [noteOf('read_as', encoding)] : []), ...read.notes]
    return { rows: problems.length > 0 ? [] : rows.map(asRow), problems, notes }
  } catch (error) {
    if (error instanceof ImportRefused) {
      const { problems, notes } = error
      return { rows: [], problems, notes }
    }
    throw error
  }
}

/** The same of a file (absolute path), as a task of a child process. */
export function readListFile({
  path,
  format,
  limits,
}: {
  path: string
  format: ListFormat
  limits: ListLimits
}): Promise<ReadList> {
  return readList(path, format, limits)
}

const asRow = ({ number, values }: Written): ListRow => ({
  number,
  values: Object.fromEntries(
    COLUMN_NAMES.map((name) => [name, cell(values[name] ?? '')]),
  ) as ListRow['values'],
})

function cell(text: string): string {
  const trimmed = text.trim().slice(0, LIST_CELL_MAX_LENGTH).toWellFormed()
  return withoutGuard(withoutOverrides(trimmed))
}

// An export writes an apostrophe before text that a spreadsheet would take for a formula.
const withoutGuard = (text: string): string =>
  /^'[=+\-@＝＋－＠]/u.test(text) ? text.slice(1) : text

const isColumn = (name: string): name is Column => COLUMN_NAMES.some((each) => each === name)

interface Read {
  /** As written, in one spelling; '' for one without a name. */
  readonly columns: readonly string[]
  readonly rows: readonly Written[]
  readonly problems: readonly ImportProblem[]
  readonly notes: readonly ImportNote[]
  /** Whether it was not read to its end. */
  readonly isTooLong: boolean
}

/** How many rows are read, with those that have nothing and remarks; each costs some time. */
const RECORDS_MAX = 4 * LIST_MAX_ROWS

/** The name of a column as people write it: `Teacher e-mail`, with marks that nobody sees. */
const columnName = (text: string): string =>
  plainColumn(text.slice(0, LIST_CELL_MAX_LENGTH)).replaceAll(' ', '_')

async function fromCsv(text: string, most: number): Promise<Read> {
  const above = aboveHeader(text)
  const delimiter = above.delimiter ?? delimiterOf(lineAt(text, above.end))
  const parser = parse({
    delimiter,
    // Left to itself, the library looks for one at every letter until it has found one.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    // Spreadsheets leave out cells at the end of a row, or add some to all.
    relax_column_count: true,
    trim: true,
    info: true,
    cast(value, { index }) {
      if (index >= LIST_MAX_COLUMNS) throw tooManyColumns()
      return value
    },
  })
  let columns: string[] | undefined
  const rows: Written[] = []
  const problems: ImportProblem[] = []
  const notes: ImportNote[] = above.remarks === null ? [] : [noteOf('lines_above', above.remarks)]
  let remarks = 0
  let isTooLong = false
  try {
    const rest = Buffer.from(text.slice(above.end, endOfCells(text, delimiter)))
    for await (const each of Readable.from(piecesOf(rest)).pipe(parser)) {
      const { record, info } = each as { record: string[]; info: Info }
      isTooLong ||= info.records > RECORDS_MAX
      if (isTooLong) break
      if (record.every(isBlank)) continue
      if (!columns) {
        columns = record.map(columnName)
        continue
      }
      const row = above.rows + info.records + info.empty_lines
      const [first = '', ...others] = record
      if (
        plainSigns(first.slice(0, LIST_CELL_MAX_LENGTH)).startsWith('#') &&
        others.every(isBlank)
      ) {
        if (++remarks <= REMARKS_SHOWN) notes.push(noteOf('remark', first, row))
        continue
      }
      const nameless = record.find((value, at) => !columns?.[at] && !isBlank(value))
      if (nameless !== undefined) problems.push(problemOfRow(row, 'unnamed_column', nameless))
      rows.push({
        number: row,
        values: Object.fromEntries(columns.map((name, at) => [name, record[at] ?? ''])),
      })
      isTooLong = rows.length > most
      if (isTooLong) break
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const row = above.rows + numberIn(error.records) + numberIn(error.empty_lines) + 1
    throw new ImportRefused([problemOfRow(row, CSV_FAULTS[error.code] ?? 'not_readable')], notes)
  }
  const unsaid = remarks - REMARKS_SHOWN
  if (unsaid > 0) notes.push(noteOf('more_remarks', String(unsaid)))
  return { columns: columns ?? [], rows, problems, notes, isTooLong }
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** What the library finds wrong with a cell. */
const CSV_FAULTS: Readonly<Record<string, ProblemCode>> = {
  CSV_QUOTE_NOT_CLOSED: 'quote_not_closed',
  INVALID_OPENING_QUOTE: 'quote_in_cell',
  CSV_INVALID_CLOSING_QUOTE: 'quote_in_cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'quote_in_cell',
}

/** What is above the names of the columns. */
interface Above {
  /** Where the names begin in the text. */
  readonly end: number
  /** How many rows of a spreadsheet are above. */
  readonly rows: number
  /** The rows that begin with #, such as `1–21`; null if there are none. */
  readonly remarks: string | null
  /** Excel's own first line, `sep=;`, which it does not show as a row. */
  readonly delimiter: string | null
}

const SEPARATOR = /^\p{Cf}*"?sep=([,;\t])"?[,;\t]*$/iu
const UNSEEN_AT_START = /^[\s\p{Cf}]+/u
const EMPTY = /^[\s\p{Cf},;"]*$/u

/**
 * Reads the lines above the names of the columns. A remark may be quoted, as spreadsheets do where
 * it has a comma; it may have any quotes where it is not.
 */
function aboveHeader(text: string): Above {
  let [end, rows] = [0, 0]
  let delimiter: string | null = null
  const remarks: number[] = []
  while (end < text.length) {
    const line = lineAt(text, end)
    const separator = end === 0 ? SEPARATOR.exec(line) : null
    const seen = line.replace(UNSEEN_AT_START, '')
    const isQuoted = seen.startsWith('"')
    const isRemark = (isQuoted ? seen.slice(1).replace(UNSEEN_AT_START, '') : seen).startsWith('#')
    if (separator) delimiter = separator[1] ?? null
    else if (!isRemark && !EMPTY.test(seen)) break
    else rows++
    if (isRemark) remarks.push(rows)
    const next = isRemark && isQuoted ? afterQuoted(text, end) : end + line.length
    end = next + (text.startsWith('\r\n', next) ? 2 : 1)
  }
  const [first, last] = [remarks[0], remarks.at(-1)]
  const named = first === last ? `${first}` : `${first}–${last}`
  return { end, rows, remarks: first === undefined ? null : named, delimiter }
}

/** The line of a text that begins at a place, without its end. */
function lineAt(text: string, from: number): string {
  let end = from
  while (end < text.length && text[end] !== '\r' && text[end] !== '\n') end++
  return text.slice(from, end)
}

/** The end of the last cell that has anything: spreadsheets may write thousands of empty rows. */
function endOfCells(text: string, delimiter: string): number {
  let end = text.length
  while (end > 0 && (text[end - 1] === delimiter || /\s/.test(text.charAt(end - 1)))) end--
  return end
}

/** The end of the line in which the quotes that are open at a place are closed. */
function afterQuoted(text: string, from: number): number {
  let isOpen = false
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') isOpen = !isOpen
    else if (!isOpen && (text[at] === '\r' || text[at] === '\n')) return at
  }
  return isOpen ? from + lineAt(text, from).length : text.length
}

/** Pieces of a text, between which the process does what else waits. */
async function* piecesOf(bytes: Buffer): AsyncIterable<Buffer> {
  const size = 64 * 1024
  for (let from = 0; from < bytes.length; from += size) {
    yield bytes.subarray(from, from + size)
    await setImmediate()
  }
}

/** The delimiter, found in the header alone: a price such as 12,5 would mislead. */
function delimiterOf(header: string): string {
  const names = header.slice(0, LIST_CELL_MAX_LENGTH)
  const counted = [',', ';', '\t'].map((each) => ({ each, count: names.split(each).length }))
  return counted.sort((one, other) => other.count - one.count)[0]?.each ?? ','
}

function fromJson(text: string, most: number): Read {
  refuseOddJson(text, most)
  const written = writtenIn(text)
  const problems: ImportProblem[] = []
  const rows = written.map((values, at) => {
    // Counted as if a header preceded the rows, so that both formats number them alike.
    const row = at + 2
    const named = Object.entries(values).map(([name, value]) => [columnName(name), String(value)])
    const names = named.map(([name = '']) => name)
    for (const name of new Set(names)) {
      if (names.indexOf(name) === names.lastIndexOf(name)) continue
      problems.push(problemOfRow(row, 'repeated_column', name))
    }
    return { number: row, values: Object.fromEntries(named) as Record<string, string> }
  })
  // Escapes such as \ud800 stand for letters that UTF-8 does not have.
  for (const { values } of rows) for (const value of Object.values(values)) refuseOddLetters(value)
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  return { columns, rows, problems, notes: [], isTooLong: rows.length > most }
}

function writtenIn(text: string): s.Infer<typeof Written> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw refused('not_json', String(lineOfFault(text, error as Error)))
  }
  try {
    return Array.isArray(parsed)
      ? s.create(parsed, Written)
      : s.create(parsed, WrittenFile).documents
  } catch (error) {
    if (!(error instanceof s.StructError)) throw error
    const path: unknown[] = Array.isArray(parsed) ? error.path : error.path.slice(1)
    const [at, name] = path
    if (typeof at !== 'number') throw refused('not_json', '1')
    throw new ImportRefused([problemOfRow(at + 2, 'not_text', String(name ?? ''))])
  }
}

/** The line (from 1) of a mistake, which the engine only tells in its message; else the last one. */
function lineOfFault(text: string, { message }: Error): number {
  const place = /position (\d+)/.exec(message)?.[1]
  return lineOf(text, place === undefined ? text.length : Number(place))
}
