import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { deserialize } from 'node:v8'
import { programEnvironment } from '../config/environment.ts'
import { HEAP_MEGABYTES } from './bounds.ts'
import { type EndNote, type JobAnswer, type JobMessage, NOTE_CHANNEL } from './messages.ts'

/** How a job ended, and what it took of the processor, in milliseconds. */
export type Outcome = { readonly spentMs: number } & (
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

export type WorkerProcess = ReturnType<typeof startProcess>

/**
 * Starts a process for jobs, one at a time. It has none of the shop's secrets in its environment,
 * and ends itself when a job goes over its bounds, or when the shop is gone.
 */
export function startProcess(niceness: number) {
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
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // It has ended already, or the system does not allow it: the work is done all the same.
  }
}
