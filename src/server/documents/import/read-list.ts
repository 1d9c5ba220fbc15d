import { type CsvError, type Info, parse } from 'csv-parse/sync'
import { array, create, type Infer, number, object, record, string, union } from 'superstruct'
import { COLUMN_NAMES, type Column, REQUIRED_COLUMNS } from './columns.ts'
import { type ImportProblem, ImportRefused, problemOfList } from './problems.ts'

/** How many documents a list may have; one transaction writes them all. */
export const LIST_MAX_ROWS = 5000

/** A row of a list: trimmed text, '' for an empty or missing field. */
export interface Row {
  /** The row's number in a spreadsheet, the header being row 1. */
  readonly number: number
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

/**
 * The rows of `catalogue.csv` (UTF-8; comma, semicolon or tab; lines that begin with # are
 * comments) or `catalogue.json` (an array of objects). Throws `ImportRefused` if the file is
 * neither.
 */
export function readList(
  bytes: Uint8Array,
  format: 'csv' | 'json',
  { most = LIST_MAX_ROWS, required = REQUIRED_COLUMNS }: ListLimits = {},
): Row[] {
  const text = textOf(bytes)
  const { columns, rows } = format === 'csv' ? fromCsv(text) : fromJson(text)
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
  if (problems.length > 0) throw new ImportRefused(problems)
  return rows.map(({ number, values }) => ({
    number,
    values: Object.fromEntries(
      COLUMN_NAMES.map((name) => [name, withoutGuard((values[name] ?? '').trim())]),
    ) as Row['values'],
  }))
}

// An export writes an apostrophe before text that a spreadsheet would take for a formula.
const withoutGuard = (text: string): string =>
  /^'[=+\-@＝＋－＠]/u.test(text) ? text.slice(1) : text

const isColumn = (name: string): name is Column => COLUMN_NAMES.some((each) => each === name)

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ImportRefused([problemOfList('not_utf8')])
  }
}

interface Read {
  readonly columns: readonly string[]
  readonly rows: readonly Written[]
}

function fromCsv(text: string): Read {
  let columns: string[] = []
  try {
    const records = parse(text, {
      columns: (names: string[]) => {
        columns = names.map((name) => name.trim().toLowerCase())
        return columns
      },
      delimiter: delimiterOf(text),
      comment: '#',
      // A title may contain a #.
      comment_no_infix: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      bom: true,
      trim: true,
      info: true,
    }) as unknown as { record: Record<string, string>; info: Info }[]
    const rows = records.map(({ record: values, info }) => ({
      number: info.records + info.comment_lines + info.empty_lines + 1,
      values,
    }))
    return { columns, rows }
  } catch (error) {
    throw new ImportRefused([problemOfList('not_readable', (error as CsvError).message)])
  }
}

/** The delimiter, found in the header alone: a price such as 12,5 would mislead. */
function delimiterOf(text: string): string {
  const names =
    text.split(/\r?\n/).find((line) => /^\s*[^#\s]/.test(line.replace(/^\uFEFF/, ''))) ?? ''
  const counted = [',', ';', '\t'].map((each) => ({ each, count: names.split(each).length }))
  return counted.sort((one, other) => other.count - one.count)[0]?.each ?? ','
}

function fromJson(text: string): Read {
  let written: Infer<typeof Written>
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    written = Array.isArray(parsed)
      ? create(parsed, Written)
      : create(parsed, WrittenFile).documents
  } catch (error) {
    throw new ImportRefused([problemOfList('not_readable', (error as Error).message)])
  }
  const rows = written.map((values, at) => ({
    // Counted as if a header preceded the rows, so that both formats number them alike.
    number: at + 2,
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, String(value)]),
    ),
  }))
  return { columns: [...new Set(written.flatMap((values) => Object.keys(values)))], rows }
}
