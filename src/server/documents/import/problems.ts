import { LIST_MAX_COLUMNS, type NoteCode, type ProblemCode } from '../../../rules/imports.ts'
import type { Column } from './columns.ts'

export type { ProblemCode } from '../../../rules/imports.ts'

export interface ImportProblem {
  /** The row's number in a spreadsheet, the header being row 1; null for the list as a whole. */
  readonly row: number | null
  readonly column: Column | null
  readonly code: ProblemCode
  /** The value found, or the allowed values. */
  readonly detail: string
}

/** Remarks about a list, a row or a file that is not wrong. */
export interface ImportNote extends Omit<ImportProblem, 'code'> {
  readonly code: NoteCode
}

/** The list was refused; nothing of it was imported. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly problems: readonly ImportProblem[]
  readonly notes: readonly ImportNote[]

  constructor(problems: readonly ImportProblem[], notes: readonly ImportNote[] = []) {
    super(`problems of the list: ${problems.length}`)
    this.problems = problems
    this.notes = notes
  }
}

export const problemOfList = (code: ProblemCode, detail = ''): ImportProblem => ({
  row: null,
  column: null,
  code,
  detail: shownDetail(detail),
})

export const problemOfRow = (row: number, code: ProblemCode, detail = ''): ImportProblem => ({
  ...problemOfList(code, detail),
  row,
})

export const noteOf = (code: NoteCode, detail: string, row: number | null = null): ImportNote => ({
  row,
  column: null,
  code,
  detail: shownDetail(detail),
})

export const refused = (code: ProblemCode, detail = ''): ImportRefused =>
  new ImportRefused([problemOfList(code, detail)])

export const tooManyColumns = () => refused('too_many_columns', String(LIST_MAX_COLUMNS))

/** The longest shown part of what was found, in UTF-16 units. */
const DETAIL_MAX_LENGTH = 300

/**
 * The value in question, as it is stored and shown: cut where it is long, and without what the database
 * refuses in a text (NUL, half a pair of surrogates).
 */
export function shownDetail(text: string): string {
  const cut = text.length > DETAIL_MAX_LENGTH ? `${text.slice(0, DETAIL_MAX_LENGTH)}…` : text
  return cut.toWellFormed().replaceAll('\0', '\uFFFD')
}
