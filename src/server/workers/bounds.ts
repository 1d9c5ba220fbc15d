import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'

/**
 * The kinds of work. Each lane has processes of its own, so that nobody's drafts delay what
 * others have bought. `niceness`: by how much its priority is lower than the shop's own; 19 is the lowest.
 */
export const LANES = {
  /** What buyers read and download. */
  bought: { processes: 2, niceness: 5 },
  /** Pictures that everybody may look at: samples, covers, portraits. */
  samples: { processes: 1, niceness: 5 },
  /** What is brought and looked at before it is for sale: uploads, drafts, reviews; customers' photos. */
  drafts: { processes: 2, niceness: 5 },
  /** What nobody waits for: imports, samples and footers made ahead. */
  behind: { processes: 1, niceness: 10 },
} as const satisfies Record<string, LaneBounds>
export type LaneName = keyof typeof LANES

export interface LaneBounds {
  /** How many processes work at the same time; an account or a file is in one of them at most. */
  readonly processes: number
  readonly niceness: number
}

export const QUEUE = {
  /** How many jobs may wait; further ones are refused, those of the account with most of them first. */
  waiting: 200,
  /** How many jobs of an account may be under way: fast scrolling requests dozens of pages. */
  ofAccount: 40,
  /** How often a job is begun again whose process was ended by something else than the file. */
  tries: 3,
  /** How often a process may crash on a job before that is the file's fault. */
  crashes: 2,
  /** After this many milliseconds an unused process is ended, to release its memory. */
  idleMs: 30 * SECOND_MS,
}
export type QueueBounds = typeof QUEUE

/** What one job may take, in a process of its own. */
export const JOB = {
  /** Of processor time, in milliseconds: a busy machine does not use it up. */
  processorMs: 20 * SECOND_MS,
  /** Resident memory of the process, native and WebAssembly included, in bytes. */
  memoryBytes: 768 * 1024 ** 2,
  /** The serialised result, in bytes. */
  outputBytes: 16 * 1024 ** 2,
}
export type JobBounds = typeof JOB

/** The heap for JavaScript of a process, in megabytes; the rest of its memory is native. */
export const HEAP_MEGABYTES = 384

/** How often a process looks at what it has used, in milliseconds. */
export const WATCH_MS = 20

/** A job that has used no processor time for this long (milliseconds) is stuck, and begun again. */
export const STUCK_MS = 2 * MINUTE_MS

/** How long a caller waits for work before it is told to come back, in milliseconds. */
export const CALLER_WAITS_MS = 15 * SECOND_MS

/** After this many faults of one kind a file is not opened again for that kind of work. */
export const FAULTS_OF_FILE = 3

/** The descriptor on which a process says why it ends itself; 3 is Node's own channel. */
export const NOTE_CHANNEL = 4

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

export interface EndNote {
  readonly why: 'time' | 'memory' | 'stuck' | 'orphaned'
  readonly spentMs: number
}
