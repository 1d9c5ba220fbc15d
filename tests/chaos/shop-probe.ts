// Loaded into a shop's own process before its program (`node --import`): prints what the process
// holds, and for how long its event loop stood still.
import { isMainThread } from 'node:worker_threads'
import type { Sample } from './measured-shop.ts'

/** How often the event loop is looked at, and how often a line is printed, in milliseconds. */
const TICK_MS = 10
const PRINT_MS = 100

// Threads of the process load this file too.
if (isMainThread) watch()

function watch(): void {
  let at = performance.now()
  let worked = process.threadCpuUsage()
  let printedAt = at
  let stoodStill = 0
  let ownWork = 0
  setInterval(() => {
    const late = performance.now() - at - TICK_MS
    const { user, system } = process.threadCpuUsage(worked)
    stoodStill = Math.max(stoodStill, late)
    ownWork = Math.max(ownWork, Math.min(late, (user + system) / 1000))
    at = performance.now()
    worked = process.threadCpuUsage()
    if (at - printedAt < PRINT_MS) return
    const { rss } = process.memoryUsage
    const sample: Sample = {
      rss: rss(),
      most: process.resourceUsage().maxRSS * 1024,
      stoodStill: Math.round(stoodStill),
      ownWork: Math.round(ownWork),
    }
    console.log(`probe ${JSON.stringify(sample)}`)
    printedAt = at
    stoodStill = 0
    ownWork = 0
  }, TICK_MS).unref()
}
