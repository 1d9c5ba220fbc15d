import { performance } from 'node:perf_hooks'

const { eventLoopUtilization } = performance

/** The shortest measured time, in milliseconds: shorter ones are not meaningful. */
const WINDOW_MS = 200
/** A process that works for a larger share of the time than this is busy. */
const BUSY = 0.5

/** Returns a function that returns whether this process has been busy lately. */
export function busyMeter(): () => boolean {
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
