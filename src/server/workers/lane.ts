import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
import { deserialize } from 'node:v8'
import { programEnvironment } from '../config/environment.ts'
import {
  type EndNote,
  HEAP_MEGABYTES,
  type JobAnswer,
  type JobMessage,
  type LaneBounds,
  NOTE_CHANNEL,
  QUEUE,
  type QueueBounds,
} from './bounds.ts'

/** The work cannot be done now: too much is waiting, or the machine did not let it finish. */
export class WorkersBusy extends Error {
  override readonly name: string = 'WorkersBusy'
}

/** Too many jobs of this account are waiting already. */
export class AccountBusy extends WorkersBusy {
  override readonly name = 'AccountBusy'
}

/** The file cannot be read: the task threw an error. */
export class UnreadableFile extends Error {
  override readonly name: string = 'UnreadableFile'
}

/** The file takes more than a job may, or crashes the process that opens it. */
export class ExhaustingFile extends UnreadableFile {
  override readonly name = 'ExhaustingFile'
}

interface LaneJob {
  readonly message: JobMessage
  /** The payer of the job, with a share of the lane: an account, or a file that everybody may see. */
  readonly account: string
  /** The SHA-256 of the file that is opened; null for work without a file. */
  readonly file: string | null
}

interface Waiting extends LaneJob {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
  lost: number
  crashes: number
}

/**
 * A queue of jobs with processes of its own. The account that has used the least processor time is
 * next; one that was away counts as having used as much as the one served last, so that nobody
 * saves up. An account and a file are in one process at a time.
 */
export function openLane({ processes, niceness }: LaneBounds, bounds: QueueBounds = QUEUE) {
  const waiting: Waiting[] = []
  const running = new Map<WorkerProcess, Waiting>()
  const idle = new Map<WorkerProcess, NodeJS.Timeout>()
  /** Processor time in milliseconds, by account. */
  const spent = new Map<string, number>()
  let floor = 0
  let isClosed = false

  const spentBy = (account: string) => spent.get(account) ?? floor

  function underWay(account: string): number {
    return [...running.values(), ...waiting].filter((job) => job.account === account).length
  }

  function enqueue(job: Waiting): void {
    if (isClosed) throw new WorkersBusy('the shop is stopping')
    const own = underWay(job.account)
    if (own >= bounds.ofAccount) throw new AccountBusy('too many jobs of this account')
    if (waiting.length >= bounds.waiting) makePlaceFor(job.account)
    if (own === 0) spent.set(job.account, Math.max(spentBy(job.account), floor))
    waiting.push(job)
  }

  /** Refuses the newest job of the account with most. Throws `WorkersBusy` if all have their share. */
  function makePlaceFor(account: string): void {
    const byAccount = Map.groupBy(waiting, (job) => job.account)
    const most = [...byAccount.values()].reduce(
      (longest, jobs) => (jobs.length > longest.length ? jobs : longest),
      [],
    )
    const newest = most.at(-1)
    if (!newest || most.length <= (byAccount.get(account)?.length ?? 0) + 1) {
      throw new WorkersBusy('too many jobs are waiting')
    }
    waiting.splice(waiting.indexOf(newest), 1)
    newest.reject(new AccountBusy('too many jobs of this account'))
  }

  function takeNext(): Waiting | undefined {
    const open = [...running.values()]
    const isFree = ({ account, file }: Waiting) =>
      !open.some((other) => other.account === account || (file !== null && other.file === file))
    const next = waiting
      .filter(isFree)
      .reduce<Waiting | undefined>(
        (least, job) => (!least || spentBy(job.account) < spentBy(least.account) ? job : least),
        undefined,
      )
    if (next) {
      waiting.splice(waiting.indexOf(next), 1)
      floor = Math.max(floor, spentBy(next.account))
    }
    return next
  }

  function beginNext(): void {
    while (running.size < processes) {
      const job = takeNext()
      if (!job) return
      void work(takeProcess(), job)
    }
  }

  function takeProcess(): WorkerProcess {
    for (const [process, timer] of idle) {
      clearTimeout(timer)
      idle.delete(process)
      if (process.isAlive()) return process
    }
    return startProcess(niceness)
  }

  async function work(process: WorkerProcess, job: Waiting): Promise<void> {
    running.set(process, job)
    const outcome = await process.run(job.message)
    running.delete(process)
    if (isClosed) return
    // A failed job may have left the process in an unknown state.
    if (outcome.kind === 'done') keepIdle(process)
    else process.end()
    spent.set(job.account, spentBy(job.account) + outcome.spentMs)
    settle(job, outcome)
    forgetAbsent()
    beginNext()
  }

  function settle(job: Waiting, outcome: Outcome): void {
    const { kind } = outcome
    if (kind === 'done') job.resolve(outcome.output)
    else if (kind === 'failed') job.reject(new UnreadableFile(outcome.reason))
    else if (kind === 'exhausted') job.reject(new ExhaustingFile(outcome.reason))
    else tryAgain(job, outcome)
  }

  function tryAgain(job: Waiting, { kind, reason }: Outcome & { kind: 'lost' | 'crashed' }): void {
    if (kind === 'lost') job.lost += 1
    else job.crashes += 1
    if (job.crashes >= bounds.crashes) job.reject(new ExhaustingFile(reason))
    else if (job.lost >= bounds.tries) job.reject(new WorkersBusy(reason))
    else waiting.unshift(job)
  }

  function keepIdle(process: WorkerProcess): void {
    const end = () => {
      idle.delete(process)
      process.end()
    }
    idle.set(process, setTimeout(end, bounds.idleMs).unref())
  }

  /** Forgets accounts whose next job would begin at the floor anyway. */
  function forgetAbsent(): void {
    for (const [account, time] of spent) {
      if (time <= floor && underWay(account) === 0) spent.delete(account)
    }
  }

  return {
    run(job: LaneJob): Promise<unknown> {
      return new Promise((resolve, reject) => {
        enqueue({ ...job, resolve, reject, lost: 0, crashes: 0 })
        beginNext()
      })
    },
    /** How many jobs are being done, and how many wait. */
    load: () => ({ busy: running.size, waiting: waiting.length }),
    /** Ends the processes, and refuses what is waiting. */
    close(): void {
      isClosed = true
      const given = [...running.values(), ...waiting.splice(0)]
      for (const process of [...running.keys(), ...idle.keys()]) process.end()
      for (const timer of idle.values()) clearTimeout(timer)
      for (const job of given) job.reject(new WorkersBusy('the shop is stopping'))
    },
  }
}

/** How a job ended, and what it took of the processor, in milliseconds. */
type Outcome = { readonly spentMs: number } & (
  | { readonly kind: 'done'; readonly output: unknown }
  /** The task threw an error. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The job went over its bounds. */
  | { readonly kind: 'exhausted'; readonly reason: 'time' | 'memory' | 'output' }
  /** The process ended itself without a word, by a fault of native code for example. */
  | { readonly kind: 'crashed'; readonly reason: string }
  /** The process was ended from outside, is stuck, or the machine failed. */
  | { readonly kind: 'lost'; readonly reason: string }
)

/** How much of what a process writes to its log is kept, in characters. */
const LOG_LENGTH = 2000

/** The signals that end a process from outside; a process that crashes gets others. */
const FROM_OUTSIDE: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

type WorkerProcess = ReturnType<typeof startProcess>

/**
 * Starts a process for jobs, one at a time. It has none of the shop's secrets in its environment,
 * and ends itself when a job goes over its bounds, or when the shop is gone.
 */
function startProcess(niceness: number) {
  const child: ChildProcess = fork(new URL('./child.ts', import.meta.url), [], {
    env: programEnvironment(),
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
  lower(child, niceness)
  let log = ''
  let note = ''
  let ended: string | null = null
  let settle: ((outcome: Outcome) => void) | null = null

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-LOG_LENGTH)
  })
  const notes = child.stdio[NOTE_CHANNEL] as Socket
  notes.setEncoding('utf8').on('data', (text: string) => {
    note += text
  })
  child.on('message', (answer: JobAnswer) => finish(outcomeOf(answer)))
  child.on('error', (error) => finish(lost(error.message)))
  child.on('close', (code, signal) => {
    ended = `the process ended with ${signal ?? code} ${log}`.trim()
    finish(endOutcome(ended, note, signal))
  })
  holdShop(false)

  function finish(outcome: Outcome): void {
    const waiting = settle
    settle = null
    holdShop(false)
    waiting?.(outcome)
  }

  /** An unused process does not keep the shop, or a command, from ending. */
  function holdShop(isHeld: boolean): void {
    const how = isHeld ? 'ref' : 'unref'
    for (const handle of [child, child.channel, child.stderr as Socket, notes as Socket])
      handle?.[how]()
  }

  return {
    /** Whether it can take another job. */
    isAlive: () => ended === null && child.connected,
    run(job: JobMessage): Promise<Outcome> {
      return new Promise((resolve) => {
        if (ended !== null) return resolve(lost(ended))
        settle = resolve
        holdShop(true)
        child.send(job, (error) => error && finish(lost(error.message)))
      })
    },
    end: () => child.kill('SIGKILL'),
  }
}

const lost = (reason: string): Outcome => ({ kind: 'lost', reason, spentMs: 0 })

function outcomeOf(answer: JobAnswer): Outcome {
  const { spentMs } = answer
  if (answer.kind === 'done') return { kind: 'done', output: deserialize(answer.output), spentMs }
  if (answer.kind === 'too much output') return { kind: 'exhausted', reason: 'output', spentMs }
  const { reason, isOfMachine } = answer
  return { kind: isOfMachine ? 'lost' : 'failed', reason, spentMs }
}

function endOutcome(reason: string, note: string, signal: NodeJS.Signals | null): Outcome {
  const { why, spentMs } = note ? (JSON.parse(note) as EndNote) : { why: null, spentMs: 0 }
  if (why === 'time' || why === 'memory') return { kind: 'exhausted', reason: why, spentMs }
  const isOfFile = why === null && !FROM_OUTSIDE.includes(signal)
  return { kind: isOfFile ? 'crashed' : 'lost', reason: why ?? reason, spentMs }
}

function lower({ pid }: ChildProcess, niceness: number): void {
  try {
    const { PRIORITY_LOW } = constants.priority
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + niceness, PRIORITY_LOW))
  } catch {
    // It has ended already, or the system does not allow it: the work is done all the same.
  }
}
