import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../rules/durations.ts'
import type { Schema } from '../database/schema.ts'
import {
  CALLER_WAITS_MS,
  FAULTS_OF_FILE,
  JOB,
  type JobBounds,
  LANES,
  type LaneName,
} from './bounds.ts'
import { ExhaustingFile, openLane, WorkersBusy } from './lane.ts'

export type { LaneName } from './bounds.ts'
export { AccountBusy, ExhaustingFile, UnreadableFile, WorkersBusy } from './lane.ts'

/** A function that a child process runs; what it takes and returns is copied. */
export interface Task<Input, Output> {
  /** The URL of its module. */
  readonly module: string
  readonly name: string
  readonly bounds: JobBounds
  /** Never set: carries the types. */
  readonly types?: (input: Input) => Output
}

type TaskOf<Run> = Run extends (input: infer Input) => Promise<infer Output>
  ? Task<Input, Output>
  : never

export function tasksOf<Module>(module: URL) {
  return <Name extends keyof Module & string>(
    name: Name,
    bounds: Partial<JobBounds> = {},
  ): TaskOf<Module[Name]> =>
    // The module that it names has these types.
    ({ module: module.href, name, bounds: { ...JOB, ...bounds } }) as unknown as TaskOf<
      Module[Name]
    >
}

/** The kind of work, and the account that pays for it with a share of the lane. */
export interface Customer {
  readonly lane: LaneName
  /** Such as `user 12`; for what everybody may see, the file itself. */
  readonly account: string
}

/** The file that a job opens. */
interface OpenedFile {
  readonly sha256: string
  /** The part that is opened, such as a page: a fault is that part's alone. */
  readonly part?: number
}

export interface Workers {
  /**
   * Does a job in a child process. Throws `UnreadableFile` if the task failed, `ExhaustingFile` if
   * it took more than a job may (without trying again, where that is known of the file), and
   * `WorkersBusy` for what says nothing about the file.
   */
  run<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    customer: Customer & { readonly file?: OpenedFile },
  ): Promise<Output>
  /** How many jobs of each lane are being done, and how many wait. */
  load(): { readonly lane: LaneName; readonly busy: number; readonly waiting: number }[]
  close(): Promise<void>
}

const LANE_NAMES = Object.keys(LANES) as LaneName[]

/** Opens the lanes; their processes begin with their first job. Without a database no fault is remembered. */
export function openWorkers(database: { readonly kysely: Kysely<Schema> } | null): Workers {
  const lanes = new Map<LaneName, ReturnType<typeof openLane>>()
  const laneOf = (name: LaneName) => {
    const lane = lanes.get(name) ?? openLane(LANES[name])
    lanes.set(name, lane)
    return lane
  }
  return {
    async run({ module, name, bounds }, input, { lane, account, file }) {
      if (database && file) await refuseFaulty(database.kysely, name, file)
      const message = { module, name, input, bounds }
      try {
        // The module that the task names has this result.
        return (await laneOf(lane).run({ message, account, file: file?.sha256 ?? null })) as never
      } catch (error) {
        if (database && file && error instanceof ExhaustingFile) {
          await noteFault(database.kysely, name, file, error.message)
        }
        throw error
      }
    },
    load() {
      return LANE_NAMES.map((lane) => {
        return { lane, ...(lanes.get(lane)?.load() ?? { busy: 0, waiting: 0 }) }
      })
    },
    async close() {
      for (const lane of lanes.values()) lane.close()
    },
  }
}

/** Throws `WorkersBusy` after `within` ms; the work goes on, so that a later call finds it. */
export async function inTime<Result>(
  work: Promise<Result>,
  within: number = CALLER_WAITS_MS,
): Promise<Result> {
  const over = new AbortController()
  const timeOut = wait(within, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new WorkersBusy('the work goes on')
  })
  // Whichever comes second is of no interest.
  work.catch(() => {})
  timeOut.catch(() => {})
  try {
    return await Promise.race([work, timeOut])
  } finally {
    over.abort()
  }
}

async function refuseFaulty(
  db: Kysely<Schema>,
  task: string,
  { sha256, part = 0 }: OpenedFile,
): Promise<void> {
  const faults = await db
    .selectFrom('fileFaults')
    .select(['part', 'reason'])
    .where('sha256', '=', sha256)
    .where('task', '=', task)
    .execute()
  const known = faults.find((fault) => fault.part === part)
  if (known || faults.length >= FAULTS_OF_FILE) {
    throw new ExhaustingFile((known ?? faults[0])?.reason)
  }
}

async function noteFault(
  db: Kysely<Schema>,
  task: string,
  { sha256, part = 0 }: OpenedFile,
  reason: string,
): Promise<void> {
  await db
    .insertInto('fileFaults')
    .values({ sha256, task, part, reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** How long a fault is remembered: a later version of the shop may do better. */
const FAULTS_KEPT_MS = 30 * DAY_MS

/** Forgets old faults, or those of one task, so that the files are tried again. */
export async function forgetFaults(
  db: Kysely<Schema>,
  which: { readonly before: number } | { readonly task: string },
): Promise<void> {
  const faults = db.deleteFrom('fileFaults')
  await ('task' in which
    ? faults.where('task', '=', which.task)
    : faults.where('notedAt', '<', new Date(which.before - FAULTS_KEPT_MS))
  ).execute()
}
