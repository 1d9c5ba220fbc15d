import type { ProblemCode } from './problems.ts'
import type { ListFormat } from './read-list.ts'

/** The source of a list and of the files that it names. */
export interface ListSource {
  /** The absolute path at which the list can be read. */
  findList(): Promise<{ readonly path: string; readonly format: ListFormat }>
  /**
   * The absolute path and the size in bytes of a file that a row names; or the reason for refusing
   * it.
   */
  find(name: string): Promise<{ readonly path: string; readonly size: number } | ProblemCode>
}
