import { type Kysely, sql } from 'kysely'
import { fromKysely, type JobWithMetadata, PgBoss, type Queue as QueueSettings } from 'pg-boss'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import { RETENTION } from '../../rules/retention.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { lock, longTransaction } from '../database/transaction.ts'

/** The schema of the library's own tables, separate from the shop's. */
export const SCHEMA = 'jobs'

const seconds = (milliseconds: number) => milliseconds / SECOND_MS

/** A worker without a heartbeat for longer than this loses its job. */
const SILENCE_MS = 15 * SECOND_MS
/** How often jobs whose worker is gone are recovered. */
const RESCUE_EVERY_MS = 10 * SECOND_MS
/** How often finished jobs are deleted. */
const SWEEP_EVERY_MS = 10 * MINUTE_MS

/** The queues; a dead-letter queue comes before the queue that names it. */
export const QUEUES = {
  /** Mails that were given up; they stay until an operator retries them. */
  failed_mail: { retentionSeconds: seconds(RETENTION.failedMails) },
  mail: {
    deadLetter: 'failed_mail',
    // After 5, 10, 20 … seconds, then hourly: about 8 hours in all.
    retryLimit: 16,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: seconds(HOUR_MS),
    heartbeatSeconds: seconds(SILENCE_MS),
    expireInSeconds: seconds(5 * MINUTE_MS),
    // The library deletes jobs that wait longer; a shop may close for a summer.
    retentionSeconds: seconds(365 * DAY_MS),
    deleteAfterSeconds: seconds(HOUR_MS),
  },
  /**
   * Lists that are checked or imported; a list that was unfinished when the shop stopped starts
   * again, however often: the import itself counts the tries that failed.
   */
  imports: {
    retryLimit: 1000,
    retryDelay: 5,
    heartbeatSeconds: seconds(SILENCE_MS),
    expireInSeconds: seconds(2 * HOUR_MS),
    deleteAfterSeconds: seconds(HOUR_MS),
  },
  /** Scheduled jobs. A failed one is not retried, since its next run is due soon. */
  clock: {
    policy: 'exclusive',
    retryLimit: 0,
    heartbeatSeconds: seconds(SILENCE_MS),
    expireInSeconds: seconds(HOUR_MS),
  },
} as const satisfies Record<string, Omit<QueueSettings, 'name'>>

export type Queue = keyof typeof QUEUES

/** Those whose jobs are done; from the others an operator takes them. */
export type WorkedQueue = Exclude<Queue, 'failed_mail'>

/** From this priority on, a job may use the workers that are reserved for urgent ones. */
export const URGENT = 100

/**
 * The workers of each queue: how many jobs run at once, and how often the workers poll. The workers
 * reserved for urgent jobs stay free even while all others hang.
 */
export const LANES = [
  { queue: 'mail', atOnce: 4, least: undefined, everyMs: SECOND_MS },
  { queue: 'mail', atOnce: 2, least: URGENT, everyMs: SECOND_MS },
  // One at a time: an import takes only the processor time that visitors leave.
  { queue: 'imports', atOnce: 1, least: undefined, everyMs: SECOND_MS },
  { queue: 'clock', atOnce: 2, least: undefined, everyMs: 5 * SECOND_MS },
] as const

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
export type Handler = (data: JobData, id: string) => Promise<void>

/** A scheduled job: each run happens once across all instances. */
export interface ScheduledJob {
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
  readonly scheduled: readonly ScheduledJob[]
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

/**
 * Creates or updates the library's tables; instances that start at the same time wait for each
 * other.
 */
export async function installJobs(database: Database): Promise<void> {
  // The library fails where two processes install it at the same time.
  await longTransaction(database, 0, async (tx) => {
    await lock(tx, 'installation of jobs')
    const boss = bossOf(database, { migrate: true })
    await boss.start()
    const queues: [string, Omit<QueueSettings, 'name'>][] = Object.entries(QUEUES)
    for (const [name, { policy, ...settings }] of queues) {
      await boss.createQueue(name, { policy, ...settings })
      // A queue of an earlier version still has that version's settings.
      await boss.updateQueue(name, settings)
    }
    await boss.stop({ graceful: false, close: false })
  })
}

/** A database for the library, which reads columns by their plain names, not in camel case. */
export function ownColumns(db: Kysely<Schema>) {
  return fromKysely(db.withoutPlugins())
}

export function bossOf(
  { kysely }: Pick<Database, 'kysely'>,
  { migrate = false, supervise = false } = {},
) {
  const boss = new PgBoss({
    db: ownColumns(kysely),
    schema: SCHEMA,
    migrate,
    supervise,
    superviseIntervalSeconds: RESCUE_EVERY_MS / SECOND_MS,
    monitorIntervalSeconds: RESCUE_EVERY_MS / SECOND_MS,
    maintenanceIntervalSeconds: SWEEP_EVERY_MS / SECOND_MS,
    // The library's schedules are in minutes; our timed tasks need seconds.
    schedule: false,
  })
  // Without a listener an error would end the process.
  boss.on('error', () => {})
  return boss
}

export async function isAnyDue(db: Kysely<Schema>): Promise<boolean> {
  // Not now(), the start of the transaction: a job that was requeued since is due, too.
  const { rows } = await sql<{ isDue: boolean }>`
    SELECT EXISTS (
      SELECT FROM ${sql.id(SCHEMA, 'job')}
      WHERE name = ANY (${LANES.map(({ queue }) => queue)}::text[])
        AND (state = 'active' OR (state IN ('created', 'retry') AND start_after <= clock_timestamp()))
    ) AS "isDue"`.execute(db)
  return rows[0]?.isDue ?? false
}

/** The jobs of a queue that wait to begin, or for another attempt. */
interface QueueLength {
  readonly queue: Queue
  readonly waiting: number
  /** When the oldest of them was queued; null if none waits. */
  readonly oldest: Date | null
}

/** Reads an index of waiting jobs alone: finished ones are kept for an hour and more. */
export async function readQueueLengths(db: Kysely<Schema>): Promise<QueueLength[]> {
  const { rows } = await sql<QueueLength>`
    SELECT queue, count(name)::integer AS waiting, min(created_on) AS oldest
    FROM unnest(${Object.keys(QUEUES)}::text[]) AS queue
    LEFT JOIN ${sql.id(SCHEMA, 'job')} ON name = queue AND state < 'active' AND NOT blocked
    GROUP BY queue`.execute(db)
  return rows
}

/** Deletes every job that names one of these users, or holds one of these texts, such as an address. */
export async function forgetJobsOf(
  db: Kysely<Schema>,
  { userIds, texts }: { userIds: readonly number[]; texts: readonly string[] },
): Promise<void> {
  await sql`
    DELETE FROM ${sql.id(SCHEMA, 'job')}
    WHERE data->>'userId' = ANY (${userIds.map(String)}::text[]) OR EXISTS (
      SELECT FROM unnest(${[...texts]}::text[]) AS held (text)
      WHERE strpos(concat(data, output, source_output), held.text) > 0)`.execute(db)
}
