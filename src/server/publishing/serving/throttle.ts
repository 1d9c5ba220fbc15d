import { setTimeout as sleep } from 'node:timers/promises'
import { createAttempts } from '../../http/attempt-counter.ts'
import { UNTHROTTLED } from '../rendering/rendering-budget.ts'

/** How long each further answer is held, in milliseconds, and how many may be held at a time. */
const HELD_FOR = 1000
const HELD_MAX = 1000

/**
 * Delays the answers to an address that sends more requests than people do: it gets one per second
 * on each of its connections, instead of as many as the process can make.
 */
export function createThrottle(allowance = UNTHROTTLED, now: () => number = Date.now) {
  const attempts = createAttempts(now)
  let held = 0
  /**
   * Resolves when the answer to this address may be sent; undefined if it may be sent immediately.
   */
  return (address: string): Promise<void> | undefined => {
    if (attempts.take(address, allowance) === 0 || held >= HELD_MAX) return
    held++
    return sleep(HELD_FOR).then(() => {
      held--
    })
  }
}
