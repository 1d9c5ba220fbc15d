import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { STUCK_MS, WATCH_MS } from './bounds.ts'
import { NOTE_CHANNEL, type Shared } from './messages.ts'

// A thread beside the one that opens a stranger's file, which may be in native code and answer
// nothing. It ends the whole process, and writes down why.

const shared: Shared = workerData
const parent = process.ppid

/** The least processor time in milliseconds that counts as progress. */
const PROGRESS_MS = 5

let progress = { spentMs: 0, at: 0 }

setInterval(() => {
  // The shop was killed: nobody waits for the result.
  if (process.ppid !== parent) end('orphaned')
  const [limitMs = 0, memoryBytes = 0] = shared
  if (limitMs === 0) {
    progress = { spentMs: 0, at: performance.now() }
    return
  }
  const { user, system } = process.cpuUsage()
  const spentMs = (user + system) / 1000
  if (spentMs > limitMs) end('time')
  if (process.memoryUsage.rss() > memoryBytes) end('memory')
  if (spentMs - progress.spentMs > PROGRESS_MS) progress = { spentMs, at: performance.now() }
  else if (performance.now() - progress.at > STUCK_MS) end('stuck')
}, WATCH_MS)

function end(why: 'time' | 'memory' | 'stuck' | 'orphaned'): never {
  const { user, system } = process.cpuUsage()
  try {
    writeSync(NOTE_CHANNEL, JSON.stringify({ why, spentMs: (user + system) / 1000 }))
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
  throw new Error('unreachable')
}
