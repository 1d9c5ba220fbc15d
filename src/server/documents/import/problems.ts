import type { Column } from './columns.ts'

/** What is wrong with a list, a row of it, or a file that a row names. */
export type ProblemCode =
  | 'not_utf8'
  | 'not_readable'
  | 'unknown_column'
  | 'missing_column'
  | 'no_rows'
  | 'too_many_rows'
  | 'required'
  | 'too_long'
  | 'not_listed'
  | 'ambiguous'
  | 'not_an_amount'
  | 'price_out_of_range'
  | 'discount_out_of_range'
  | 'not_an_email'
  | 'repeated'
  | 'new_teacher_without_name'
  | 'not_a_teacher'
  | 'other_teacher'
  | 'state_impossible'
  | 'outside_folder'
  | 'file_missing'
  | 'bad_file'

export interface ImportProblem {
  /** As a spreadsheet numbers it, the row of names being 1; null: the list as a whole. */
  readonly row: number | null
  readonly column: Column | null
  readonly code: ProblemCode
  /** What is there, what is allowed, or what a library says. */
  readonly detail: string
}

/** A list that is not imported; nothing of it was. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly problems: readonly ImportProblem[]

  constructor(problems: readonly ImportProblem[]) {
    super(`the list has ${problems.length} problems`)
    this.problems = problems
  }
}
