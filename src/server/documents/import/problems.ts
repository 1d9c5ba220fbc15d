import type { ProblemCode } from '../../../rules/imports.ts'
import type { Column } from './columns.ts'

export type { ProblemCode } from '../../../rules/imports.ts'

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

/** What is wrong with a list as a whole. */
export const problemOfList = (code: ProblemCode, detail = ''): ImportProblem => ({
  row: null,
  column: null,
  code,
  detail,
})
