import type { JobWithMetadata } from 'pg-boss'

/** What a job carries; it is kept as JSON. */
export type JobData = Record<string, unknown>

/** Why a job failed, for whoever looks at it later. */
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
  /** Left out: another process does these. */
  readonly imports?: Handler
  readonly turns: readonly Turn[]
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
