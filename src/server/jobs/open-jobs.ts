import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { JobResult, JobWithMetadata, Queue as QueueSettings } from 'pg-boss'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import { STOP_GRACE_MS } from '../http/stop.ts'
import { bossOf, ownColumns } from './boss.ts'
import {
  type Handler,
  type JobData,
  JobFailed,
  type ListedJob,
  type Turn,
  type WaitingJob,
  type Work,
} from './job.ts'
import { LANES, QUEUES, type Queue, SCHEMA } from './queues.ts'

interface JobsOptions {
  readonly database: Pick<Database, 'kysely'>
  /** Receives what an operator should know. */
  readonly report: (line: string) => void
  /** Recovers jobs whose worker is gone, and deletes those that are done. */
  readonly supervise?: boolean
  /** In place of the queue's own pauses between attempts, in seconds. */
  readonly retry?: Pick<QueueSettings, 'retryLimit' | 'retryDelay' | 'retryBackoff'>
}

/** The jobs that wait in PostgreSQL. */
export type Jobs = Awaited<ReturnType<typeof openJobs>>

/** Opens the queue, which `installJobs` has made. */
export async function openJobs({ database, report, supervise = true, retry }: JobsOptions) {
  const boss = bossOf(database, { supervise })
  const reportSeldom = seldom(report)
  boss.on('error', reportSeldom)
  await boss.start()
  // The library looks a queue up at its first use; within a caller's transaction that would take a
  // second connection, and callers might wait for each other's.
  for (const queue of Object.keys(QUEUES)) await boss.findJobs(queue, { id: NO_JOB })

  const workers: string[] = []
  const timers: NodeJS.Timeout[] = []
  let running = 0
  let isStopped = false

  const wake = () => {
    for (const worker of workers) boss.notifyWorker(worker)
  }

  async function handleOne(job: JobWithMetadata<JobData>, handle: Handler): Promise<JobResult> {
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

  /** What waits or was given up, oldest first. */
  async function list(queue: Queue, db: Kysely<Schema> = database.kysely): Promise<ListedJob[]> {
    const jobs = await boss.findJobs<JobData>(queue, { db: ownColumns(db) })
    return jobs
      .filter(({ state }) => state === 'created' || state === 'retry' || state === 'active')
      .sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
      .map(({ id, data, priority, createdOn, sourceOutput }) => {
        return { id, data, priority, createdOn, failure: sourceOutput as JobData | null }
      })
  }

  async function takeTurn({ name, everyMs }: Turn): Promise<void> {
    const slot = everyMs / SECOND_MS
    const options = {
      singletonKey: name,
      singletonSeconds: slot,
      // It says that this turn is taken, so it outlasts the turn.
      deleteAfterSeconds: 2 * slot,
    }
    // A turn that is on its way into the queue counts as being done: `idle` waits for it.
    running++
    try {
      if (!isStopped && (await boss.send('clock', { name }, options))) wake()
    } catch (error) {
      reportSeldom(error)
    } finally {
      running--
    }
  }

  return {
    /**
     * Puts a job into the transaction that causes it; the greatest priority goes first. No NOTIFY is
     * sent: workers look for themselves.
     */
    async enqueue(db: Kysely<Schema>, queue: Queue, data: JobData, priority = 0): Promise<void> {
      await boss.send(queue, data, { ...retry, priority, db: ownColumns(db) })
    },
    /**
     * Takes back what a process that was killed was working on. Only for a shop with one instance:
     * others' jobs are recovered once they have been silent for 15 seconds.
     */
    async release(): Promise<void> {
      for (const { queue } of LANES) {
        const jobs = await boss.findJobs(queue)
        const held = jobs.filter(({ state }) => state === 'active').map(({ id }) => id)
        if (held.length === 0) continue
        await transaction(database, async (tx) => {
          const options = { db: ownColumns(tx) }
          await boss.cancel(queue, held, options)
          // A turn of the clock comes again by itself.
          if (queue !== 'clock') await boss.resume(queue, held, options)
        })
      }
    },
    /** Works on jobs from now on, until `stop`. */
    async start({ mail, imports, turns }: Work): Promise<void> {
      const handlers: Partial<Record<Queue, Handler>> = {
        mail,
        ...(imports && { imports }),
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
          (jobs: JobWithMetadata<JobData>[]) =>
            Promise.all(jobs.map((job) => handleOne(job, handle))),
        )
        workers.push(worker)
      }
      for (const turn of turns) {
        void takeTurn(turn)
        timers.push(setInterval(() => void takeTurn(turn), turn.everyMs).unref())
      }
    },
    /** Resolves when nothing is due or being done; what waits for another attempt is not due. */
    async idle(): Promise<void> {
      while (running > 0 || (await isAnyDue(database.kysely))) {
        wake()
        await wait(5)
      }
    },
    list,
    /** Every mail that waits or was given up, as plain data: the library's tables are in no backup. */
    async exportWaiting(db?: Kysely<Schema>): Promise<WaitingJob[]> {
      const waitingIn = async (queue: WaitingJob['queue']) =>
        (await list(queue, db)).map(({ data, priority }) => ({ queue, data, priority }))
      return [...(await waitingIn('mail')), ...(await waitingIn('failed_mail'))]
    },
    /** Puts such mails into a queue that does not have them; why some were given up is not known. */
    async importWaiting(db: Kysely<Schema>, waiting: readonly WaitingJob[]): Promise<void> {
      for (const [queue, jobs] of Map.groupBy(waiting, ({ queue }) => queue)) {
        const jobsOfQueue = jobs.map(({ data, priority }) => ({ data, priority }))
        await boss.insert(queue, jobsOfQueue, { db: ownColumns(db) })
      }
    },
    /** Gives jobs of `failed_mail` back to `mail`; returns how many. */
    sendAgain: (db: Kysely<Schema>, ids: readonly string[]): Promise<number> =>
      boss.redrive('failed_mail', { destination: 'mail', ids: [...ids], db: ownColumns(db) }),
    /** Takes no more jobs and waits for those being done, 10 seconds at most; others do the rest. */
    async stop(): Promise<void> {
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
