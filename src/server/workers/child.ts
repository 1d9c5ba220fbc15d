import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { JobAnswer, JobMessage, Shared } from './messages.ts'

// The program of a process in which strangers' files are opened: one job after the other.

const shared: Shared = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT))
new Worker(new URL('./watch.ts', import.meta.url), { workerData: shared }).unref()

let spentBefore = 0

function spentMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

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
  const spent = spentMs() - spentBefore
  spentBefore += spent
  process.send?.({ ...answered, spentMs: spent })
})
process.on('disconnect', () => process.exit())
// A terminal sends these to every process; the shop ends its own.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
