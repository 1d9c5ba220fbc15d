import type { ProblemCode } from './problems.ts'

/** The source of a list and of the files that it names. */
export interface ListSource {
  readList(): Promise<{ readonly bytes: Uint8Array; readonly format: 'csv' | 'json' }>
  /**
   * The absolute path and the size in bytes of a file that a row names; or the reason for refusing
   * it.
   */
  find(name: string): Promise<{ readonly path: string; readonly size: number } | ProblemCode>
}
