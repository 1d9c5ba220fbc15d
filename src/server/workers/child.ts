import { writeSync } from 'node:fs'
import { serialize } from 'node:v8'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import {
  type EndNote,
  type JobAnswer,
  type JobMessage,
  NOTE_CHANNEL,
  STUCK_MS,
  WATCH_MS,
} from './bounds.ts'

// The program of a process in which strangers' files are opened: one job after the other. A second
// thread watches over the first, which may be in native code and answer nothing.

/**
 * What the two threads share: the processor time in milliseconds since the start of the process at
 * which it is ended, 0 between jobs; and its largest memory in bytes.
 */
type Shared = Float64Array<SharedArrayBuffer>

/** Milliseconds of processor time since the start of the process. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

if (isMainThread) workOnJobs()
else watch(workerData)

function workOnJobs(): void {
  const shared: Shared = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT))
  new Worker(new URL(import.meta.url), { workerData: shared }).unref()
  let spentBefore = 0

  async function answer({ module, name, input, bounds }: JobMessage): Promise<JobAnswer> {
    shared[1] = bounds.memoryBytes
    // The start of the process counts as part of its first job.
    shared[0] = spentBefore + bounds.processorMs
    try {
      const tasks = await import(module)
      const output = serialize(await tasks[name](input))
      return output.byteLength > bounds.outputBytes
        ? { kind: 'too much output', spentMs: 0 }
        : { kind: 'done', output, spentMs: 0 }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const isOfMachine = (error as NodeJS.ErrnoException)?.syscall !== undefined
      return { kind: 'failed', reason, isOfMachine, spentMs: 0 }
    } finally {
      shared[0] = 0
    }
  }

  process.on('message', async (job: JobMessage) => {
    const answered = await answer(job)
    const spentMs = processorTime() - spentBefore
    spentBefore += spentMs
    process.send?.({ ...answered, spentMs })
  })
  process.on('disconnect', () => process.exit())
  // A terminal sends these to every process; the shop ends its own.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
}

/** Ends the whole process when its job goes over its bounds, and writes down why. */
function watch(shared: Shared): void {
  const parent = process.ppid
  /** The least processor time in milliseconds that counts as progress. */
  const progressMs = 5
  let progress = { spentMs: 0, at: 0 }

  setInterval(() => {
    // The shop was killed: nobody waits for the result.
    if (process.ppid !== parent) end('orphaned')
    const [limitMs = 0, memoryBytes = 0] = shared
    if (limitMs === 0) {
      progress = { spentMs: 0, at: performance.now() }
      return
    }
    const spentMs = processorTime()
    if (spentMs > limitMs) end('time')
    if (process.memoryUsage.rss() > memoryBytes) end('memory')
    if (spentMs - progress.spentMs > progressMs) progress = { spentMs, at: performance.now() }
    else if (performance.now() - progress.at > STUCK_MS) end('stuck')
  }, WATCH_MS)
}

function end(why: EndNote['why']): never {
  try {
    writeSync(NOTE_CHANNEL, JSON.stringify({ why, spentMs: processorTime() } satisfies EndNote))
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
  throw new Error('unreachable')
}
