import type { ProblemCode } from './problems.ts'

/** Where a list and the files that it names come from. */
export interface ListSource {
  readList(): Promise<{ readonly bytes: Uint8Array; readonly format: 'csv' | 'json' }>
  /** The absolute path of a file that a row names, and its size in bytes; or why it is not taken. */
  find(name: string): Promise<{ readonly path: string; readonly size: number } | ProblemCode>
}
