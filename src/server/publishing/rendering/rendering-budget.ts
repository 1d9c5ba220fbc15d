import { createTurns } from '../../concurrency/turns.ts'
import { type Allowance, createAttempts } from '../../http/attempt-counter.ts'

/** How many answers that are not in memory an address gets before further ones are delayed. */
export const UNTHROTTLED: Allowance = { max: 200, windowMs: 10_000 }

/** The bounds of the renderings that visitors may cause. */
export interface RenderingBounds {
  /** How many renderings run at a time; `waiting` is how many more may wait. */
  readonly atOnce: number
  readonly waiting: number
  /** How many of them one address may cause. */
  readonly ofAddress: number
  /** How many renderings one address may start in a window of time. */
  readonly allowance: Allowance
}

/**
 * A rendering takes some 20 ms, so that one address causes a few percent of the process's work, which
 * others do not notice. Hundreds of people may share an address; nearly all of their requests are
 * answered from the store.
 */
export const VISITORS: RenderingBounds = {
  // With two, the process had nothing to do for a fifth of the time: both waited for the database.
  atOnce: 3,
  waiting: 60,
  ofAddress: 8,
  allowance: { max: 15, windowMs: 10_000 },
}

/**
 * The bounds for pages that were stored or requested before, which are rendered once for each change or build,
 * whoever requests them: after a change of every page, a school behind one address opens many pages at the
 * same time. One address may start as many renderings as the throttle lets pass.
 */
export const RENEWALS: RenderingBounds = {
  atOnce: 2,
  waiting: 500,
  ofAddress: 100,
  allowance: UNTHROTTLED,
}

/** The budget reserved for payment steps. */
export const PAYMENT_STEPS: RenderingBounds = {
  atOnce: 2,
  waiting: 500,
  ofAddress: 20,
  allowance: { max: 120, windowMs: 60_000 },
}

/** A rendering was refused for now. */
export class TooManyRenderings extends Error {
  override name = 'TooManyRenderings'
}

/** After how many seconds a refused visitor may come again: then a new window has begun. */
export const RETRY_AFTER = VISITORS.allowance.windowMs / 1000

/** Bounds the renderings that visitors cause, by address and in all. */
export function createRenderingBudget(bounds: RenderingBounds, now: () => number = Date.now) {
  const attempts = createAttempts(now)
  const underWay = new Map<string, number>()
  const turns = createTurns(bounds.atOnce, {
    waiting: bounds.waiting,
    refusal: () => new TooManyRenderings(),
    // Other requests are answered between two renderings.
    pass: setImmediate,
  })

  function admit(address: string): void {
    const own = underWay.get(address) ?? 0
    if (own >= bounds.ofAddress || attempts.take(address, bounds.allowance) > 0) {
      throw new TooManyRenderings()
    }
    underWay.set(address, own + 1)
  }

  function leave(address: string): void {
    const left = (underWay.get(address) ?? 1) - 1
    if (left > 0) underWay.set(address, left)
    else underWay.delete(address)
  }

  return {
    /** Whether nothing is rendered for visitors, and none waits. */
    isIdle: turns.isIdle,
    /**
     * Runs `work` when its turn comes. `address` is null for this machine, which only the total bounds
     * limit. Throws `TooManyRenderings`.
     */
    async run<Result>(address: string | null, work: () => Promise<Result>): Promise<Result> {
      turns.refuseCrowd()
      if (address === null) return turns.take(work)
      admit(address)
      return turns.take(work).finally(() => leave(address))
    },
  }
}
