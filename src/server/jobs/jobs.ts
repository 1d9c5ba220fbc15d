import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { JobResult, JobWithMetadata, Queue as QueueSettings } from 'pg-boss'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import { STOP_GRACE_MS } from '../http/stop.ts'
import {
  bossOf,
  type Handler,
  isAnyDue,
  type JobData,
  JobFailed,
  LANES,
  type ListedJob,
  ownColumns,
  QUEUES,
  type Queue,
  type ScheduledJob,
  type WaitingJob,
  type Work,
  type WorkedQueue,
} from './queues.ts'

export {
  forgetJobsOf,
  type Handler,
  installJobs,
  JobFailed,
  type ListedJob,
  readQueueLengths,
  SCHEMA,
  URGENT,
  type WaitingJob,
} from './queues.ts'

interface JobsOptions {
  readonly database: Pick<Database, 'kysely'>
  readonly report: (line: string) => void
  /**
   * Whether this process recovers jobs whose worker is gone, and deletes finished jobs; by default
   * it does.
   */
  readonly supervise?: boolean
  /** Replaces the queue's pauses between attempts, in seconds. */
  readonly retry?: Pick<QueueSettings, 'retryLimit' | 'retryDelay' | 'retryBackoff'>
}

export type Jobs = Awaited<ReturnType<typeof openJobs>>

export async function openJobs({ database, report, supervise = true, retry }: JobsOptions) {
  const boss = bossOf(database, { supervise })
  const reportSeldom = oncePerMinute(report)
  const isBusy = busyMeter()
  const deaths = deathCounter(database)
  boss.on('error', reportSeldom)
  await boss.start()
  // The library looks up a queue at its first use. Within a caller's transaction that would take a
  // second connection, and callers could deadlock on the pool.
  for (const queue of Object.keys(QUEUES)) await boss.findJobs(queue, { id: NO_JOB })

  const workers: { readonly id: string; readonly queue: Queue }[] = []
  const timers: NodeJS.Timeout[] = []
  /** The queues of the jobs that this process is doing, by job. */
  const underWay = new Map<string, string>()
  let running = 0
  let isStopped = false

  const wake = (only?: Queue) => {
    for (const { id, queue } of workers) {
      if (only === undefined || queue === only) boss.notifyWorker(id)
    }
  }

  async function handleOne(
    job: JobWithMetadata<JobData>,
    handle: Handler,
    giveUp?: Handler,
  ): Promise<JobResult> {
    const { id, retryCount, retryLimit } = job
    running++
    underWay.set(id, job.name)
    try {
      await deaths.refuseDeadly(job, giveUp)
      await handle(job.data, id)
      return { id, status: 'completed' }
    } catch (error) {
      const { isFinal, details } = error instanceof JobFailed ? error : new JobFailed('', {})
      const reason = reasonOf(error)
      if (isFinal || retryCount >= retryLimit) report(`A job was given up (${job.name}): ${reason}`)
      return { id, status: isFinal ? 'deadletter' : 'failed', output: { ...details, reason } }
    } finally {
      running--
      underWay.delete(id)
      // A busy worker should not wait for its next poll if there are more jobs. Not after a mail:
      // mails cause no jobs of other queues, and each sale causes a mail, so that sending them at
      // once would slow down a rush of sales.
      if (job.name !== 'mail') wake()
      else if (!isBusy()) wake('mail')
    }
  }

  /** The unfinished jobs of a queue, oldest first. */
  async function list(queue: Queue, db: Kysely<Schema> = database.kysely): Promise<ListedJob[]> {
    const jobs = await boss.findJobs<JobData>(queue, { db: ownColumns(db) })
    return jobs
      .filter(({ state }) => state === 'created' || state === 'retry' || state === 'active')
      .sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
      .map(({ id, data, priority, createdOn, sourceOutput }) => {
        return { id, data, priority, createdOn, failure: sourceOutput as JobData | null }
      })
  }

  async function queueScheduled({ name, everyMs }: ScheduledJob): Promise<void> {
    const slot = everyMs / SECOND_MS
    const options = {
      singletonKey: name,
      singletonSeconds: slot,
      // The finished job marks the run as done, so it has to outlast the interval.
      deleteAfterSeconds: 2 * slot,
    }
    // Counted as running while it is being queued, so that `idle` waits for it.
    running++
    try {
      if (!isStopped && (await boss.send('clock', { name }, options))) wake('clock')
    } catch (error) {
      reportSeldom(error)
    } finally {
      running--
    }
  }

  return {
    /**
     * Queues a job in the transaction that causes it; jobs with the highest priority run first.
     * Sends no NOTIFY: workers poll.
     */
    async enqueue(db: Kysely<Schema>, queue: Queue, data: JobData, priority = 0): Promise<void> {
      await boss.send(queue, data, { ...retry, priority, db: ownColumns(db) })
    },
    /**
     * Requeues the jobs that a killed process was working on. Only for a shop with one instance;
     * with several instances, a job is recovered once its heartbeats have stopped.
     */
    async release(): Promise<void> {
      for (const { queue } of LANES) {
        const jobs = await boss.findJobs(queue)
        const held = jobs.filter(({ state }) => state === 'active').map(({ id }) => id)
        if (held.length === 0) continue
        await transaction(database, async (tx) => {
          const options = { db: ownColumns(tx) }
          await boss.cancel(queue, held, options)
          // A scheduled job runs again anyway.
          if (queue !== 'clock') await boss.resume(queue, held, options)
        })
        deaths.noteReleased(held)
      }
    },
    async start({ mail, imports, giveUpImport, scheduled }: Work): Promise<void> {
      const handlers: Record<WorkedQueue, Handler | undefined> = {
        mail,
        imports,
        clock: async ({ name }) => {
          await scheduled.find((job) => job.name === name)?.run()
        },
      }
      for (const { queue, atOnce, least, everyMs } of LANES) {
        const handle = handlers[queue]
        if (!handle) continue
        const giveUp = queue === 'imports' ? giveUpImport : undefined
        const id = await boss.work(
          queue,
          {
            includeMetadata: true,
            perJobResults: true,
            localConcurrency: atOnce,
            minPriority: least,
            pollingIntervalSeconds: everyMs / SECOND_MS,
          },
          (jobs: JobWithMetadata<JobData>[]) =>
            Promise.all(jobs.map((job) => handleOne(job, handle, giveUp))),
        )
        workers.push({ id, queue })
      }
      for (const job of scheduled) {
        void queueScheduled(job)
        timers.push(setInterval(() => void queueScheduled(job), job.everyMs).unref())
      }
    },
    /** Resolves when no job is due or running; a job that waits for another attempt is not due. */
    async idle(): Promise<void> {
      while (running > 0 || (await isAnyDue(database.kysely))) {
        wake()
        await wait(5)
      }
    },
    list,
    /**
     * All mails that are waiting or were given up, as plain data: backups leave out the library's
     * tables.
     */
    async exportWaiting(db?: Kysely<Schema>): Promise<WaitingJob[]> {
      const waitingIn = async (queue: WaitingJob['queue']) =>
        (await list(queue, db)).map(({ data, priority }) => ({ queue, data, priority }))
      return [...(await waitingIn('mail')), ...(await waitingIn('failed_mail'))]
    },
    /** Adds exported mails to an empty queue; the reasons why some were given up are lost. */
    async importWaiting(db: Kysely<Schema>, waiting: readonly WaitingJob[]): Promise<void> {
      for (const [queue, jobs] of Map.groupBy(waiting, ({ queue }) => queue)) {
        const jobsOfQueue = jobs.map(({ data, priority }) => ({ data, priority }))
        await boss.insert(queue, jobsOfQueue, { db: ownColumns(db) })
      }
    },
    /** Moves jobs from `failed_mail` back to `mail`; returns their number. */
    sendAgain: (db: Kysely<Schema>, ids: readonly string[]): Promise<number> =>
      boss.redrive('failed_mail', { destination: 'mail', ids: [...ids], db: ownColumns(db) }),
    /**
     * Stops taking jobs and waits up to `graceMs` for running ones; jobs that are still running
     * then are retried later.
     */
    async stop(graceMs = STOP_GRACE_MS): Promise<void> {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      const done = Promise.all(LANES.map(({ queue }) => boss.offWork(queue, { wait: true })))
      await Promise.race([done, wait(graceMs, undefined, { ref: false })])
      // Jobs that are still running count as failed, and are retried. Without a reason they would
      // seem to have ended the process.
      for (const [queue, jobs] of Map.groupBy(underWay, ([, queue]) => queue)) {
        const ids = jobs.map(([id]) => id)
        await boss.fail(queue, ids, STOPPED).catch(reportSeldom)
      }
      await boss.stop({ graceful: false, close: false })
    },
  }
}

const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** The library reports some errors as plain objects. */
function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : inspect(error)
}

/** Reports an error at most once a minute: while the database is unavailable, every poll fails. */
function oncePerMinute(report: (line: string) => void): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - last < MINUTE_MS) return
    last = performance.now()
    report(`Jobs wait: ${reasonOf(error)}`)
  }
}

/** A job during which the process ended so often is set aside: it would end every other as well. */
const DEATHS_MAX = 2

/** The reason of an attempt that the shop's stop interrupted. */
const STOPPED = { reason: 'the shop was stopped' }

function deathCounter({ kysely }: Pick<Database, 'kysely'>) {
  const released = new Set<string>()
  return {
    /** Notes jobs during which the process before this one ended. */
    noteReleased(ids: readonly string[]): void {
      for (const id of ids) released.add(id)
    },
    /**
     * Counts the process that the last try of a job ended, if it did. A job that has ended too many
     * is given up by `giveUp`, and refused by a final `JobFailed`.
     */
    async refuseDeadly(
      { id, data, retryCount, output }: JobWithMetadata<JobData>,
      giveUp?: Handler,
    ): Promise<void> {
      const isReleased = released.delete(id)
      // The library's own output, where heartbeats have stopped or the job took longer than its
      // queue allows. One that failed, or that the shop's stop interrupted, has left a reason.
      const isLost = retryCount > 0 && !Object.hasOwn(output ?? {}, 'reason')
      if (!isReleased && !isLost) return
      const { deaths } = await kysely
        .insertInto('jobDeaths')
        .values({ jobId: id, deaths: 1 })
        .onConflict((row) =>
          row.column('jobId').doUpdateSet({
            deaths: sql<number>`job_deaths.deaths + 1`,
            lastAt: sql<Date>`now()`,
          }),
        )
        .returning('deaths')
        .executeTakeFirstOrThrow()
      if (deaths < DEATHS_MAX) return
      await giveUp?.(data, id)
      const reason = `${DEATHS_MAX} times the process ended during it, or it took too long`
      throw new JobFailed(reason, { isFinal: true })
    },
  }
}

const { eventLoopUtilization } = performance

/** The shortest measured time, in milliseconds: shorter ones are not meaningful. */
const WINDOW_MS = 200
/** A process that works for a larger share of the time than this is busy. */
const BUSY = 0.5

/** Returns a function that returns whether this process has been busy lately. */
function busyMeter(): () => boolean {
  let since = eventLoopUtilization()
  let share = 0
  return () => {
    const { active, idle, utilization } = eventLoopUtilization(since)
    if (active + idle >= WINDOW_MS) {
      share = utilization
      since = eventLoopUtilization()
    }
    return share > BUSY
  }
}
