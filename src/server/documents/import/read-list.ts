import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, type Info, parse } from 'csv-parse'
import { array, create, type Infer, number, object, record, string, union } from 'superstruct'
import {
  LIST_CELL_MAX_LENGTH,
  LIST_MAX_BYTES,
  LIST_MAX_COLUMNS,
  LIST_MAX_ROWS,
} from '../../../rules/imports.ts'
import { inMegabytes } from '../../../rules/uploads.ts'
import { COLUMN_NAMES, type Column, REQUIRED_COLUMNS } from './columns.ts'
import { refuseLargeJson } from './large-json.ts'
import {
  type ImportProblem,
  ImportRefused,
  problemOfList,
  refused,
  tooManyColumns,
} from './problems.ts'

/** A row of a list: trimmed text, '' for an empty or missing field. */
export interface Row {
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

const Written = array(record(string(), union([string(), number()])))
const WrittenFile = object({ documents: Written })

/** The limits of a list; the operator's are the default. */
export interface ListLimits {
  /** How many documents the list may have. */
  readonly most?: number
  /** The columns that a CSV must have. */
  readonly required?: readonly Column[]
}

/** What a list holds, as plain data: its rows, or the problems for which it is not read. */
export interface ReadList {
  readonly rows: readonly Row[]
  readonly problems: readonly ImportProblem[]
}

/** How a list is written. */
export type ListFormat = 'csv' | 'json'

/**
 * Reads `catalogue.csv` (UTF-8; comma, semicolon or tab; lines that begin with # are comments) or
 * `catalogue.json` (an array of objects), given by its path or in pieces. Stops at the first limit
 * that it exceeds, so that neither time nor memory depends on what comes after. Throws nothing but
 * the errors of the disk.
 */
export async function readList(
  content: string | AsyncIterable<Uint8Array>,
  format: ListFormat,
  { most = LIST_MAX_ROWS, required = REQUIRED_COLUMNS }: ListLimits = {},
): Promise<ReadList> {
  try {
    const text = await textOf(typeof content === 'string' ? createReadStream(content) : content)
    const { columns, rows } = format === 'csv' ? await fromCsv(text, most) : fromJson(text, most)
    const problems: ImportProblem[] = []
    for (const name of columns) {
      if (!isColumn(name)) problems.push(problemOfList('unknown_column', name || '(no name)'))
    }
    // Each object of a JSON list has its own fields: a missing one is a problem of its row.
    for (const name of format === 'csv' ? required : []) {
      if (!columns.includes(name)) problems.push(problemOfList('missing_column', name))
    }
    if (rows.length === 0) problems.push(problemOfList('no_rows'))
    if (rows.length > most) problems.push(problemOfList('too_many_rows', String(most)))
    return problems.length > 0 ? { rows: [], problems } : { rows: rows.map(asRow), problems }
  } catch (error) {
    if (error instanceof ImportRefused) return { rows: [], problems: error.problems }
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

const asRow = ({ number, values }: Written): Row => ({
  number,
  values: Object.fromEntries(
    COLUMN_NAMES.map((name) => [name, cell(values[name] ?? '')]),
  ) as Row['values'],
})

function cell(text: string): string {
  const trimmed = text.trim()
  return withoutGuard(trimmed.slice(0, LIST_CELL_MAX_LENGTH).toWellFormed())
}

// An export writes an apostrophe before text that a spreadsheet would take for a formula.
const withoutGuard = (text: string): string =>
  /^'[=+\-@＝＋－＠]/u.test(text) ? text.slice(1) : text

const isColumn = (name: string): name is Column => COLUMN_NAMES.some((each) => each === name)

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > LIST_MAX_BYTES) throw refused('list_too_large', `${inMegabytes(LIST_MAX_BYTES)}`)
    read.push(piece)
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(read))
  } catch {
    throw refused('not_utf8')
  }
  refuseOddLetters(text)
  return text
}

/** Refuses what neither a spreadsheet writes as UTF-8 nor the database stores. */
function refuseOddLetters(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw refused('not_utf8')
}

interface Read {
  readonly columns: readonly string[]
  readonly rows: readonly Written[]
}

async function fromCsv(text: string, most: number): Promise<Read> {
  const parser = parse({
    delimiter: delimiterOf(text),
    // Left to itself, the library looks for one at every letter until it has found one.
    record_delimiter: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    comment: '#',
    // A title may contain a #.
    comment_no_infix: true,
    skip_empty_lines: true,
    trim: true,
    info: true,
    cast(value, { index }) {
      if (index >= LIST_MAX_COLUMNS) throw tooManyColumns()
      return value
    },
  })
  let columns: string[] | undefined
  const rows: Written[] = []
  try {
    for await (const each of Readable.from(piecesOf(Buffer.from(text))).pipe(parser)) {
      const { record, info } = each as { record: string[]; info: Info }
      if (record.every((value) => value.trim() === '')) continue
      if (!columns) {
        columns = record.map((name) => name.trim().toLowerCase())
        continue
      }
      rows.push({
        number: info.records + info.comment_lines + info.empty_lines,
        values: Object.fromEntries(columns.map((name, at) => [name, record[at] ?? ''])),
      })
      if (rows.length > most) break
    }
  } catch (error) {
    if (error instanceof CsvError) throw refused('not_readable', error.message)
    throw error
  }
  return { columns: columns ?? [], rows }
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
function delimiterOf(text: string): string {
  const header = headerOf(text)
  const counted = [',', ';', '\t'].map((each) => ({ each, count: header.split(each).length }))
  return counted.sort((one, other) => other.count - one.count)[0]?.each ?? ','
}

/** The beginning of the first line that is neither empty nor a comment. */
function headerOf(text: string): string {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (/^\s*[^#\s]/.test(line)) return line.slice(0, LIST_CELL_MAX_LENGTH)
  }
  return ''
}

function fromJson(text: string, most: number): Read {
  refuseLargeJson(text, most)
  let written: Infer<typeof Written>
  try {
    const parsed: unknown = JSON.parse(text)
    written = Array.isArray(parsed)
      ? create(parsed, Written)
      : create(parsed, WrittenFile).documents
  } catch (error) {
    throw refused('not_readable', (error as Error).message)
  }
  const rows = written.map((values, at) => ({
    // Counted as if a header preceded the rows, so that both formats number them alike.
    number: at + 2,
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, String(value)]),
    ),
  }))
  // Escapes such as \ud800 stand for letters that UTF-8 does not have.
  for (const { values } of rows) for (const value of Object.values(values)) refuseOddLetters(value)
  return { columns: [...new Set(written.flatMap((values) => Object.keys(values)))], rows }
}
