import type { JobBounds } from './bounds.ts'

/** The descriptor on which a process says why it ends itself; 3 is Node's own channel. */
export const NOTE_CHANNEL = 4

/**
 * What the two threads of a process share: the processor time in milliseconds since its start at
 * which it is ended, 0 between jobs; and its largest memory in bytes.
 */
export type Shared = Float64Array<SharedArrayBuffer>

/** The message that begins a job. */
export interface JobMessage {
  /** The module's URL, and the function that it exports. */
  readonly module: string
  readonly name: string
  readonly input: unknown
  readonly bounds: JobBounds
}

/** The message that ends a job; its output is serialised by `node:v8`. */
export type JobAnswer = { readonly spentMs: number } & (
  | { readonly kind: 'done'; readonly output: Uint8Array }
  | { readonly kind: 'too much output' }
  /** `isOfMachine`: the machine failed, not the file: for example it could not be read. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isOfMachine: boolean }
)

/** Why a process ended itself. */
export interface EndNote {
  readonly why: 'time' | 'memory' | 'stuck' | 'orphaned'
  readonly spentMs: number
}
