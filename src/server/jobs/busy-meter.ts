import { performance } from 'node:perf_hooks'

const { eventLoopUtilization } = performance

/** A shorter time tells nothing (milliseconds). */
const WINDOW_MS = 200
/** The share of the time in which a busy process works. */
const BUSY = 0.5

/** Returns whether this process was busy in the last moments. */
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
