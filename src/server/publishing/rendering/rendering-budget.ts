import { setTimeout as sleep } from 'node:timers/promises'
import { createTurns } from '../../concurrency/turns.ts'
import { type Allowance, createAttempts } from '../../http/attempt-counter.ts'

export interface RenderingBounds {
  /** How many renderings run at a time; `waiting` is how many more may wait. */
  readonly atOnce: number
  readonly waiting: number
  /** How many of them may wait for one address. */
  readonly waitingOfOne: number
  /** How many renderings one address may start in a window of time. */
  readonly allowance: Allowance
}

/**
 * A rendering takes some 7 ms, so that one address causes less than a tenth of the process's work.
 * A school behind one address opens many pages at the same time, which others' pages do not wait
 * for: addresses have their turns one after the other.
 */
export const VISITORS: RenderingBounds = {
  // With two, the process had nothing to do for a fifth of the time: both waited for the database.
  atOnce: 3,
  waiting: 300,
  waitingOfOne: 60,
  allowance: { max: 100, windowMs: 10_000 },
}

/**
 * The reserve of payment steps, the one exception: while a page waits for each of 300 addresses, all
 * others are refused, and 20 payments of as many addresses are answered.
 */
export const PAYMENT_STEPS: RenderingBounds = { ...VISITORS, atOnce: 2 }

/** A rendering was refused for now. */
export class TooManyRenderings extends Error {
  override name = 'TooManyRenderings'
}

/** After how many seconds a refused visitor may come again: then a new window has begun. */
export const RETRY_AFTER = VISITORS.allowance.windowMs / 1000

/** Bounds the renderings that visitors cause, by address and in all. */
export function createRenderingBudget(bounds: RenderingBounds, now: () => number = Date.now) {
  const { atOnce, waiting, waitingOfOne, allowance } = bounds
  const attempts = createAttempts(now)
  const turns = createTurns(atOnce, {
    waiting,
    ofOwner: { atOnce, waiting: waitingOfOne },
    refusal: () => new TooManyRenderings(),
    // Other requests are answered between two renderings.
    pass: setImmediate,
  })

  return {
    /** Whether nothing is rendered for visitors, and none waits. */
    isIdle: turns.isIdle,
    /**
     * Runs `work` when its turn comes. `address` is null for this machine, which only the total bounds
     * limit. Throws `TooManyRenderings`.
     */
    async run<Result>(address: string | null, work: () => Promise<Result>): Promise<Result> {
      turns.refuseCrowd(address)
      if (address !== null && attempts.take(address, allowance) > 0) throw new TooManyRenderings()
      return turns.take(work, address)
    },
  }
}

/** How many answers that are not in memory an address gets before further ones are delayed. */
const UNTHROTTLED: Allowance = { max: 200, windowMs: 10_000 }
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
