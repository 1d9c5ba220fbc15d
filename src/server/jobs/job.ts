import type { JobWithMetadata } from 'pg-boss'

/** The data of a job, stored as JSON. */
export type JobData = Record<string, unknown>

/** A failed job, with `details` that are stored for later investigation. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
  readonly details: JobData
  /** Another attempt would be useless. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, ...details }: JobData & { isFinal?: boolean }) {
    super(message)
    this.isFinal = isFinal
    this.details = details
  }
}

/** Does a job; must be repeatable, since a failed attempt is repeated. */
export type Handler = (data: JobData) => Promise<void>

/** A timed task: each turn runs once across all instances. */
export interface Turn {
  readonly name: string
  readonly everyMs: number
  run(): Promise<unknown>
}

export interface Work {
  readonly mail: Handler
  /** Undefined if another process works on imports. */
  readonly imports?: Handler
  /** Ends an import whose job is set aside, because the process ended twice during it. */
  readonly giveUpImport?: Handler
  readonly turns: readonly Turn[]
}

export type ListedJob = Pick<JobWithMetadata<JobData>, 'id' | 'data' | 'priority' | 'createdOn'> & {
  /** The details of the last attempt of a job that was given up; otherwise null. */
  readonly failure: JobData | null
}

/** A mail in a backup. */
export interface WaitingJob {
  readonly queue: 'mail' | 'failed_mail'
  readonly data: JobData
  readonly priority: number
}
