import { type Allowance, createAttempts } from '../../http/attempt-counter.ts'
import { createTurns } from '../../turns.ts'

/** How many answers that are not in memory an address gets before further ones are delayed. */
export const UNTHROTTLED: Allowance = { max: 200, windowMs: 10_000 }

/** How much rendering visitors may cause. */
export interface RenderingBounds {
  /** Renderings at the same time, and how many more may wait for their turn. */
  readonly atOnce: number
  readonly waiting: number
  /** Of them by one address. */
  readonly ofAddress: number
  /** What one address may begin in a window of time. */
  readonly allowance: Allowance
}

/**
 * A rendering takes the process some 20 ms, so that one address causes a few percent of its work:
 * others do not feel it. Hundreds of people may share one address; nearly all that they ask for is
 * stored and costs no rendering.
 */
export const VISITORS: RenderingBounds = {
  atOnce: 2,
  waiting: 60,
  ofAddress: 8,
  allowance: { max: 15, windowMs: 10_000 },
}

/**
 * What was stored before is rendered again once a change, whoever asks: where every page has changed, a
 * school behind one address opens many of them at the same time. As many as the throttle lets pass.
 */
export const RENEWALS: RenderingBounds = {
  atOnce: 2,
  waiting: 500,
  ofAddress: 100,
  allowance: UNTHROTTLED,
}

/** The steps of paying have a reserve of their own, which nothing else can use up. */
export const PAYMENT_STEPS: RenderingBounds = {
  atOnce: 2,
  waiting: 500,
  ofAddress: 20,
  allowance: { max: 120, windowMs: 60_000 },
}

/** A rendering that is refused for now. */
export class TooManyRenderings extends Error {
  override name = 'TooManyRenderings'
}

/** When a visitor who was refused may come again, in seconds: then a new window has begun. */
export const RETRY_AFTER = VISITORS.allowance.windowMs / 1000

export type RenderingBudget = ReturnType<typeof createRenderingBudget>

/** Bounds what visitors make the process render: an address, and in all. */
export function createRenderingBudget(bounds: RenderingBounds, now: () => number = Date.now) {
  const attempts = createAttempts(now)
  const underWay = new Map<string, number>()
  const turns = createTurns(bounds.atOnce, {
    waiting: bounds.waiting,
    refusal: () => new TooManyRenderings(),
    // What has arrived meanwhile is answered between two renderings.
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
    /** Nothing is rendered for a visitor, and nobody waits. */
    isIdle: turns.isIdle,
    /**
     * Does `work` when it is its turn. `address` is null for this machine, of which only the bounds
     * in all are asked. Throws `TooManyRenderings`.
     */
    async run<Result>(address: string | null, work: () => Promise<Result>): Promise<Result> {
      turns.refuseCrowd()
      if (address === null) return turns.take(work)
      admit(address)
      return turns.take(work).finally(() => leave(address))
    },
  }
}
