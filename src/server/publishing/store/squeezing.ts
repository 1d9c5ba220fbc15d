import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A rest lasts this many times as long as the work before it, so that visitors do not notice the
 * work, however much there is.
 */
const REST = 9
/** How many pieces of work may wait; further ones are dropped. */
const WAITING_MAX = 200

/** Runs slow work that only saves bytes: one piece at a time, with rests. */
export function createSqueezing(): (work: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      const from = performance.now()
      // After a failure the existing body stays.
      await work().catch(() => {})
      await sleep((performance.now() - from) * REST, undefined, { ref: false })
    }
    isRunning = false
  }

  return (work) => {
    if (waiting.length >= WAITING_MAX) return
    waiting.push(work)
    if (!isRunning) void run()
  }
}
