import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import {
  fromKysely,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type Queue as QueueSettings,
} from 'pg-boss'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import { STOP_GRACE_MS } from '../http/stop.ts'
import { LANES, QUEUES, type Queue, RESCUE_EVERY_MS, SCHEMA, SWEEP_EVERY_MS } from './queues.ts'

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

interface JobsOptions {
  readonly database: Pick<Database, 'kysely'>
  /** Told of what an operator should know. */
  readonly report: (line: string) => void
  /** Looks after jobs whose holder has gone, and deletes those that are done with. */
  readonly supervise?: boolean
  /** In place of the queue's own pauses between attempts, in seconds. */
  readonly retry?: Pick<QueueSettings, 'retryLimit' | 'retryDelay' | 'retryBackoff'>
}

/** Makes or updates the library's own tables; instances that start at once wait for each other. */
export async function installJobs(database: Database): Promise<void> {
  const boss = bossOf(database, { migrate: true })
  await boss.start()
  const queues: [string, Omit<QueueSettings, 'name'>][] = Object.entries(QUEUES)
  for (const [name, { policy, ...settings }] of queues) {
    await boss.createQueue(name, { policy, ...settings })
    // One of an earlier version has that version's settings.
    await boss.updateQueue(name, settings)
  }
  await boss.stop({ graceful: false, close: false })
}

function bossOf({ kysely }: Pick<Database, 'kysely'>, { migrate = false, supervise = false } = {}) {
  const boss = new PgBoss({
    db: fromKysely(kysely),
    schema: SCHEMA,
    migrate,
    supervise,
    superviseIntervalSeconds: RESCUE_EVERY_MS / SECOND_MS,
    monitorIntervalSeconds: RESCUE_EVERY_MS / SECOND_MS,
    maintenanceIntervalSeconds: SWEEP_EVERY_MS / SECOND_MS,
    // Turns are counted in seconds, which its own schedules are not.
    schedule: false,
  })
  // Without a listener an error would end the process.
  boss.on('error', () => {})
  return boss
}

/** Opens the queue; `installJobs` has been here before. */
export async function openJobs({
  database,
  report,
  supervise = true,
  retry,
}: JobsOptions): Promise<Jobs> {
  const boss = bossOf(database, { supervise })
  boss.on('error', seldom(report))
  await boss.start()
  // Known from here on: looked up within a caller's transaction, a queue would take a second
  // connection, and of many callers each might wait for another's.
  for (const queue of Object.keys(QUEUES)) await boss.findJobs(queue, { id: NO_JOB })

  const workers: string[] = []
  const timers: NodeJS.Timeout[] = []
  let running = 0
  let isStopped = false

  const wake = () => {
    for (const worker of workers) boss.notifyWorker(worker)
  }

  async function one(job: JobWithMetadata<JobData>, handle: Handler): Promise<JobResult> {
    const { id, retryCount, retryLimit } = job
    running++
    try {
      await handle(job.data)
      return { id, status: 'completed' }
    } catch (error) {
      const { isFinal, details } = error instanceof JobFailed ? error : new JobFailed('', {})
      const reason = error instanceof Error ? error.message : String(error)
      if (isFinal || retryCount >= retryLimit) report(`A job was given up (${job.name}): ${reason}`)
      return { id, status: isFinal ? 'deadletter' : 'failed', output: { ...details, reason } }
    } finally {
      running--
      // There may be more: workers that have done something do not wait for their next look.
      wake()
    }
  }

  async function list(queue: Queue, db: Kysely<Schema> = database.kysely): Promise<ListedJob[]> {
    const jobs = await boss.findJobs<JobData>(queue, { db: fromKysely(db) })
    return jobs
      .filter(({ state }) => state === 'created' || state === 'retry' || state === 'active')
      .sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
      .map(({ id, data, priority, createdOn, sourceOutput }) => {
        return { id, data, priority, createdOn, failure: sourceOutput as JobData | null }
      })
  }

  async function take({ name, everyMs }: Turn): Promise<void> {
    const slot = everyMs / SECOND_MS
    const options = {
      singletonKey: name,
      singletonSeconds: slot,
      // It says that this turn is taken, so it outlasts the turn.
      deleteAfterSeconds: 2 * slot,
    }
    if (!isStopped && (await boss.send('clock', { name }, options))) wake()
  }

  return {
    async enqueue(db, queue, data, priority = 0) {
      await boss.send(queue, data, { ...retry, priority, db: fromKysely(db) })
    },
    async release() {
      for (const { queue } of LANES) {
        const jobs = await boss.findJobs(queue)
        const held = jobs.filter(({ state }) => state === 'active').map(({ id }) => id)
        if (held.length === 0) continue
        await transaction(database, async (tx) => {
          const options = { db: fromKysely(tx) }
          await boss.cancel(queue, held, options)
          // A turn of the clock comes again by itself.
          if (queue === 'mail') await boss.resume(queue, held, options)
        })
      }
    },
    async start({ mail, turns }) {
      const handlers: Partial<Record<Queue, Handler>> = {
        mail,
        clock: async ({ name }) => {
          await turns.find((turn) => turn.name === name)?.run()
        },
      }
      for (const { queue, atOnce, least, everyMs } of LANES) {
        const handle = handlers[queue]
        if (!handle) continue
        const worker = await boss.work(
          queue,
          {
            includeMetadata: true,
            perJobResults: true,
            localConcurrency: atOnce,
            minPriority: least,
            pollingIntervalSeconds: everyMs / SECOND_MS,
          },
          (jobs: JobWithMetadata<JobData>[]) => Promise.all(jobs.map((job) => one(job, handle))),
        )
        workers.push(worker)
      }
      for (const turn of turns) {
        const round = () => void take(turn).catch(seldom(report))
        round()
        timers.push(setInterval(round, turn.everyMs).unref())
      }
    },
    async idle() {
      while (running > 0 || (await isAnyDue(database.kysely))) {
        wake()
        await wait(5)
      }
    },
    list,
    async exportWaiting(db) {
      const of = async (queue: WaitingJob['queue']) =>
        (await list(queue, db)).map(({ data, priority }) => ({ queue, data, priority }))
      return [...(await of('mail')), ...(await of('failed_mail'))]
    },
    async importWaiting(db, waiting) {
      for (const [queue, jobs] of Map.groupBy(waiting, ({ queue }) => queue)) {
        const jobsOfQueue = jobs.map(({ data, priority }) => ({ data, priority }))
        await boss.insert(queue, jobsOfQueue, { db: fromKysely(db) })
      }
    },
    sendAgain: (ids) => boss.redrive('failed_mail', { destination: 'mail', ids: [...ids] }),
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      const done = Promise.all(LANES.map(({ queue }) => boss.offWork(queue, { wait: true })))
      await Promise.race([done, wait(STOP_GRACE_MS, undefined, { ref: false })])
      // What is still being done counts as failed, and is done again.
      await boss.stop({ graceful: false, close: false })
    },
  }
}

const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** Whether a worker should have something to do. */
async function isAnyDue(db: Kysely<Schema>): Promise<boolean> {
  // Not now(): what was put back since this statement began is seen, and is due.
  const { rows } = await sql<{ isDue: boolean }>`
    SELECT EXISTS (
      SELECT FROM ${sql.id(SCHEMA, 'job')}
      WHERE name = ANY (${LANES.map(({ queue }) => queue)}::text[])
        AND (state = 'active' OR (state IN ('created', 'retry') AND start_after <= clock_timestamp()))
    ) AS "isDue"`.execute(db)
  return rows[0]?.isDue ?? false
}

/** Reports an error once a minute at most: a database that is away fails every look. */
function seldom(report: (line: string) => void): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - last < MINUTE_MS) return
    last = performance.now()
    report(`Jobs wait: ${error instanceof Error ? error.message : String(error)}`)
  }
}
