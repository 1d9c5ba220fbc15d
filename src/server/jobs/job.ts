import type { Kysely } from 'kysely'
import type { JobWithMetadata } from 'pg-boss'
import type { Schema } from '../database/schema.ts'
import type { Queue } from './queues.ts'

/** What a job carries; it is kept as JSON. */
export type JobData = Record<string, unknown>

/** Why a job failed, for who looks at it later. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
  readonly details: JobData
  /** Trying again is useless. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, ...details }: JobData & { isFinal?: boolean }) {
    super(message)
    this.isFinal = isFinal
    this.details = details
  }
}

/** Does one job; another attempt may do it again. */
export type Handler = (data: JobData) => Promise<void>

/** What runs every so often, by one instance at a time and once over all of them. */
export interface Turn {
  readonly name: string
  readonly everyMs: number
  run(): Promise<unknown>
}

export interface Work {
  readonly mail: Handler
  readonly turns: readonly Turn[]
}

/** The jobs that wait in PostgreSQL. */
export interface Jobs {
  /**
   * Puts a job into the transaction that causes it: rolled back, there is none. The greatest
   * priority goes first. No NOTIFY is sent: workers look for themselves.
   */
  enqueue(db: Kysely<Schema>, queue: Queue, data: JobData, priority?: number): Promise<void>
  /**
   * Takes back what a process that was killed had in hand. For who knows to be alone: instances of a
   * shop that has several are waited for until they have been silent for 15 seconds.
   */
  release(): Promise<void>
  /** Does jobs from now on, until `stop`. */
  start(work: Work): Promise<void>
  /** Resolves when nothing is due or being done; what waits for another attempt is not due. */
  idle(): Promise<void>
  /** What waits or was given up, oldest first. */
  list(queue: Queue, db?: Kysely<Schema>): Promise<ListedJob[]>
  /** Gives jobs of `failed_mail` back to `mail`; answers how many. */
  sendAgain(ids: readonly string[]): Promise<number>
  /** Every mail that waits or was given up, as plain data: the library's tables are in no backup. */
  exportWaiting(db?: Kysely<Schema>): Promise<WaitingJob[]>
  /** Puts such mails into a queue that does not have them; why some were given up is not known. */
  importWaiting(db: Kysely<Schema>, waiting: readonly WaitingJob[]): Promise<void>
  /** Takes no more jobs and waits for those being done, 10 seconds at most; others do the rest. */
  stop(): Promise<void>
}

export type ListedJob = Pick<JobWithMetadata<JobData>, 'id' | 'data' | 'priority' | 'createdOn'> & {
  /** What the last attempt left, where the job was given up. */
  readonly failure: JobData | null
}

/** A mail in a backup. */
export interface WaitingJob {
  readonly queue: 'mail' | 'failed_mail'
  readonly data: JobData
  readonly priority: number
}
